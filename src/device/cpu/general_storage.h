/* Numbers that are stored otherwise than computed with: a part of general_template.h. All without
 * branches, so that compilers make vectors of the loops. */
#include "base/storage.h"

#ifdef HALVES_BY_F16C
#include <immintrin.h>
#endif

union single {
    float value;
    uint32_t bits;
};

/* ---- halves ---- */

/* Rounded to the odd one of two neighbours, so that rounding it once more is rounding x once
 * (Boldo, Melquiond 2008). */
static inline float odd_single(REAL x)
{
    union single s = {(float)x};
    if (sizeof(REAL) == sizeof(float)) return s.value;
    const REAL kept = (REAL)s.value;
    const uint32_t outward = (kept < 0 ? -kept : kept) < (x < 0 ? -x : x) ? 1 : UINT32_MAX;
    if (kept != x && !(s.bits & 1)) s.bits += outward;
    return s.value;
}

/* The exponent is moved by a product, which makes subnormal numbers normal. */
static inline REAL from_f16(uint16_t half)
{
    const uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13;
    union single s = {.bits = magnitude};
    s.value *= 0x1p112f;
    s.bits |= magnitude >= 0x0f800000 ? 0x7f800000 : 0; /* infinity and beyond */
    s.bits |= (uint32_t)(half & 0x8000) << 16;
    return (REAL)s.value;
}

/* Subnormal numbers are multiples of 2^-24, as are numbers of which 0.5 is the exponent. */
static inline uint16_t to_f16(REAL x)
{
    const union single s = {odd_single(x)};
    const uint32_t magnitude = s.bits & 0x7fffffff, sign = s.bits >> 16 & 0x8000;
    union single small = {.bits = magnitude};
    small.value += 0.5f;
    const uint32_t normal =
        (magnitude + 0xfff + (magnitude >> 13 & 1) - (UINT32_C(112) << 23)) >> 13;
    uint32_t half = magnitude < 0x38800000 ? small.bits - 0x3f000000 : normal; /* 2^-14 */
    half = magnitude >= 0x477ff000 ? 0x7c00 : half;                            /* 65520 */
    half = magnitude > 0x7f800000 ? 0x7e00 : half;
    return (uint16_t)(sign | half);
}

static inline REAL from_bf16(uint16_t half)
{
    const union single s = {.bits = (uint32_t)half << 16};
    return (REAL)s.value;
}

static inline uint16_t to_bf16(REAL x)
{
    const union single s = {odd_single(x)};
    const uint32_t rounded = (s.bits + 0x7fff + (s.bits >> 16 & 1)) >> 16;
    const bool number = (s.bits & 0x7fffffff) <= 0x7f800000;
    return (uint16_t)(number ? rounded : s.bits >> 16 | 0x40);
}

/* ---- integers ---- */

/* Adding what has no fraction leaves none. */
static inline __attribute__((always_inline)) int32_t whole(REAL x, REAL least, REAL most)
{
    const REAL shift = sizeof(REAL) == sizeof(float) ? (REAL)0x1.8p23 : (REAL)0x1.8p52;
    x = x == x ? x : 0;
    x = x < least ? least : x;
    x = x > most ? most : x;
    const REAL shifted = x + shift;
    return (int32_t)(shifted - shift);
}

static __attribute__((noinline)) void round_run(int32_t *restrict to, const REAL *restrict from,
                                                REAL least, REAL most, int64_t count)
{
    for (int64_t i = 0; i < count; i++) to[i] = whole(from[i], least, most);
}

/* Fewer numbers take longer by vectors. */
#define BYTES_LEAST 8

/* Integers with a sign and without one are the same bits, once they are whole. Bytes are in two
 * loops, for vectors of so many of them are longer than most runs. */
static void store_bytes(uint8_t *restrict to, const REAL *restrict from, REAL least, REAL most,
                        int64_t count)
{
    int32_t run[CHUNK];
    for (int64_t i = 0; count < BYTES_LEAST && i < count; i++) {
        ONE_BY_ONE();
        to[i] = (uint8_t)whole(from[i], least, most);
    }
    for (int64_t i = 0; count >= BYTES_LEAST && i < count; i += CHUNK) {
        const int64_t some = shorter(CHUNK, count - i);
        round_run(run, from + i, least, most, some);
        for (int64_t j = 0; j < some; j++) to[i + j] = (uint8_t)run[j];
    }
}

