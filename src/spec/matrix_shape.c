#include "spec/matrix_shape.h"

#include "math/factor.h"

/* Vectors of results up to which reals are multiplied one by one, and products of even lines, which
 * halve more. (Experiment "folded twice" in docs/experiments.) */
#define MOST_SINGLE_VECTORS  4
#define MOST_SINGLE_PRODUCTS 150

/* Products for each real, in vectors of 64 bytes and in shorter ones, which are full sooner, while
 * other ways of odd lines take longer: of a single line of half a spectrum; of reals that stand for
 * more, of which sums and differences are multiplied, or all; and of type I. (Experiment "products
 * of narrow vectors" in docs/experiments.) */
struct most {
    int wide, narrow;
};
static const struct most alone = {6, 18}, folded = {8, 13}, unfolded = {8, 22},
                         first_type = {10, 20};

static int64_t most_a_real(const struct limits *limits, struct most most)
{
    return limits->vector_bytes >= 64 ? most.wide : most.narrow;
}

/* As products are summed up, of several vectors at a time. */
#define LEAST_FOLDED_VECTORS 3

static int vectors_of(int64_t results, int lanes)
{
    return (int)((results + lanes - 1) / lanes);
}

/* Of a mirrored line those up to the middle. */
static int up_to_middle(int64_t count, bool first)
{
    return (int)(first ? count / 2 + 1 : (count + 1) / 2);
}

/* Results whose products are summed up: a half, or a quarter, of those that mirror each other. */
static int opened_of(const struct matrix_shape *shape, const struct matrix_folds *folds)
{
    const int results = (int)shape->results;
    if (!folds->mirrors.out) return 0;
    return folds->halved ? results / 4 + 1 : up_to_middle(results, folds->first_out);
}

static int folded_vectors(const struct matrix_shape *shape, const struct matrix_folds *folds)
{
    const int numbers = (int)shape->count / 4 + 1;
    int vectors = folds->halved ? vectors_of(2 * numbers, shape->lanes) : shape->vectors;
    if (folds->opened) vectors = 2 * vectors_of(folds->opened, shape->lanes);
    return vectors > LEAST_FOLDED_VECTORS ? vectors : LEAST_FOLDED_VECTORS;
}

static struct matrix_folds folds_of(const struct matrix_shape *shape, struct matrix_mirrors mirrors,
                                    bool halved)
{
    const int count = (int)shape->count, results = (int)shape->results;
    struct matrix_folds folds = {.mirrors = mirrors,
                                 .first_in = mirrors.in == count,
                                 .first_out = mirrors.out == results,
                                 .as_they_are = mirrors.out > 0 && mirrors.in == 0,
                                 .halved = halved};
    folds.pairs = count;
    if (mirrors.in) folds.pairs = up_to_middle(count, folds.first_in);
    if (folds.as_they_are) folds.pairs = up_to_middle(count, folds.first_out);
    folds.opened = opened_of(shape, &folds);
    folds.apart = halved || mirrors.out > 0 || (mirrors.in > 0 && results % 2 != 0);
    folds.vectors = folded_vectors(shape, &folds);
    return folds;
}

static struct matrix_shape shape_of(int64_t count, int64_t results, int most_lanes)
{
    struct matrix_shape shape = {.count = count, .results = results, .lanes = 1};
    while (2 * shape.lanes <= most_lanes && 2 * shape.lanes <= results)
        shape.lanes *= 2;
    shape.vectors = vectors_of(results, shape.lanes);
    return shape;
}

static struct matrix_shape folded_shape(int64_t count, int64_t results,
                                        struct matrix_mirrors mirrors, int most_lanes)
{
    struct matrix_shape shape = shape_of(count, results, most_lanes);
    if (shape.vectors > MOST_SINGLE_VECTORS) shape.folds = folds_of(&shape, mirrors, false);
    return shape;
}

struct matrix_shape matrix_shape_of_half(int64_t n, bool forward, int most_lanes)
{
    const struct matrix_mirrors mirrors = {.in = forward ? (int)n : 0, .out = forward ? 0 : (int)n};
    const int64_t results = forward ? n / 2 * 2 + 2 : n;
    if (n % 2) return folded_shape(n, results, mirrors, most_lanes);
    struct matrix_shape shape = shape_of(n, results, most_lanes);
    if (shape.vectors > MOST_SINGLE_VECTORS || shape.count * shape.vectors > MOST_SINGLE_PRODUCTS)
        shape.folds = folds_of(&shape, mirrors, true);
    return shape;
}

/* Both ends of type I are mirrored, and either of Hartley's, whose reals have the mirror of others
 * but not their place. */
static struct matrix_mirrors mirrors_of(const struct reals reals[2])
{
    const int n = (int)reals[0].n;
    const bool even_in = reals[0].first % 2 == 0, even_out = reals[1].first % 2 == 0;
    if (even_in && even_out && reals[0].mirror == 2 * reals[0].n)
        return (struct matrix_mirrors){n, n};
    if (even_out) return (struct matrix_mirrors){.in = n - 1};
    return (struct matrix_mirrors){.out = even_in ? n - 1 : 0};
}

struct matrix_shape matrix_shape_of_reals(const struct reals reals[2], int most_lanes)
{
    return folded_shape(reals[0].n, reals[0].n, mirrors_of(reals), most_lanes);
}

int64_t matrix_most_products(const struct limits *limits, int64_t n, bool one)
{
    if (is_prime(n)) return MATRIX_MOST_OF_PRIMES;
    return n * (one ? most_a_real(limits, alone) : MATRIX_MOST_A_REAL);
}

int64_t matrix_most_reflected(const struct limits *limits, const struct reals reals[2])
{
    const int64_t n = reals[0].n, length = reals[0].mirror / 2;
    const struct matrix_mirrors mirrors = mirrors_of(reals);
    if (is_prime(length)) return MATRIX_MOST_OF_PRIMES;
    if (length != n) return n * most_a_real(limits, first_type);
    return n * most_a_real(limits, mirrors.in || mirrors.out ? folded : unfolded);
}

bool matrix_shape_serves(const struct limits *limits, int64_t n, int lanes)
{
    const struct matrix_shape shape =
        folded_shape(n, n, (struct matrix_mirrors){.in = (int)n}, lanes);
    const int64_t most = is_prime(n) ? MATRIX_MOST_OF_PRIMES : n * most_a_real(limits, folded);
    return matrix_shape_suits(&shape, limits, most);
}

int64_t matrix_shape_products(const struct matrix_shape *shape)
{
    return shape->folds.pairs ? (int64_t)shape->folds.pairs * shape->folds.vectors
                              : shape->count * shape->vectors;
}

bool matrix_shape_suits(const struct matrix_shape *shape, const struct limits *limits,
                        int64_t most_products)
{
    const int64_t products = matrix_shape_products(shape);
    const bool far = products * limits->vector_bytes > limits->cache_bytes[0];
    return shape->lanes > 1 && shape->count <= MATRIX_MOST_REALS &&
           products + (far ? products / 2 : 0) <= most_products;
}
