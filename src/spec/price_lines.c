#include "spec/price_lines.h"

#include <math.h>

#include "math/factor.h"
#include "spec/lone_lines.h"
#include "spec/lone_sums.h"
#include "spec/matrix_shape.h"
#include "spec/price_table.h"
#include "spec/problem.h"

/* Longer primes are sums of products; shorter butterflies have codelets of any kind. */
#define LONGEST_BUTTERFLY 13

/* Lines of which a product's lanes are, at most. */
#define PRODUCT_LANES 8

/* ---- what lines are ---- */

static int real_bytes(const struct price_lines *lines)
{
    return precision_bytes(lines->precision);
}

static bool are_reals(const struct price_lines *lines)
{
    return lines->kind != PRICE_PAIRS;
}

static bool are_odd(const struct price_lines *lines)
{
    return are_reals(lines) && lines->n % 2 != 0;
}

/* Numbers of a complex line, */
static int64_t numbers_of(const struct price_lines *lines)
{
    return are_reals(lines) && !are_odd(lines) ? lines->n / 2 : lines->n;
}

/* ... and how many there are. */
static int64_t columns_of(const struct price_lines *lines)
{
    return are_odd(lines) ? lines->lines / 2 : lines->lines;
}

/* Elements of a line at an end, and the bytes of one. */
static double elements_at(const struct price_lines *lines, bool out)
{
    const enum price_kind half = out ? PRICE_REALS_TO_HALVES : PRICE_HALVES_TO_REALS;
    return (double)(lines->kind == half ? lines->n / 2 + 1 : lines->n);
}

static int bytes_at(const struct price_lines *lines, bool out)
{
    const enum price_kind real = out ? PRICE_HALVES_TO_REALS : PRICE_REALS_TO_HALVES;
    return (lines->kind == real ? 1 : 2) * real_bytes(lines);
}

static int lanes_of(const struct price_lines *lines)
{
    return limits_lanes(lines->limits, lines->precision);
}

static double doublings(int64_t n)
{
    return log2((double)n + 1);
}

/* Of what is a line's own, by its precision. */
static double share(const struct price_lines *lines)
{
    return real_bytes(lines) == 8 ? 1 : 0.75;
}

/* ---- columns ---- */

/* Of the prices, which are of vectors that units take in two halves. */
static double whole_vector(const struct price_lines *lines)
{
    return fmax(1, (double)lines->limits->vector_bytes / lines->limits->unit_bytes) / 2;
}

/* Vectors of a row; narrower ones where there are fewer columns. Half a vector that is left over
 * is a tile of its own, what is less or more is beside another's (device/cpu/tiles.c). */
static double vectors_of(const struct price_lines *lines, int64_t columns)
{
    const int64_t lanes = lanes_of(lines), left = columns % lanes;
    int64_t width = lanes;
    while (width > columns && width > 1)
        width /= 2;
    if (width < lanes) {
        const double slow = columns > 1 && width * real_bytes(lines) <= 16 ? price.narrow : 1;
        return slow * (double)((columns + width - 1) / width);
    }
    const double rest = left == 0 ? 0 : 2 * left == lanes ? 1 : 0.3;
    return whole_vector(lines) * ((double)(columns / lanes) + rest);
}

/* Likewise of a prime's butterfly, which half a vector's columns fill. */
static double prime_vectors_of(const struct price_lines *lines, int64_t columns)
{
    const int64_t lanes = lanes_of(lines);
    const bool fills = limits_take_halves(lines->limits) && 2 * columns >= lanes;
    if (!fills) return vectors_of(lines, columns);
    return whole_vector(lines) * (double)((columns + lanes - 1) / lanes);
}

/* Bytes of a column in both of a tile's buffers. */
static int64_t column_bytes(const struct price_lines *lines)
{
    return 4 * numbers_of(lines) * real_bytes(lines);
}

/* A line of the cache, or as many columns as the first level has room for. */
static int64_t tile_columns(const struct price_lines *lines)
{
    int64_t tile = lines->limits->coalescing_bytes / real_bytes(lines);
    while (2 * tile * column_bytes(lines) <= lines->limits->cache_bytes[0] / 4 * 3)
        tile *= 2;
    return tile;
}

static double tiles_of(const struct price_lines *lines, int64_t columns)
{
    const int64_t lanes = lanes_of(lines);
    const bool half = columns > lanes && 2 * (columns % lanes) == lanes;
    return fmax(1, (double)columns / (double)tile_columns(lines)) + (half ? 1 : 0);
}

static bool are_far(const struct price_lines *lines, int64_t columns)
{
    const int64_t most = tile_columns(lines), tile = columns < most ? columns : most;
    return tile * column_bytes(lines) > lines->limits->cache_bytes[0];
}

