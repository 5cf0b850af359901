/* Vectors of LANES numbers: a part of factors_lines.h, included with LANES for each width. Each
 * goes on from number i as far as whole vectors go, and returns where that is. */
#undef PRODUCT
#define PRODUCT NAME_OF(factors_product_, LANES, PRECISION)

struct PRODUCT {
    VECTOR re, im;
};

ALL_INLINE struct PRODUCT NAME_OF(times_, LANES, PRECISION)(struct PRODUCT x, VECTOR re, VECTOR im)
{
    return (struct PRODUCT){x.re * re - x.im * im, x.re * im + x.im * re};
}

ALL_INLINE int64_t NAME_OF(enter_, LANES, PRECISION)(const struct LINE *line, bool parities,
                                                     int64_t i)
{
    REAL *const re = line->re, *const im = line->im;
    for (; i + LANES <= line->count; i += LANES) {
        ROW_BY_ROW();
        APART(line->pair + 2 * i, own_re, own_im);
        struct PRODUCT x = {own_re, own_im};
        x = NAME_OF(times_, LANES, PRECISION)(x, AT(line->factor_re + i),
                                              line->sign * AT(line->factor_im + i));
        PUT(re + i, x.re);
        PUT(im + i, x.im);
        if (!parities) continue;
        x = NAME_OF(times_, LANES, PRECISION)(x, AT(line->root_re + i),
                                              line->sign * AT(line->root_im + i));
        PUT(re + line->half + i, x.re);
        PUT(im + line->half + i, x.im);
    }
    return i;
}

/* The number i of both parities. */
ALL_INLINE struct PRODUCT NAME_OF(joined_, LANES, PRECISION)(const struct LINE *line, int64_t i)
{
    const REAL *const re = line->re + i, *const im = line->im + i;
    const struct PRODUCT second = {AT(re + line->half), AT(im + line->half)};
    const struct PRODUCT turned = NAME_OF(times_, LANES, PRECISION)(
        second, AT(line->root_re + i), -line->sign * AT(line->root_im + i));
    return (struct PRODUCT){AT(re) + turned.re, AT(im) + turned.im};
}

ALL_INLINE int64_t NAME_OF(leave_, LANES, PRECISION)(const struct LINE *line, bool parities,
                                                     int64_t i)
{
    for (; i + LANES <= line->count; i += LANES) {
        ROW_BY_ROW();
        struct PRODUCT x = {AT(line->re + i), AT(line->im + i)};
        if (parities) x = NAME_OF(joined_, LANES, PRECISION)(line, i);
        x = (struct PRODUCT){line->scale * x.re, line->scale * x.im};
        x = NAME_OF(times_, LANES, PRECISION)(x, AT(line->factor_re + i),
                                              line->sign * AT(line->factor_im + i));
        PUT_PAIRS(line->pair + 2 * i, x.re, x.im);
    }
    return i;
}

ALL_INLINE int64_t NAME_OF(stay_, LANES, PRECISION)(const struct LINE *line, bool mirrored,
                                                    int64_t i)
{
    REAL *const re = line->re, *const im = line->im;
    for (; i + LANES <= line->count; i += LANES) {
        ROW_BY_ROW();
        const int64_t at = mirrored ? line->count - LANES - i : i;
        const VECTOR a = AT(line->factor_re + at), b = AT(line->factor_im + at);
        struct PRODUCT x = {AT(re + i), AT(im + i)};
        x = mirrored ? NAME_OF(times_, LANES, PRECISION)(x, SHUFFLED(a, a, BACK),
                                                         SHUFFLED(b, b, BACK))
                     : NAME_OF(times_, LANES, PRECISION)(x, a, b);
        PUT(re + i, x.re);
        PUT(im + i, x.im);
    }
    return i;
}

#if LANES > 1
/* Pairs times pairs, where they lie. */
ALL_INLINE int64_t NAME_OF(turn_, LANES, PRECISION)(REAL *pair, const REAL *factor, REAL sign,
                                                    int64_t count, int64_t i)
{
    const VECTOR zero = {0}, signs = SHUFFLED(zero - sign, zero + sign, BY_TURNS);
    for (; i + LANES / 2 <= count; i += LANES / 2) {
        const VECTOR x = AT(pair + 2 * i), y = AT(factor + 2 * i);
        const VECTOR im = SHUFFLED(y, y, OTHER_PARTS) * signs;
        PUT(pair + 2 * i,
            x * SHUFFLED(y, y, REAL_PARTS) + SHUFFLED(x, x, PARTS_SWAPPED) * im);
    }
    return i;
}
#endif
