#include "spec/program.h"

#include <inttypes.h>

/* "columns 1024 over 1024 x 8": a line that is not contiguous is a column. */
static void print_lines(struct text *t, const struct pass *pass)
{
    static const char *const bodies[] = {
        [PASS_COPY] = "copy", [PASS_TRANSFORM] = NULL, [PASS_CONVOLUTION] = "convolution",
        [PASS_RADER] = "rader"};
    const char *shape = pass->line.in_stride == 1 ? "rows" : "columns";
    if (bodies[pass->body]) text_append(t, "%s, ", bodies[pass->body]);
    text_append(t, "%s %" PRId64, shape, pass->line.n);
    for (int i = 0; i < pass->loops; i++)
        text_append(t, "%s%" PRId64, i ? " x " : " over ", pass->loop[i].n);
}

static void print_body(struct text *t, const struct pass *pass)
{
    if (pass->radices > 0) {
        text_append(t, ", ");
        if (pass->length != pass->line.n) text_append(t, "length %" PRId64 " ", pass->length);
        text_append(t, pass->radices > 1 ? "radices " : "radix ");
    }
    for (int i = 0; i < pass->radices; i++)
        text_append(t, "%s%d", i ? "." : "", pass->radix[i]);
    if (pass->backward) text_append(t, " backward");
    if (pass->chirp_n > 0) text_append(t, ", chirp %" PRId64, pass->chirp_n);
    if (pass->twiddle_order > 0) text_append(t, ", twiddle %" PRId64, pass->twiddle_order);
    if (pass->scaled) text_append(t, ", scale");
}

static void print_pass(struct text *t, int number, const struct pass *pass)
{
    static const char *const places[] = {"input", "output", "scratch"};
    text_append(t, "%4d  %-7s > %-7s  ", number, places[pass->from], places[pass->to]);
    text_bytes(t, pass->bytes);
    text_append(t, ", ");
    text_seconds(t, pass->seconds);
    text_append(t, ": ");
    print_lines(t, pass);
    print_body(t, pass);
    text_append(t, "\n");
}

static void print_stage(struct text *t, const struct program *program,
                        const struct program_stage *stage)
{
    if (stage->outers > 0) {
        text_append(t, "  for each of ");
        for (int i = 0; i < stage->outers; i++)
            text_append(t, "%s%" PRId64, i ? " x " : "", stage->outer[i].n);
        text_append(t, ":\n");
    }
    for (int i = stage->first; i < stage->first + stage->passes; i++)
        print_pass(t, i + 1, &program->pass[i]);
}

void program_print(struct text *t, const struct program *program, const struct limits *limits)
{
    text_append(t, "plan     ");
    plan_print(t, program->tree);
    text_append(t, "\ndevice   %s\n", limits->name);
    text_append(t, "passes   %d\n", program->passes);
    for (int i = 0; i < program->stages; i++)
        print_stage(t, program, &program->stage[i]);
    int64_t element_bytes = 2 * precision_bytes(program->problem.precision);
    text_append(t, "scratch  ");
    text_bytes(t, (double)(program->scratch_elements * element_bytes));
    text_append(t, "\nmoves    ");
    text_bytes(t, program->bytes);
    text_append(t, "\nexpects  ");
    text_seconds(t, program->seconds);
    text_append(t, "\nbound    ");
    text_seconds(t, program->bound_seconds);
    text_append(t, ": one read and one write\n");
}
