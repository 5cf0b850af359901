#include "print/c_pair_turn.h"

/* Of lower halves an insertion is quicker than a permutation. */
static const char turn_of_two[] =
    "#define SWAP(v) _mm256_permute_pd(v, 5)\n"
    "#define ADDSUB(v, w) _mm256_addsub_pd(v, w)\n"
    "#define LOWER(a, b) _mm256_insertf128_pd(a, _mm256_castpd256_pd128(b), 1)\n"
    "#define TURN(a, b, p, q) do { \\\n"
    "    p = LOWER(a, b), q = _mm256_permute2f128_pd(a, b, 0x31); } while (0)\n";

static const char turn_of_four_doubles[] =
    "#define SWAP(v) _mm512_permute_pd(v, 0x55)\n"
    "#define ADDSUB(v, w) FMA(PAIR((real)-1, (real)1), w, v)\n"
    "#define PIECES(a, b, pieces) _mm512_shuffle_f64x2(a, b, pieces)\n"
    "#define TURN(a, b, c, d, p, q, r, s) do { \\\n"
    "    const vec low = PIECES(a, b, 0x44), high = PIECES(a, b, 0xee); \\\n"
    "    const vec low2 = PIECES(c, d, 0x44), high2 = PIECES(c, d, 0xee); \\\n"
    "    p = PIECES(low, low2, 0x88), q = PIECES(low, low2, 0xdd); \\\n"
    "    r = PIECES(high, high2, 0x88), s = PIECES(high, high2, 0xdd); } while (0)\n";

/* Pairs of singles are moved as doubles. */
static const char turn_of_four_singles[] =
    "#define SWAP(v) _mm256_permute_ps(v, 0xb1)\n"
    "#define ADDSUB(v, w) _mm256_addsub_ps(v, w)\n"
    "#define WIDE(v) _mm256_castps_pd(v)\n"
    "#define LOWER(a, b) _mm256_castpd_ps(_mm256_insertf128_pd(a, _mm256_castpd256_pd128(b), 1))\n"
    "#define UPPER(a, b) _mm256_castpd_ps(_mm256_permute2f128_pd(a, b, 0x31))\n"
    "#define TURN(a, b, c, d, p, q, r, s) do { \\\n"
    "    const __m256d even = _mm256_unpacklo_pd(WIDE(a), WIDE(b)); \\\n"
    "    const __m256d odd = _mm256_unpackhi_pd(WIDE(a), WIDE(b)); \\\n"
    "    const __m256d even2 = _mm256_unpacklo_pd(WIDE(c), WIDE(d)); \\\n"
    "    const __m256d odd2 = _mm256_unpackhi_pd(WIDE(c), WIDE(d)); \\\n"
    "    p = LOWER(even, even2), q = LOWER(odd, odd2); \\\n"
    "    r = UPPER(even, even2), s = UPPER(odd, odd2); } while (0)\n";

static const char turn_of_eight[] =
    "#define SWAP(v) _mm512_permute_ps(v, 0xb1)\n"
    "#define ADDSUB(v, w) FMA(PAIR((real)-1, (real)1), w, v)\n"
    "#define WIDE(v) _mm512_castps_pd(v)\n"
    "#define EVEN(a, b) _mm512_unpacklo_pd(WIDE(a), WIDE(b))\n"
    "#define ODD(a, b) _mm512_unpackhi_pd(WIDE(a), WIDE(b))\n"
    "#define PIECES(a, b, pieces) _mm512_shuffle_f64x2(a, b, pieces)\n"
    "#define NARROW(a, b, pieces) _mm512_castpd_ps(PIECES(a, b, pieces))\n"
    "#define TURN_PIECES(a, b, c, d, p, q, r, s) do { \\\n"
    "    const __m512d low = PIECES(a, b, 0x44), high = PIECES(a, b, 0xee); \\\n"
    "    const __m512d low2 = PIECES(c, d, 0x44), high2 = PIECES(c, d, 0xee); \\\n"
    "    p = NARROW(low, low2, 0x88), q = NARROW(low, low2, 0xdd); \\\n"
    "    r = NARROW(high, high2, 0x88), s = NARROW(high, high2, 0xdd); } while (0)\n"
    "#define TURN(a, b, c, d, e, f, g, h, p, q, r, s, t, u, v, w) do { \\\n"
    "    TURN_PIECES(EVEN(a, b), EVEN(c, d), EVEN(e, f), EVEN(g, h), p, r, t, v); \\\n"
    "    TURN_PIECES(ODD(a, b), ODD(c, d), ODD(e, f), ODD(g, h), q, s, u, w); } while (0)\n";

void c_pair_turn_prologue(struct text *t, const struct c_vector_target *target)
{
    const int pairs = target->lanes / 2;
    c_vector_prologue(t, target);
    text_append(t, "%s#define PAIR(x, y) ((vec){x, y",
                pairs == 2       ? turn_of_two
                : pairs == 8     ? turn_of_eight
                : target->single ? turn_of_four_singles
                                 : turn_of_four_doubles);
    for (int i = 1; i < pairs; i++)
        text_append(t, ", x, y");
    text_append(t, "})\n");
}
