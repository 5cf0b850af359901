#include "spec/pair_steps.h"

#include <stdbool.h>

#include "spec/problem.h"

/* Both ends of a line, what lies between, and the tables, which are twice as large, stay in the
 * second level. */
#define ARRAYS 5

/* Four were measured of vectors that are half a line of the cache alone: what a second middle one
 * takes more of each number of 8 bytes. (Experiment "four steps of pairs" in docs/experiments.) */
#define OTHER_STEPS  3
#define FOURTH_PRICE 0.1

/* Of a first step lanes are butterflies. */
enum place { FIRST_STEP, MIDDLE_STEP, LAST_STEP };

/* Vectors of 32 bytes, of which there are 16 or 32, and of 64 bytes. */
enum vectors { FEW_NARROW, NARROW, WIDE, VECTORS };

/* Nanoseconds of a Zen 4: of a vector's butterflies, and of turning as many legs as it has pairs;
 * before the first one. (Experiment "steps of wide pairs" in docs/experiments.) */
static const float butterfly_price[VECTORS][LIMITS_MAX_PAIR_STEP + 1] = {
    {[4] = 1.2F, [5] = 2, [6] = 2, [7] = 3.9F, [8] = 3.6F, [9] = 7.2F, [10] = 5.4F, [11] = 10.2F,
     [12] = 6.4F, [13] = 15.4F, [14] = 10.9F, [15] = 11.5F, [16] = 12.9F, [20] = 17.2F,
     [25] = 43.4F},
    {[4] = 1.2F, [5] = 2, [6] = 2, [7] = 3.8F, [8] = 3.6F, [9] = 7.1F, [10] = 5.3F, [11] = 9.1F,
     [12] = 6.3F, [13] = 13.3F, [14] = 9.2F, [15] = 10.8F, [16] = 12.3F, [20] = 13.5F,
     [25] = 29.8F},
    {[4] = 1.4F, [5] = 2.4F, [6] = 2.4F, [7] = 5.3F, [8] = 4.8F, [9] = 10.6F, [10] = 7.9F,
     [11] = 15.5F, [12] = 9.4F, [13] = 22.9F, [14] = 14.4F, [15] = 16.4F, [16] = 18.9F,
     [18] = 25.3F, [20] = 22, [24] = 29.7F, [25] = 52.2F, [27] = 60.4F, [28] = 44.6F,
     [30] = 48.5F, [32] = 58.8F, [36] = 72, [40] = 79.9F},
};
static const float turn_price[VECTORS][2] = {{[WEFT_F32] = 1.4F, [WEFT_F64] = 0.5F},
                                             {[WEFT_F32] = 1.2F, [WEFT_F64] = 0.4F},
                                             {[WEFT_F32] = 6, [WEFT_F64] = 2.5F}};
#define LINE_PRICE 20

/* No step takes less of a vector for each leg than one of four (butterfly_price). */
#define LEAST_PRICE 0.3

/* Of FEW_NARROW, and each leg of a first step's vector that is stored in runs which begin anywhere
 * in vectors. (Experiment "half a line" in docs/experiments.) */
#define RAGGED_PRICE 0.2

/* Of a middle step more, for each number of 8 bytes that lies between, and each of its rows. */
#define BETWEEN_PRICE 0.2
#define ROW_PRICE     2

/* Of each number of 8 bytes more where legs have the same place in a page, in lines that leave the
 * first level; half a page apart half as much. The last step writes so, too. */
#define PAGE_BYTES 4096
static const double meeting_price[] = {[FIRST_STEP] = 0.06, [MIDDLE_STEP] = 0.02,
                                       [LAST_STEP] = 0.15};

/* Vectors that are half a line of the cache come to each line twice, and do not find it in the
 * first level if more legs are at its place in a page than that has ways: of each number of 8
 * bytes, and leg from as many as there are ways on. (Likewise.) */
static const double crowding_price[] = {
    [FIRST_STEP] = 0.03, [MIDDLE_STEP] = 0.02, [LAST_STEP] = 0.05};

/* What the rest of the planner's model takes for a nanosecond of the same machine, and of a Zen 3
 * where vectors are half a line. */
