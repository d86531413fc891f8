-- The edge of a hex: 0 is NW, 1 NO, 2 O, 3 SO, 4 SW, 5 W.
create macro direction_name(direction) as (['NW', 'NO', 'O', 'SO', 'SW', 'W'])[direction + 1];