static void store_shorts(uint16_t *restrict to, const REAL *restrict from, REAL least, REAL most,
                         int64_t count)
{
    for (int64_t i = 0; i < count; i++) to[i] = (uint16_t)whole(from[i], least, most);
}

#define STORE_INTEGER(name, function, least, most)                                                 \
    static void store_##name(void *restrict to, const void *restrict from, int64_t count)          \
    {                                                                                              \
        function(to, from, least, most, count);                                                    \
    }
STORE_INTEGER(u8, store_bytes, 0, UINT8_MAX)
STORE_INTEGER(i8, store_bytes, INT8_MIN, INT8_MAX)
STORE_INTEGER(u16, store_shorts, 0, UINT16_MAX)
STORE_INTEGER(i16, store_shorts, INT16_MIN, INT16_MAX)

/* ---- runs ---- */

#define CAST_TO_REAL(x)  ((REAL)(x))
#define CAST_TO_OTHER(x) ((OTHER)(x))

#define CONVERT(function, to_type, from_type, conversion)                                          \
    static void function(void *restrict to, const void *restrict from, int64_t count)              \
    {                                                                                              \
        for (int64_t i = 0; i < count; i++)                                                        \
            ((to_type *)to)[i] = conversion(((const from_type *)from)[i]);                         \
    }
#ifdef HALVES_BY_F16C
/* The instruction set's own conversions, of eight numbers, and of fewer at the end. */
static void load_f16(void *restrict to, const void *restrict from, int64_t count)
{
    const uint16_t *stored = from;
    float *computed = to;
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m128i halves = _mm_loadu_si128((const __m128i *)(const void *)(stored + i));
        _mm256_storeu_ps(computed + i, _mm256_cvtph_ps(halves));
    }
    for (; i < count; i++)
        computed[i] = from_f16(stored[i]);
}

static void store_f16(void *restrict to, const void *restrict from, int64_t count)
{
    const float *computed = from;
    uint16_t *stored = to;
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256 numbers = _mm256_loadu_ps(computed + i);
        _mm_storeu_si128((__m128i *)(void *)(stored + i), _mm256_cvtps_ph(numbers, 0));
    }
    for (; i < count; i++)
        stored[i] = to_f16(computed[i]);
}
#else
CONVERT(load_f16, REAL, uint16_t, from_f16)
CONVERT(store_f16, uint16_t, REAL, to_f16)
#endif

#define STORAGE(name, type, load, store)                                                           \
    CONVERT(load_##name, REAL, type, load)                                                         \
    CONVERT(store_##name, type, REAL, store)

STORAGE(bf16, uint16_t, from_bf16, to_bf16)
STORAGE(other, OTHER, CAST_TO_REAL, CAST_TO_OTHER)
CONVERT(load_u8, REAL, uint8_t, CAST_TO_REAL)
CONVERT(load_i8, REAL, int8_t, CAST_TO_REAL)
CONVERT(load_u16, REAL, uint16_t, CAST_TO_REAL)
CONVERT(load_i16, REAL, int16_t, CAST_TO_REAL)

#define LOADS                                                                                      \
    {                                                                                              \
        [WEFT_STORED_F16] = load_f16, [WEFT_STORED_BF16] = load_bf16,                              \
        [OTHER_STORAGE] = load_other, [WEFT_STORED_U8] = load_u8, [WEFT_STORED_I8] = load_i8,      \
        [WEFT_STORED_U16] = load_u16, [WEFT_STORED_I16] = load_i16                                 \
    }
#define STORES                                                                                     \
    {                                                                                              \
        [WEFT_STORED_F16] = store_f16, [WEFT_STORED_BF16] = store_bf16,                            \
        [OTHER_STORAGE] = store_other, [WEFT_STORED_U8] = store_u8, [WEFT_STORED_I8] = store_i8,   \
        [WEFT_STORED_U16] = store_u16, [WEFT_STORED_I16] = store_i16                               \
    }
