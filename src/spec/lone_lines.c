#include "spec/lone_lines.h"

#include "spec/problem.h"

/* Vectors of 16 bytes are no worse than none; of wider ones so many lanes are worth more than
 * steps within a line. (Experiment "few lines" in docs/experiments.) */
#define FEWEST_LANES 4

static int64_t lanes_of(const struct limits *limits, weft_precision precision)
{
    const int narrowest = LIMITS_NARROWEST_VECTOR;
    const int bytes = limits->vector_bytes > narrowest ? limits->vector_bytes : narrowest;
    return bytes / precision_bytes(precision);
}

bool lone_lines(const struct limits *limits, weft_precision precision, int64_t lines,
                bool convolved)
{
    const int64_t lanes = lanes_of(limits, precision);
    if (limits->vector_bytes == 0 || lines >= lanes) return false;
    return convolved || lines < FEWEST_LANES;
}

bool few_lines(const struct limits *limits, weft_precision precision, int64_t lines)
{
    if (lone_lines(limits, precision, lines, false)) return true;
    return limits->vector_bytes > 0 && 2 * lines < lanes_of(limits, precision);
}

/* Ends that are more than numbers in their places find those for all lanes at once. */
static bool is_plain(const struct pass *pass)
{
    return pass->half == PASS_NO_HALF && !pass_reflects(pass) && !pass->real_in &&
           !pass->real_out && !pass->hook[0] && !pass->hook[1];
}

bool lone_lines_of(const struct limits *limits, weft_precision precision, const struct pass *pass)
{
    if (pass->loops == 0) return true;
    const int64_t lines = pass->loop[0].n;
    if (limits->vector_bytes == 0 || pass->body == PASS_COPY || !is_plain(pass))
        return lines < LIMITS_NARROWEST_VECTOR / precision_bytes(precision);
    return lone_lines(limits, precision, lines, pass_convolves(pass));
}

/* Of each plane of a tile, and of those of its twin. */
static int64_t plane_bytes(const struct limits *limits)
{
    return limits->shared_bytes / 4;
}

bool whole_lines(const struct limits *limits, weft_precision precision, int64_t n)
{
    if (limits->vector_bytes <= LIMITS_NARROWEST_VECTOR || precision > WEFT_F64) return false;
    return n <= plane_bytes(limits) / precision_bytes(precision);
}

bool long_lines(const struct limits *limits, weft_precision precision, int64_t n)
{
    return whole_lines(limits, precision, n) && n > plane_bytes(limits) / limits->vector_bytes;
}

/* Steps of whole lines, and what leads from half a spectrum or reals to them, or back. */
static bool is_whole_transform(const struct pass *pass)
{
    const bool half = pass->half == PASS_HALF_SPREAD || pass->half == PASS_HALF_FOLD;
    if (pass->body != PASS_TRANSFORM || pass->line.n != pass->length) return false;
    if (pass->half != PASS_NO_HALF && !half) return false;
    return pass->radices > 1 && !pass->backward && !pass->chirp_n && !pass->twiddle_order;
}

/* Whether halves of vectors have a lane for each of the lines of pairs, and a tile holds those. */
static bool fills_halves(const struct limits *limits, weft_precision precision,
                         const struct pass *pass)
{
    if (pass->loops == 0 || !is_plain(pass)) return false;
    return 2 * pass->loop[0].n % lanes_of(limits, precision) == 0 &&
           pass->length <= 2 * plane_bytes(limits) / limits->vector_bytes;
}

bool long_lines_of(const struct limits *limits, weft_precision precision, const struct pass *pass)
{
    const bool apart = pass->line.in_stride != 1 || pass->line.out_stride != 1;
    if (!apart || !is_whole_transform(pass) || pass->slice_columns || pass->folds) return false;
    if (pass->from == PASS_SCRATCH || pass->to == PASS_SCRATCH) return false;
    if (pass->hook[0] || pass->hook[1]) return false;
    if (pass->range[0].range.count > 0 || pass->range[1].range.count > 0) return false;
    return long_lines(limits, precision, pass->length) && !fills_halves(limits, precision, pass);
}