static bool are_sums(int64_t n)
{
    return n > LONGEST_BUTTERFLY && is_prime(n);
}

/* Of pairs, as two lines' sums. */
static bool are_two_sums(const struct price_lines *lines)
{
    return lines->kind == PRICE_PAIRS && lines->n % 2 == 0 &&
           lone_sums(lines->n, lines->limits, lines->precision);
}

/* Primes without a butterfly: several lines, and planes, are convolved, and those that follow one
 * another are sums; likewise twice a prime. */
static bool are_convolved(const struct price_lines *lines)
{
    const int64_t n = numbers_of(lines);
    if (are_two_sums(lines)) return true;
    return are_sums(n) && (n > LIMITS_MAX_RADIX || !lines->limits->last[n]);
}

/* Those of reals are sums of lines by themselves, between sweeps. */
static bool are_swept(const struct price_lines *lines)
{
    return are_reals(lines) && are_convolved(lines);
}

/* By Rader, or, where that has no steps, by a convolution of twice the length. */
static double longer(int64_t n)
{
    return n % 2 == 0 || largest_prime_factor(n - 1) > LONGEST_BUTTERFLY ? price.chirped : 1;
}

/* ---- a line by itself ---- */

static double line_by_steps(const struct price_lines *lines)
{
    const int64_t n = numbers_of(lines);
    const double size = (double)n * doublings(n) * share(lines);
    if (lines->two_steps) return price.two_steps + price.codelet_number * size;
    if (are_convolved(lines) && lone_sums(n, lines->limits, lines->precision))
        return lone_sums_seconds(n, lines->limits, lines->precision);
    if (are_sums(n)) return price.sum * (double)(n * n) * real_bytes(lines) / 8;
    const int64_t prime = largest_prime_factor(n);
    const double late = prime > LONGEST_BUTTERFLY ? price.late_sum * share(lines) : 0;
    return price.steps + price.steps_number * size + late * (double)(n * prime);
}

static bool has_codelet(const struct price_lines *lines)
{
    const int64_t n = numbers_of(lines);
    if (n <= LONGEST_BUTTERFLY) return true;
    return n <= LIMITS_MAX_LINE && lines->limits->line[n] >> lines->precision & 1;
}

/* Even lines of so few reals are products. (Experiment "few reals" in docs/experiments.) */
#define FEW_REALS 8

static double codelet_seconds(const struct price_lines *lines)
{
    const int64_t n = numbers_of(lines), lanes = lanes_of(lines);
    const double vectors = (double)((lines->n + lanes - 1) / lanes);
    const double size = (double)n * doublings(n);
    const double codelet = price.codelet + price.codelet_number * size * share(lines);
    if (!are_reals(lines) || lines->n > FEW_REALS) return codelet;
    return fmin(codelet, whole_vector(lines) * vectors * price.short_real * (double)lines->n);
}

/* A vector's lines and more go abreast (spec/abreast.h). */
static double line_seconds(const struct price_lines *lines)
{
    const int64_t n = numbers_of(lines);
    const double size = (double)n * doublings(n);
    if (has_codelet(lines)) return codelet_seconds(lines);
    if (are_sums(n) || lines->lines < lanes_of(lines)) return line_by_steps(lines);
    return vectors_of(lines, lines->lines) / (double)lines->lines * price.step * size +
           price.transposed * (double)n * real_bytes(lines) / 8;
}

/* ---- all columns ---- */

static double columns_computing(const struct price_lines *lines, double vectors)
{
    const int64_t n = numbers_of(lines);
    if (are_swept(lines))
        return (double)columns_of(lines) * lone_sums_seconds(n, lines->limits, lines->precision);
    if (are_sums(n) && !are_convolved(lines))
        return (double)(n * n) * prime_vectors_of(lines, columns_of(lines)) * price.product;
    const double steps = (double)n * vectors * price.step * doublings(n);
    return are_convolved(lines) ? price.convolved * longer(n) * steps : steps;
}

/* Whether the end is of halves of odd lines whose numbers, or two of them, follow one another. */
static bool halves_follow(const struct price_lines *lines, bool out)
{
    const bool halves = are_odd(lines) && (lines->kind == PRICE_REALS_TO_HALVES) == out;
    return halves && !lines->scattered[out] && !lines->planes[out];
}

/* Of reals: what is gathered or scattered by rows, or, of few lines, number by number. */
static double columns_mirroring(const struct price_lines *lines, double vectors)
{
    const int64_t columns = columns_of(lines);
    const bool back = lines->kind == PRICE_HALVES_TO_REALS;
    const double rows = (double)numbers_of(lines);
    if (!are_reals(lines)) return 0;
    if (are_swept(lines))
        return price.call[back] + rows * (double)lines->lines * price.swept * real_bytes(lines) / 8;
    if (columns * real_bytes(lines) < 16)
        return price.call[back] + rows * (double)columns * price.lone_element;
    if (halves_follow(lines, !back))
        return price.call[0] + rows * (tiles_of(lines, columns) * price.two_row +
                                       vectors * price.two_vector);
    return price.call[back] + rows * (tiles_of(lines, columns) * price.row[back] +
                                      vectors * price.row_vector);
}

