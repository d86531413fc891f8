-- Steps between two hexes of a plane map, from their axial positions hexes.q and hexes.r.
-- On a globe, or around a hole in the map, count with hexes_within instead.
create macro hex_distance(q1, r1, q2, r2) as
    greatest(abs(q1 - q2), abs(r1 - r2), abs(q1 + r1 - q2 - r2));
