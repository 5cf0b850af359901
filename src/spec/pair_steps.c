#include "spec/pair_steps.h"

#include <stdbool.h>

#include "spec/problem.h"

/* Of the second level, what a line may be at most, and where the third is far; and in the scale in
 * which the rest of the model prices splits, what steps take more, from a share on and up to
 * another one. (Experiment "long lines of pairs" in docs/experiments.) */
#define LONGEST_SHARE 1.1
#define NEAREST_SHARE 0.2
#define FILLING_SHARE 0.2
#define FILLED_SHARE  0.5

/* Lines of a batch that fills so much of the third level, and of which the second level has no room
 * for another one at both ends (a third of it in device/cpu/ahead.c), are read and written by no
 * more legs, where they can be: as many streams as a processor follows. (Likewise.) */
#define FAR_SHARE 0.5
#define FAR_LINES 6
#define FAR_LEGS  16

/* What a second middle step takes more of each number of 8 bytes, where vectors are half a line of
 * the cache, and where units take whole ones that are a line: there arithmetic takes less.
 * (Experiments "four steps of pairs", "crowds of wide pairs" in docs/experiments.) */
#define FOURTH_HALF  0.1
#define FOURTH_WHOLE 0.2

/* Of a first step lanes are butterflies. */
enum place { FIRST_STEP, MIDDLE_STEP, LAST_STEP };

/* Vectors of 32 bytes, of which there are 16 or 32, and of 64 bytes. */
enum vectors { FEW_NARROW, NARROW, WIDE, VECTORS };

/* Nanoseconds of a Zen 4: of a vector's butterflies, and of turning as many legs as it has pairs;
 * before the first one. (Experiment "steps of wide pairs" in docs/experiments.) */
