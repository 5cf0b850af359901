#include "spec/kind.h"

const char *const kind_names[KIND_COUNT] = {
    [WEFT_C2C] = "c2c",   [WEFT_R2C] = "r2c",   [WEFT_C2R] = "c2r",   [WEFT_DCT1] = "dct1",
    [WEFT_DCT2] = "dct2", [WEFT_DCT3] = "dct3", [WEFT_DCT4] = "dct4", [WEFT_DST1] = "dst1",
    [WEFT_DST2] = "dst2", [WEFT_DST3] = "dst3", [WEFT_DST4] = "dst4", [WEFT_DHT] = "dht",
};

bool kind_is_trigonometric(weft_kind kind)
{
    return kind >= WEFT_DCT1;
}

bool kind_is_half(weft_kind kind)
{
    return kind == WEFT_R2C || kind == WEFT_C2R;
}

bool kind_is_real(weft_kind kind, bool out)
{
    return kind_is_trigonometric(kind) || kind == (out ? WEFT_C2R : WEFT_R2C);
}

weft_kind kind_inverse(weft_kind kind)
{
    switch (kind) {
    case WEFT_DCT2:
        return WEFT_DCT3;
    case WEFT_DCT3:
        return WEFT_DCT2;
    case WEFT_DST2:
        return WEFT_DST3;
    case WEFT_DST3:
        return WEFT_DST2;
    default:
        return kind;
    }
}

/* Of an axis of length 1: the square of what the sums in weft.h are with one term. */
static double lone_factor_squared(weft_kind kind)
{
    switch (kind) {
    case WEFT_DCT2:
    case WEFT_DST1:
    case WEFT_DST2:
        return 4;
    case WEFT_DCT4:
    case WEFT_DST4:
        return 2;
    default:
        return 1;
    }
}

/* Forward and then inverse multiply by this. */
static double round_trip(weft_kind kind, int64_t n)
{
    if (!kind_is_trigonometric(kind) || kind == WEFT_DHT) return (double)n;
    return 2 * (double)(kind == WEFT_DCT1 ? n - 1 : kind == WEFT_DST1 ? n + 1 : n);
}

struct extended kind_axis_scale(weft_kind kind, int64_t n, bool orthonormal)
{
    const struct extended one = {1, 0};
    if (n == 1) return orthonormal ? one : extended_square_root(lone_factor_squared(kind));
    return orthonormal ? extended_divide(one, extended_square_root(round_trip(kind, n))) : one;
}
