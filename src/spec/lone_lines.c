#include "spec/lone_lines.h"

#include "spec/problem.h"

/* Vectors of 16 bytes are no worse than none; of wider ones so many lanes are worth more than
 * steps within a line. (Experiment "few lines" in docs/experiments.) */
#define NARROWEST_VECTOR 16
#define FEWEST_LANES     4

static int64_t lanes_of(const struct limits *limits, weft_precision precision)
{
    const int bytes =
        limits->vector_bytes > NARROWEST_VECTOR ? limits->vector_bytes : NARROWEST_VECTOR;
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
    const bool convolved = pass->body == PASS_CONVOLUTION || pass->body == PASS_RADER;
    if (limits->vector_bytes == 0 || pass->body == PASS_COPY || !is_plain(pass))
        return lines < NARROWEST_VECTOR / precision_bytes(precision);
    return lone_lines(limits, precision, lines, convolved);
}
