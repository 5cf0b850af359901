/* LANES / 2 numbers and their mirrors at a time: a part of mirror_lines.h, included with LANES, for
 * each width that narrower vectors go on with where wider ones do not fit any more. Numbers are
 * interleaved. */

/* Numbers from k on and their mirrors, while so many are left; returns the first that is not done.
 */
static inline __attribute__((always_inline)) int64_t
NAME_OF(pairs_, LANES, PRECISION)(const struct LINE *line, const struct FACTORS *factors, int64_t k)
{
    const VECTOR zero = {0};
    const VECTOR signs = __builtin_shufflevector(zero + 1, zero - 1, BY_TURNS);
    const VECTOR in =
        __builtin_shufflevector(zero + factors->in[0], zero + factors->in[1], BY_TURNS);
    const VECTOR out =
        __builtin_shufflevector(zero + factors->out[0], zero + factors->out[1], BY_TURNS);
    const VECTOR in_mirrored = signs * in, out_mirrored = signs * out;
    for (; 2 * (k + LANES / 2 - 1) <= line->h; k += LANES / 2) {
        const int64_t own = 2 * k, other = 2 * (line->h - k - LANES / 2 + 1);
        VECTOR first = AT(line->from + own);
        VECTOR root = AT(line->roots + own - 2);
        READ_ONCE(first);
        READ_ONCE(root);
        const VECTOR x = first * in, y = BACKWARDS_AT(line->from + other);
        const VECTOR even = x + y * in_mirrored, odd = x - y * in_mirrored;
        const VECTOR im = SHUFFLED(root, root, OTHER_PARTS) * signs;
        const VECTOR re = SHUFFLED(root, root, REAL_PARTS);
        const VECTOR turned = odd * re - SHUFFLED(odd, odd, PARTS_SWAPPED) * im;
        const VECTOR sum = even + turned, difference = even - turned;
        const VECTOR mirrored = difference * out_mirrored;
        PUT(line->to + own, sum * out);
        PUT_BACKWARDS(line->to + other, mirrored);
    }
    return k;
}
