#include "cosines.h"

#include <math.h>

#include "extended.h"

/* By kind: whether coordinates of x, and of the result, are odd halves. */
static bool is_half_in(enum reference_kind kind)
{
    return kind == REFERENCE_DCT2 || kind == REFERENCE_DCT4 || kind == REFERENCE_DST2 ||
           kind == REFERENCE_DST4;
}

static bool is_half_out(enum reference_kind kind)
{
    return kind == REFERENCE_DCT3 || kind == REFERENCE_DCT4 || kind == REFERENCE_DST3 ||
           kind == REFERENCE_DST4;
}

static struct cosine_terms hartley(int64_t n)
{
    return (struct cosine_terms){.n = n, .period = n, .in_step = 1, .out_step = 1,
                                 .part = COSINE_RE_MINUS_IM, .factor = 1, .round_trip = n};
}

struct cosine_terms cosine_terms_of(enum reference_kind kind, int64_t n)
{
    if (kind == REFERENCE_DHT) return hartley(n);
    const bool sine = kind >= REFERENCE_DST1, half_in = is_half_in(kind);
    const bool half_out = is_half_out(kind);
    struct cosine_terms terms = {.n = n, .factor = 2};
    terms.in_step = half_in ? 2 : 1;
    terms.out_step = half_out ? 2 : 1;
    terms.in_first = half_in || sine;
    terms.out_first = half_out || sine;
    terms.part = sine ? COSINE_MINUS_IM : COSINE_RE;
    terms.round_trip = 2 * n;
    if (kind == REFERENCE_DCT1) terms.round_trip = 2 * (n - 1);
    if (kind == REFERENCE_DST1) terms.round_trip = 2 * (n + 1);
    terms.period = terms.round_trip * terms.in_step * terms.out_step;
    terms.in_once[0] = kind == REFERENCE_DCT1 || kind == REFERENCE_DCT3;
    terms.in_once[1] = kind == REFERENCE_DCT1 || kind == REFERENCE_DST3;
    terms.out_once[0] = kind == REFERENCE_DCT1 || kind == REFERENCE_DCT2;
    terms.out_once[1] = kind == REFERENCE_DCT1 || kind == REFERENCE_DST2;
    return terms;
}

static struct reference_extended exact(double x)
{
    return (struct reference_extended){x, 0};
}

/* 1 / sqrt(x), by one step of Newton's iteration in extended precision. */
static struct reference_extended inverse_root(double x)
{
    const double near = 1 / sqrt(x);
    const struct reference_extended square = extended_multiply(exact(near), exact(near));
    const struct reference_extended rest =
        extended_subtract(exact(1), extended_multiply(exact(x), square));
    return extended_ordered_sum(near, near * rest.hi / 2);
}

static bool is_once(const struct cosine_terms *terms, const bool once[2], int64_t index)
{
    return (once[0] && index == 0) || (once[1] && index == terms->n - 1);
}

struct reference_extended cosine_in_weight(const struct cosine_terms *terms, int64_t j,
                                           bool orthonormal)
{
    if (!is_once(terms, terms->in_once, j)) return exact(terms->factor);
    if (!orthonormal) return exact(1);
    return extended_multiply(exact(2), inverse_root(2));
}

struct reference_extended cosine_out_weight(const struct cosine_terms *terms, int64_t k,
                                            bool orthonormal)
{
    if (!orthonormal) return exact(1);
    const bool once = is_once(terms, terms->out_once, k);
    return inverse_root((double)terms->round_trip * (once ? 2 : 1));
}