#define MODEL_NANOSECOND      0.7e-9
#define MODEL_HALF_NANOSECOND 1e-9

/* What steps are made of, and for. */
struct choice {
    const struct limits *limits;
    weft_precision precision;
    int64_t n;
    int steps;
};

struct candidate {
    int radix;
    enum place place;
    int64_t lanes;
};

static int64_t pairs_of(const struct choice *choice, bool wide)
{
    return (wide ? 64 : 32) / 2 / precision_bytes(choice->precision);
}

/* What is transposed has a vector's legs at least. */
static bool has_step(const struct choice *choice, const struct candidate *step, bool wide)
{
    const int64_t pairs = pairs_of(choice, wide);
    return choice->limits->pair_step[step->radix] >> wide & 1 && step->lanes >= pairs &&
           (step->radix >= pairs || step->place != FIRST_STEP);
}

static enum vectors vectors_of(const struct limits *limits, bool wide)
{
    return wide ? WIDE : limits->registers > 16 ? NARROW : FEW_NARROW;
}

/* Of a vector of the first step. */
static double turning_of(const struct choice *choice, int radix, bool wide)
{
    const int64_t pairs = pairs_of(choice, wide), turns = (radix + pairs - 1) / pairs;
    const enum vectors kind = vectors_of(choice->limits, wide);
    const double ragged = kind == FEW_NARROW && radix % pairs != 0 ? RAGGED_PRICE : 0;
    return (double)turns * (double)turn_price[kind][choice->precision] + ragged * radix;
}

static double price_of(const struct choice *choice, const struct candidate *step, bool wide)
{
    const int64_t pairs = pairs_of(choice, wide), vectors = (step->lanes + pairs - 1) / pairs;
    const double turning = step->place == FIRST_STEP ? turning_of(choice, step->radix, wide) : 0;
    const double price =
        (double)butterfly_price[vectors_of(choice->limits, wide)][step->radix] + turning;
    return (double)(choice->n / step->radix / step->lanes * vectors) * price;
}

static int64_t number_bytes(const struct choice *choice)
{
    return 2 * precision_bytes(choice->precision);
}

/* What prices are of, 8 bytes of the line. */
static double units_of(const struct choice *choice)
{
    return (double)(choice->n * number_bytes(choice)) / 8;
}

/* Legs that have the same place in a page. */
static double legs_together(const struct candidate *step, int64_t apart)
{
    const int64_t power = apart & -apart;
    return (double)step->radix * (double)(power < PAGE_BYTES ? power : PAGE_BYTES) / PAGE_BYTES;
}

/* A page is what a way holds. */
static double crowding_of(const struct choice *choice, const struct candidate *step, int64_t apart)
{
    const double ways = (double)choice->limits->cache_bytes[0] / PAGE_BYTES;
    const double more = legs_together(step, apart) - ways + 1;
    return more > 0 ? more * crowding_price[step->place] : 0;
}

static double meeting_of(const struct choice *choice, const struct candidate *step)
{
    const int64_t bytes = number_bytes(choice), n = choice->n;
    const int64_t apart = n / step->radix * bytes;
    if (2 * n * bytes <= choice->limits->cache_bytes[0]) return 0;
    if (limits_halve_lines(choice->limits))
        return crowding_of(choice, step, apart) * units_of(choice);
    if (2 * apart % PAGE_BYTES != 0) return 0;
    const double share = apart % PAGE_BYTES == 0 ? 1 : 0.5;
    return share * meeting_price[step->place] * units_of(choice);
}

/* By the width that is quicker; false: there is no such step. */
static bool add_step(const struct choice *choice, struct pair_steps *steps,
                     const struct candidate *step)
{
    double best = 0;
    if (step->radix < 2 || step->radix > LIMITS_MAX_PAIR_STEP) return false;
    for (int wide = 1; wide >= 0; wide--) {
        if (!has_step(choice, step, wide)) continue;
        const double price = price_of(choice, step, wide);
        if (best > 0 && price >= best) continue;
        best = price;
        steps->bytes[steps->count] = wide ? 64 : 32;
    }
    steps->radix[steps->count++] = step->radix;
    steps->seconds += best;
    return best > 0;
}

