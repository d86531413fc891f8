-- One draw again: an integer in lo..hi from the published digest of its turn, turns.dice_digest.
-- Equal to draws.value, or somebody has changed one of the two; see docs/dice.md.
create macro roll(stream, entity, index, lo, hi, digest) as (
    lo + (
        philox(
            entity::ubigint % 4294967296,
            entity::ubigint // 4294967296,
            index,
            stream,
            hex_word(digest, 0),
            hex_word(digest, 1)
        )[1] * (hi - lo + 1)::ubigint // 4294967296::ubigint
    )::bigint
);
