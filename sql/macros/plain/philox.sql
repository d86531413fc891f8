-- The four output words of Philox4x32-10 for a counter of four words and a key of two.
-- Every round takes [c0, c1, c2, c3] and its own key [k0, k1]; see docs/dice.md.
create macro philox(c0, c1, c2, c3, k0, k1) as list_reduce(
    list_transform(
        range(10),
        lambda round: [
            (k0::ubigint + round::ubigint * 2654435769) % 4294967296,
            (k1::ubigint + round::ubigint * 3144134277) % 4294967296
        ]
    ),
    lambda c, k: [
        xor(xor(c[3] * 3449720151::ubigint // 4294967296::ubigint, c[2]), k[1]),
        c[3] * 3449720151::ubigint % 4294967296::ubigint,
        xor(xor(c[1] * 3528531795::ubigint // 4294967296::ubigint, c[4]), k[2]),
        c[1] * 3528531795::ubigint % 4294967296::ubigint
    ],
    [c0::ubigint, c1::ubigint, c2::ubigint, c3::ubigint]
);
