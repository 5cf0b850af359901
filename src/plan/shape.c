/* What a kind of cosine, sine or Hartley transform of an axis comes to (Makhoul 1980 for types II
 * and III; Britanak, Yip, Rao 2007, 4.4 for IV). */
#include "plan/shape.h"

#include <math.h>

static bool is_sine(weft_kind kind)
{
    return kind >= WEFT_DST1 && kind <= WEFT_DST4;
}

/* Reals of a kind that is reflected with these signs, as they are. */
static struct reals reflected(int64_t n, int64_t first, int64_t mirror, int left, int right)
{
    return (struct reals){.n = n, .first = first, .mirror = mirror, .left = left, .right = right,
                          .im_sign = 1, .factor = 1, .order = 1, .on_mirror = 1};
}

static void set_parts(struct reals *reals, int parts, struct reals_part one, struct reals_part two)
{
    reals->parts = parts;
    reals->part[0] = one;
    reals->part[1] = two;
}

static void set_turn(struct reals *reals, int64_t order, int64_t turn, int64_t turn_step)
{
    reals->order = order;
    reals->turn = turn;
    reals->turn_step = turn_step;
}

/* The line from end to end, every other real from the first on and then the rest back to it. */
static struct reals there_and_back(weft_kind kind, int64_t n)
{
    const int sign = is_sine(kind) ? -1 : 1;
    struct reals reals = reflected(n, 1, 2 * n, sign, sign);
    if (n % 2) set_parts(&reals, 1, (struct reals_part){1, 4}, (struct reals_part){0, 0});
    else set_parts(&reals, 2, (struct reals_part){1, 8}, (struct reals_part){5, 8});
    return reals;
}

/* Real k, and with it n - k, turned by k quarters of a step of the spectrum. */
static struct reals quarter_turned(weft_kind kind, int64_t n, int parts)
{
    const bool sine = is_sine(kind);
    const struct reals_part up = {0, 2}, down = {2 * n, -2};
    struct reals reals = reflected(n, sine ? 2 : 0, 2 * n, 1, 1);
    set_parts(&reals, parts, sine ? down : up, sine ? up : down);
    set_turn(&reals, 4 * n, 0, 1);
    return reals;
}

static struct shape second_type(weft_kind kind, int64_t n)
{
    struct shape s = {n % 2 ? n : n / 2, there_and_back(kind, n),
                      quarter_turned(kind, n, n % 2 ? 1 : 2),
                      n % 2 ? PASS_NO_HALF : PASS_HALF_UNFOLD, n};
    s.out.factor = 2;
    s.out.im_sign = -1;
    return s;
}

static struct shape third_type(weft_kind kind, int64_t n)
{
    return (struct shape){n % 2 ? n : n / 2, quarter_turned(kind, n, 2), there_and_back(kind, n),
                          n % 2 ? PASS_NO_HALF : PASS_HALF_FOLD, n};
}

static struct shape even_fourth_type(weft_kind kind, int64_t n)
{
    const int left = is_sine(kind) ? -1 : 1;
    const struct reals_part up = {1, 4}, down = {2 * n - 1, -4};
    struct shape s = {.length = n / 2, .in = reflected(n, 1, 2 * n, left, -left)};
    s.out = s.in;
    set_parts(&s.in, 2, left > 0 ? up : down, left > 0 ? down : up);
    set_parts(&s.out, 2, up, down);
    set_turn(&s.in, 8 * n, 0, 4);
    set_turn(&s.out, 8 * n, 1, 4);
    s.out.factor = 2;
    s.out.im_sign = -left;
    return s;
}

/* Real number q of the spectrum is where 2 k + 1 is q modulo n, by a step of 1 modulo n that is a
 * multiple of 4, so that q and n - q lead to two reals. */
static struct shape odd_fourth_type(weft_kind kind, int64_t n)
{
    const int left = is_sine(kind) ? -1 : 1, eighths = n % 4 == 3 ? 1 : 3;
    const struct reals_part none = {0, 0};
    struct shape s = {.length = n, .in = reflected(n, 1, 2 * n, left, -left)};
    s.out = s.in;
    set_parts(&s.in, 1, (struct reals_part){n, 8}, none);
    set_parts(&s.out, 1, (struct reals_part){n, 1}, none);
    s.out.eighths = eighths;
    set_turn(&s.out, 8, (n + (left > 0 ? 0 : 6)) % 8, (1 + eighths * (n % 8)) % 8);
    s.out.factor = 2;
    return s;
}

static struct shape first_type(weft_kind kind, int64_t n)
{
    const bool sine = is_sine(kind);
    const int sign = sine ? -1 : 1;
    struct shape s = {.length = sine ? n + 1 : n - 1, .half = PASS_HALF_UNFOLD};
    s.half_n = 2 * s.length;
    s.in = s.out = reflected(n, sine ? 2 : 0, s.half_n, sign, sign);
    set_parts(&s.in, 2, (struct reals_part){0, 4}, (struct reals_part){2, 4});
    set_parts(&s.out, 1, (struct reals_part){0, 2}, (struct reals_part){0, 0});
    if (sine) set_turn(&s.out, 4, 3, 0);
    return s;
}

static struct shape hartley(int64_t n)
{
    struct shape s = {.length = n % 2 ? n : n / 2, .half = n % 2 ? PASS_NO_HALF : PASS_HALF_UNFOLD,
                      .half_n = n};
    s.in = s.out = reflected(n, 0, 2 * n, 1, 1);
    const struct reals_part each = {0, 2}, back = {2 * n, -2};
    if (n % 2) set_parts(&s.in, 1, each, back);
    else set_parts(&s.in, 2, (struct reals_part){0, 4}, (struct reals_part){2, 4});
    set_parts(&s.out, n % 2 ? 1 : 2, each, back);
    set_turn(&s.out, 8, 7, 0);
    s.out.factor = sqrt(2);
    return s;
}

struct shape shape_of_kind(weft_kind kind, int64_t n)
{
    switch (kind) {
    case WEFT_DCT1:
    case WEFT_DST1:
        return first_type(kind, n);
    case WEFT_DCT2:
    case WEFT_DST2:
        return second_type(kind, n);
    case WEFT_DCT3:
    case WEFT_DST3:
        return third_type(kind, n);
    case WEFT_DCT4:
    case WEFT_DST4:
        return n % 2 ? odd_fourth_type(kind, n) : even_fourth_type(kind, n);
    default:
        return hartley(n);
    }
}

struct shape shape_of(weft_kind kind, bool orthonormal, int64_t n)
{
    struct shape s = shape_of_kind(kind, n);
    s.in.numbers = s.length + (s.half == PASS_HALF_FOLD);
    s.out.numbers = s.length + (s.half == PASS_HALF_UNFOLD);
    if (!orthonormal || kind == WEFT_DHT) return s;
    s.in.on_mirror = sqrt(2);
    s.out.on_mirror = sqrt(0.5);
    return s;
}