/* Whether lines of two reals, which are a number, follow one another. */
static bool are_numbers(const struct price_lines *lines, bool out)
{
    const bool reals = (lines->kind == PRICE_HALVES_TO_REALS) == out;
    return are_reals(lines) && reals && lines->n == 2 && !lines->apart[out];
}

/* Ends of columns; a number of two lines is two elements. */
static double columns_moving(const struct price_lines *lines)
{
    const double row = (double)numbers_of(lines) * price.element * real_bytes(lines) / 16;
    double seconds = 0;
    for (int out = 0; out < 2; out++) {
        const double single = (are_odd(lines) ? 0.5 : 1) * price.single;
        const bool beside = lines->apart[out] && !lines->scattered[out];
        const bool rows = beside || are_numbers(lines, out) || halves_follow(lines, out);
        seconds += rows ? row : single * (elements_at(lines, out) - 1);
    }
    return (double)lines->lines * seconds;
}

/* Of the sums of a prime's butterfly that is one line's, no vector of lines'. */
static double sums_seconds(const struct price_lines *lines)
{
    const double products = (double)lines->n * (double)lines->n;
    return are_sums(lines->n) && !are_swept(lines) ? price.planes_sum * products : 0;
}

/* Of reals that are not made pairs of two lines; primes without a butterfly are convolved, there
 * and back, of twice the length at most. */
static double lone_seconds(const struct price_lines *lines)
{
    const double size = 2 * (double)lines->n * doublings(2 * lines->n) * share(lines);
    const double convolving = 2 * (price.steps + price.steps_number * size);
    return price.lone_call + (double)lines->n * price.lone_element + sums_seconds(lines) +
           (are_swept(lines) ? convolving : 0);
}

/* A line, there and back; and the products between. */
static double convolved_seconds(const struct price_lines *lines)
{
    const double n = (double)numbers_of(lines);
    const double steps = price.steps_number * n * doublings(numbers_of(lines)) * share(lines);
    return longer(numbers_of(lines)) * (2 * (price.steps + steps) + n * price.element);
}

/* Too few for lanes: one by one, each number by itself, in planar steps if those of pairs want
 * lines as they are computed with. */
static double singles_seconds(const struct price_lines *lines)
{
    const double ends = (double)lines->apart[0] + (double)lines->apart[1];
    const double gathered = price.gathered_call + ends * (double)lines->n * price.single;
    struct price_lines planar = *lines;
    planar.two_steps = false;
    if (lines->any_ends) return (double)lines->lines * line_by_steps(lines);
    const double line =
        are_convolved(lines) ? convolved_seconds(lines) : line_by_steps(&planar);
    return (double)lines->lines * (line + gathered);
}

/* Lines that follow one another, of planes at an end, for which there are steps alone. */
static bool are_near_planes(const struct price_lines *lines)
{
    return (lines->planes[0] || lines->planes[1]) && !lines->apart[0] && !lines->apart[1];
}

/* Butterflies of more legs overflow the registers. */
#define PLANES_SHORT 10

/* Of lines that are no butterflies; longer ones have three steps, and lanes enough. Of two, each
 * one's lanes are the other's legs, which are no more than that. */
#define TWO_STEPS_VECTORS 4
#define TWO_STEPS_LONGEST 256
#define TWO_STEPS_RADIX   25

/* Lanes of half a vector, which there are steps for, beside so many. */
static int64_t lanes_beside(const struct price_lines *lines, int64_t count)
{
    const int64_t lanes = lanes_of(lines) / 2;
    return (lanes - count % lanes) % lanes;
}

/* Whether all of the lanes but so small a part, by the precision, are numbers in some two steps. */
static bool fill_lanes(const struct price_lines *lines)
{
    static const int part[] = {[WEFT_F32] = 20, [WEFT_F64] = 10};
    const int64_t n = numbers_of(lines);
    bool two = false, filled = false;
    if (n > TWO_STEPS_LONGEST || n <= TWO_STEPS_VECTORS * lanes_of(lines)) return true;
    for (int64_t a = 2; a <= TWO_STEPS_RADIX && !filled; a++) {
        if (n % a != 0 || n / a > TWO_STEPS_RADIX) continue;
        const int64_t idle = lanes_beside(lines, a) + lanes_beside(lines, n / a);
        two = true;
        filled = part[lines->precision] * idle <= a + n / a;
    }
    return filled || !two;
}

