-- The n-th 32-bit word, from 0, of a digest in hex: little-endian, as docs/dice.md takes its key.
create macro hex_word(digest, n) as (
    '0x' || digest[8 * n + 7:8 * n + 8] || digest[8 * n + 5:8 * n + 6]
    || digest[8 * n + 3:8 * n + 4] || digest[8 * n + 1:8 * n + 2]
)::ubigint;