/* With what its legs take for where they lie. */
static bool add_whole_step(const struct choice *choice, struct pair_steps *steps,
                           const struct candidate *step)
{
    if (!add_step(choice, steps, step)) return false;
    steps->seconds += meeting_of(choice, step);
    return true;
}

/* Of a middle step. */
static double between_of(const struct choice *choice, int64_t rows, bool second)
{
    const double price = BETWEEN_PRICE + (second ? FOURTH_PRICE : 0);
    return price * units_of(choice) + ROW_PRICE * (double)rows;
}

/* At least what so many steps more take, the last of which is no middle one. */
static double rest_of(const struct choice *choice, int steps)
{
    const double units = units_of(choice);
    const bool wide = !limits_halve_lines(choice->limits);
    const double vectors = (double)choice->n / (double)pairs_of(choice, wide);
    const double fourth = steps > 1 && choice->steps > OTHER_STEPS ? FOURTH_PRICE * units : 0;
    if (steps == 0) return 0;
    return steps * LEAST_PRICE * vectors + (steps - 1) * BETWEEN_PRICE * units + fourth;
}

static bool can_be_better(const struct choice *choice, const struct pair_steps *steps,
                          const struct pair_steps *best)
{
    return !best->count ||
           steps->seconds + rest_of(choice, choice->steps - steps->count) <= best->seconds;
}

static void follow(const struct choice *choice, const struct pair_steps *begun, int64_t taken,
                   struct pair_steps *best);

/* Behind steps that have taken so many numbers together, one of that radix, and what is left. */
static void follow_by(const struct choice *choice, struct pair_steps steps, int64_t taken,
                      int radix, struct pair_steps *best)
{
    const int64_t left = choice->n / taken / radix;
    const enum place place = left > 1 ? MIDDLE_STEP : LAST_STEP;
    if (!add_whole_step(choice, &steps, &(struct candidate){radix, place, taken})) return;
    if (place == MIDDLE_STEP) steps.seconds += between_of(choice, left, steps.count > 2);
    if (!can_be_better(choice, &steps, best)) return;
    if (place == LAST_STEP) *best = steps;
    else follow(choice, &steps, taken * radix, best);
}

/* Makes `best` the best behind those steps, if it is better. */
static void follow(const struct choice *choice, const struct pair_steps *begun, int64_t taken,
                   struct pair_steps *best)
{
    const int64_t left = choice->n / taken;
    const bool last = begun->count == choice->steps - 1;
    if (last && left <= LIMITS_MAX_PAIR_STEP)
        follow_by(choice, *begun, taken, (int)left, best);
    for (int radix = 2; !last && radix < left && radix <= LIMITS_MAX_PAIR_STEP; radix++) {
        if (choice->limits->pair_step[radix] && left % radix == 0)
            follow_by(choice, *begun, taken, radix, best);
    }
}

static void begin(const struct choice *choice, int first, struct pair_steps *best)
{
    const struct candidate step = {first, FIRST_STEP, choice->n / first};
    struct pair_steps begun = {0};
    if (add_whole_step(choice, &begun, &step) && can_be_better(choice, &begun, best))
        follow(choice, &begun, first, best);
}

struct pair_steps pair_steps_of(const struct limits *limits, weft_precision precision, int64_t n)
{
    const bool halves = limits_halve_lines(limits);
    const int most = halves ? PAIR_STEPS_MOST : OTHER_STEPS;
    struct choice choice = {limits, precision, n, 2};
    struct pair_steps best = {0};
    if (precision > WEFT_F64) return best;
    if (ARRAYS * 2 * n * precision_bytes(precision) > limits->cache_bytes[1]) return best;
    for (; choice.steps <= most; choice.steps++)
        for (int first = 2; first <= n / 2 && first <= LIMITS_MAX_PAIR_STEP; first++)
            if (limits->pair_step[first] && n % first == 0) begin(&choice, first, &best);
    best.seconds = (best.seconds + LINE_PRICE) *
                   (halves ? MODEL_HALF_NANOSECOND : MODEL_NANOSECOND);
    return best;
}