/* A number and doubling of a line's length. */
static double planes_number(const struct price_lines *lines)
{
    const bool doubles = real_bytes(lines) == 8;
    if (!limits_halve_lines(lines->limits)) return price.planes_number[doubles];
    return price.planes_number[doubles] * price.planes_narrow[doubles] *
           (fill_lanes(lines) ? 1 : price.planes_loose);
}

static double near_planes_line(const struct price_lines *lines)
{
    const int64_t n = numbers_of(lines);
    const bool doubles = real_bytes(lines) == 8;
    if (are_convolved(lines)) return convolved_seconds(lines);
    if (n <= PLANES_SHORT) return price.planes_short[0] + price.planes_short[1] * (double)(n * n);
    return price.planes[doubles] + planes_number(lines) * (double)n * doublings(n);
}

static double near_planes_seconds(const struct price_lines *lines)
{
    const bool odd = are_odd(lines);
    if (!are_reals(lines)) return (double)lines->lines * near_planes_line(lines);
    const double reals = price.planes_lone[odd] + price.planes_real[odd] * (double)lines->n;
    return (double)lines->lines * (reals + (odd ? sums_seconds(lines) : line_seconds(lines)));
}

static double columns_seconds(const struct price_lines *lines)
{
    if (lines->lone) return (double)lines->lines * lone_seconds(lines);
    if (are_near_planes(lines)) return near_planes_seconds(lines);
    const int64_t columns = columns_of(lines);
    const bool few = lone_lines(lines->limits, lines->precision, columns, false);
    if (lines->kind == PRICE_PAIRS && few) return singles_seconds(lines);
    const double vectors = vectors_of(lines, columns);
    const bool over = are_odd(lines) && lines->lines % 2 != 0;
    const double ends = columns_mirroring(lines, vectors) + columns_moving(lines);
    return columns_computing(lines, vectors) + (are_far(lines, columns) ? price.far : 1) * ends +
           (over ? lone_seconds(lines) : 0);
}

/* ---- laid ---- */

static double products_of_line(const struct price_lines *lines)
{
    const bool forward = lines->kind == PRICE_REALS_TO_HALVES;
    const struct matrix_shape shape =
        matrix_shape_of_half(lines->n, forward, lanes_of(lines));
    const double products = (double)matrix_shape_products(&shape);
    const double near = 0.75 * (double)lines->limits->cache_bytes[0] / lines->limits->vector_bytes;
    if (shape.folds.pairs == 0) return whole_vector(lines) * price.vector_product * products;
    return price.folded + whole_vector(lines) * (price.folded_product * products +
                                                 price.far_product * fmax(0, products - near));
}

static double laid_seconds(const struct price_lines *lines)
{
    const bool odd = are_odd(lines);
    double moved = 0;
    for (int out = 0; out < 2; out++) {
        const bool anywhere = odd && !out && lines->kind == PRICE_REALS_TO_HALVES;
        const bool near = lines->planes[out] && !lines->apart[out];
        const double bytes = elements_at(lines, out) * bytes_at(lines, out);
        if (near) moved += bytes / 8 * price.joined;
        else if (lines->apart[out] && !anywhere) moved += bytes / 8 * price.moved;
    }
    const double line = odd ? products_of_line(lines) : line_seconds(lines);
    const double call = are_near_planes(lines) ? price.joined_call : price.laid_call;
    return (moved > 0 ? call : 0) +
           (double)lines->lines * (moved + line);
}

/* ---- lanes of products ---- */

static bool can_be_products(const struct price_lines *lines)
{
    return are_reals(lines) && lines->beside && lines->n > 1 && lines->n <= PRICE_MOST_PRODUCTS &&
           lines->lines > 1;
}

static double products_seconds(const struct price_lines *lines)
{
    const int64_t lanes = lanes_of(lines) < PRODUCT_LANES ? lanes_of(lines) : PRODUCT_LANES;
    const int64_t groups = (lines->lines + lanes - 1) / lanes, n = lines->n;
    const double group = (double)n * price.lanes_real + (double)(n * n) * price.lanes_product;
    /* Sums and differences of two reals are columns' either way. */
    const bool back = lines->kind == PRICE_HALVES_TO_REALS || n == 2;
    const double times = limits_halve_lines(lines->limits) ? price.lanes_narrow[n % 2][back] : 1;
    return price.lanes_call + (double)groups * times * group;
}

enum price_way price_way(const struct price_lines *lines)
{
    const double columns = columns_seconds(lines), laid = laid_seconds(lines);
    const double least = laid < columns ? laid : columns;
    if (can_be_products(lines) && products_seconds(lines) < least) return PRICE_PRODUCTS;
    return laid < columns ? PRICE_LAID : PRICE_COLUMNS;
}
