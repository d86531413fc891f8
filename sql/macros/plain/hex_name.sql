-- A hex_id as players write it: 20714 is 207/14.
create macro hex_name(hex_id) as (hex_id // 100) || '/' || (hex_id % 100);