static const float butterfly_price[VECTORS][LIMITS_MAX_PAIR_STEP + 1] = {
    {[2] = 0.6F, [3] = 0.9F,
     [4] = 1.2F, [5] = 2, [6] = 2, [7] = 3.9F, [8] = 3.6F, [9] = 7.2F, [10] = 5.4F, [11] = 10.2F,
     [12] = 6.4F, [13] = 15.4F, [14] = 10.9F, [15] = 11.5F, [16] = 12.9F, [20] = 17.2F,
     [25] = 43.4F},
    {[2] = 0.6F, [3] = 0.9F,
     [4] = 1.2F, [5] = 2, [6] = 2, [7] = 3.8F, [8] = 3.6F, [9] = 7.1F, [10] = 5.3F, [11] = 9.1F,
     [12] = 6.3F, [13] = 13.3F, [14] = 9.2F, [15] = 10.8F, [16] = 12.3F, [20] = 13.5F,
     [25] = 29.8F},
    {[2] = 0.7F, [3] = 1.1F,
     [4] = 1.4F, [5] = 2.4F, [6] = 2.4F, [7] = 5.3F, [8] = 4.8F, [9] = 10.6F, [10] = 7.9F,
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

/* Of each number of 8 bytes in lines that leave the first level, and each leg that has the same
 * place in a page as others, from as many as that level has ways on: where vectors are half a line
 * of the cache they come to each line twice. (Experiments "four steps of pairs", "crowds of wide
 * pairs".) */
#define PAGE_BYTES 4096
static const double crowding_price[][3] = {
    {[FIRST_STEP] = 0.008, [MIDDLE_STEP] = 0.004, [LAST_STEP] = 0.016},
    {[FIRST_STEP] = 0.03, [MIDDLE_STEP] = 0.02, [LAST_STEP] = 0.05}};

/* What the rest of the planner's model takes for a nanosecond of the same machine, and of a Zen 3
 * where vectors are half a line. */
#define MODEL_NANOSECOND      0.6e-9
#define MODEL_HALF_NANOSECOND 1e-9

/* What steps are made of, and for. */
struct choice {
    const struct limits *limits;
    weft_precision precision;
    int64_t n;
    int steps;
    int radices, radix[LIMITS_MAX_PAIR_STEP]; /* that divide n and have steps, upwards */
    int64_t pairs[2];                         /* of a vector, narrow and wide */
    double units;                             /* what prices are of, 8 bytes of the line */
    const double *crowding; /* by place; NULL: the line stays in the first level */
    double room;            /* legs at one place of a page that do not crowd */
    double least;           /* what a step takes */
    int ends;               /* legs of the first and the last step at most */
};

/* A step, and how often it is done for all its lanes. */
struct candidate {
    int radix;
    enum place place;
    int64_t lanes, rows;
};

static bool has_width(const struct limits *limits, int radix, bool wide)
{
    const int least = LIMITS_LEAST_PAIR_STEP;
    return limits->pair_step[radix < least ? least : radix] >> wide & 1;
}

/* What is transposed has a vector's legs at least. */
static bool has_step(const struct choice *choice, const struct candidate *step, bool wide)
{
    const int64_t pairs = choice->pairs[wide];
    return has_width(choice->limits, step->radix, wide) && step->lanes >= pairs &&
           (step->radix >= pairs || step->place != FIRST_STEP);
}

static enum vectors vectors_of(const struct limits *limits, bool wide)
{
    return wide ? WIDE : limits->registers > 16 ? NARROW : FEW_NARROW;
}

/* Of a vector of the first step. */
static double turning_of(const struct choice *choice, int radix, bool wide)
{
    const int64_t pairs = choice->pairs[wide], turns = (radix + pairs - 1) / pairs;
    const enum vectors kind = vectors_of(choice->limits, wide);
    const double ragged = kind == FEW_NARROW && radix % pairs != 0 ? RAGGED_PRICE : 0;
    return (double)turns * (double)turn_price[kind][choice->precision] + ragged * radix;
}

static double price_of(const struct choice *choice, const struct candidate *step, bool wide)
{
    const int64_t pairs = choice->pairs[wide], vectors = (step->lanes + pairs - 1) / pairs;
    const double turning = step->place == FIRST_STEP ? turning_of(choice, step->radix, wide) : 0;
    const double price =
        (double)butterfly_price[vectors_of(choice->limits, wide)][step->radix] + turning;
    return (double)(step->rows * vectors) * price;
}

/* Legs that have the same place in a page. */
static double legs_together(const struct candidate *step, int64_t apart)
{
    const int64_t power = apart & -apart;
    return (double)step->radix * (double)(power < PAGE_BYTES ? power : PAGE_BYTES) / PAGE_BYTES;
}

static double crowding_of(const struct choice *choice, const struct candidate *step)
{
    if (!choice->crowding) return 0;
    const int64_t pair = 2 * precision_bytes(choice->precision);
    const double more = legs_together(step, step->rows * step->lanes * pair) - choice->room;
    return more > 0 ? more * choice->crowding[step->place] * choice->units : 0;
}

/* By the width that is quicker; false: there is no such step. */
static bool add_step(const struct choice *choice, struct pair_steps *steps,
                     const struct candidate *step)
{
    double best = 0;
    for (int wide = 1; wide >= 0; wide--) {
        if (!has_step(choice, step, wide)) continue;
        const double price = price_of(choice, step, wide);
        if (best > 0 && price >= best) continue;
        best = price;
        steps->bytes[steps->count] = wide ? 64 : 32;
    }
    steps->radix[steps->count++] = step->radix;
    steps->seconds += best + crowding_of(choice, step);
    return best > 0;
}

static double fourth_price(const struct choice *choice)
{
    const struct limits *limits = choice->limits;
    if (limits_halve_lines(limits)) return FOURTH_HALF;
    return limits->unit_bytes < limits->vector_bytes ? 0 : FOURTH_WHOLE;
}

/* Of a middle step. */
static double between_of(const struct choice *choice, int64_t rows, bool second)
{
    const double price = BETWEEN_PRICE + (second ? fourth_price(choice) : 0);
    return price * choice->units + ROW_PRICE * (double)rows;
}

/* At least what so many steps more take, the last of which is no middle one. */
static double rest_of(const struct choice *choice, int steps)
{
    if (steps == 0) return 0;
    const bool second = steps > 1 && choice->steps == PAIR_STEPS_MOST;
    const double between = (steps - 1) * BETWEEN_PRICE + (second ? fourth_price(choice) : 0);
    return steps * choice->least + between * choice->units;
}

static bool can_be_better(const struct choice *choice, const struct pair_steps *steps,
                          const struct pair_steps *best)
{
    return !best->count ||
           steps->seconds + rest_of(choice, choice->steps - steps->count) <= best->seconds;
}

/* Makes `best` the best behind those steps, which have taken so many numbers together of as many
 * lines as are left, if it is better. */
static void follow(const struct choice *choice, const struct pair_steps *begun, int64_t taken,
                   int64_t left, struct pair_steps *best)
{
    const bool last = begun->count == choice->steps - 1;
    for (int i = 0; i < choice->radices && choice->radix[i] <= left; i++) {
        const int radix = choice->radix[i];
        const int64_t rows = left / radix;
        if (rows * radix != left || last != (rows == 1)) continue;
        if (last && radix > choice->ends) continue;
        struct pair_steps steps = *begun;
        const enum place place = last ? LAST_STEP : MIDDLE_STEP;
        if (!add_step(choice, &steps, &(struct candidate){radix, place, taken, rows})) continue;
        if (!last) steps.seconds += between_of(choice, rows, steps.count > 2);
        if (!can_be_better(choice, &steps, best)) continue;
        if (last) *best = steps;
        else follow(choice, &steps, taken * radix, rows, best);
    }
}

static void begin(const struct choice *choice, int first, struct pair_steps *best)
{
    const struct candidate step = {first, FIRST_STEP, choice->n / first, 1};
    struct pair_steps begun = {0};
    if (add_step(choice, &begun, &step) && can_be_better(choice, &begun, best))
        follow(choice, &begun, first, step.lanes, best);
}

static void list_radices(struct choice *choice)
{
    for (int radix = 2; radix <= LIMITS_MAX_PAIR_STEP; radix++)
        if (choice->limits->pair_step[radix] && choice->n % radix == 0)
            choice->radix[choice->radices++] = radix;
}

/* A page is what a way holds. */
static void price_crowds(struct choice *choice, int64_t bytes)
{
    const int64_t level = choice->limits->cache_bytes[0];
    if (2 * bytes <= level) return;
    choice->crowding = crowding_price[limits_halve_lines(choice->limits)];
    choice->room = (double)level / PAGE_BYTES - 1;
}

/* Bytes, and those of the second level. */
static double filling_of(double bytes, double level)
{
    const double share = bytes / level < FILLED_SHARE ? bytes / level : FILLED_SHARE;
    return share > FILLING_SHARE ? 1 + share - FILLING_SHARE : 1;
}

static bool are_far(const struct limits *limits, int64_t bytes, int64_t lines)
{
    return FAR_LINES * bytes > limits->cache_bytes[1] &&
           2.0 * (double)bytes * (double)lines > FAR_SHARE * (double)limits->cache_bytes[2];
}

static struct pair_steps best_steps(struct choice *choice, int ends)
{
    struct pair_steps best = {0};
    choice->ends = ends;
    for (choice->steps = 2; choice->steps <= PAIR_STEPS_MOST; choice->steps++)
        for (int i = 0; i < choice->radices && choice->radix[i] <= choice->n / 2; i++)
            if (choice->radix[i] <= ends) begin(choice, choice->radix[i], &best);
    return best;
}

/* What a unit of prices is. */
static double unit_seconds(const struct limits *limits)
{
    return limits_halve_lines(limits) ? MODEL_HALF_NANOSECOND : MODEL_NANOSECOND;
}

struct pair_steps pair_steps_of(const struct limits *limits, weft_precision precision, int64_t n,
                                int64_t lines)
{
    struct pair_steps best = {0};
    if (precision > WEFT_F64 || n > limits->cache_bytes[1]) return best;
    const int64_t pair = 2 * precision_bytes(precision), bytes = n * pair;
    const double level = (double)limits->cache_bytes[1];
    const double longest = limits_far_third(limits) ? NEAREST_SHARE : LONGEST_SHARE;
    if ((double)bytes > longest * level) return best;
    const bool halves = limits_halve_lines(limits);
    struct choice choice = {.limits = limits,
                            .precision = precision,
                            .n = n,
                            .pairs = {32 / pair, 64 / pair},
                            .units = (double)bytes / 8};
    choice.least = LEAST_PRICE * (double)n / (double)choice.pairs[!halves];
    list_radices(&choice);
    price_crowds(&choice, bytes);
    if (are_far(limits, bytes, lines)) best = best_steps(&choice, FAR_LEGS);
    if (best.count == 0) best = best_steps(&choice, LIMITS_MAX_PAIR_STEP);
    best.seconds = (best.seconds + LINE_PRICE) * filling_of((double)bytes, level) *
                   unit_seconds(limits);
    return best;
}

struct pair_steps pair_steps_last(const struct limits *limits, weft_precision precision,
                                  int64_t radix, int64_t lanes)
{
    const struct pair_steps none = {0};
    struct pair_steps steps = {0};
    if (precision > WEFT_F64 || radix < 2 || radix > LIMITS_MAX_PAIR_STEP) return none;
    const int64_t pair = 2 * precision_bytes(precision);
    const struct choice choice = {
        .limits = limits, .precision = precision, .pairs = {32 / pair, 64 / pair}};
    const struct candidate step = {(int)radix, LAST_STEP, lanes, 1};
    if (!add_step(&choice, &steps, &step)) return none;
    steps.seconds *= unit_seconds(limits);
    return steps;
}
