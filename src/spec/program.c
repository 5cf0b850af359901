#include "spec/program.h"

#include <inttypes.h>
#include <string.h>

#include "spec/kind.h"

struct program *program_of_room(struct program_room *room)
{
    room->program.stage = room->stage;
    room->program.pass = room->pass;
    room->program.table = room->table;
    return &room->program;
}

static void *copied(arena *a, const void *array, int count, size_t size)
{
    void *copy = arena_alloc_raw(a, (size_t)count * size);
    return copy ? memcpy(copy, array, (size_t)count * size) : NULL;
}

struct program *program_fitted(arena *a, const struct program *program)
{
    struct program *fitted = copied(a, program, 1, sizeof *program);
    if (!fitted) return NULL;
    fitted->stage = copied(a, program->stage, program->stages, sizeof *program->stage);
    fitted->pass = copied(a, program->pass, program->passes, sizeof *program->pass);
    fitted->table = copied(a, program->table, program->tables, sizeof *program->table);
    return arena_failed(a) ? NULL : fitted;
}

/* "columns 1024 over 1024 x 8": a line that is not contiguous is a column. */
static void print_lines(struct text *t, const struct pass *pass)
{
    const char *shape = pass->line.in_stride == 1 ? "rows" : "columns";
    if (pass->body != PASS_TRANSFORM) text_append(t, "%s, ", pass_body_name(pass->body));
    if (pass->folds > 0) shape = pass->folds == 1 ? "images" : "volumes";
    text_append(t, "%s ", shape);
    for (int i = pass->folds - 1; i >= 0; i--)
        text_append(t, "%" PRId64 " x ", pass->fold[i].dim.n);
    text_append(t, "%" PRId64, pass->line.n);
    for (int i = 0; i < pass->loops; i++)
        text_append(t, "%s%" PRId64, i ? " x " : " over ", pass->loop[i].n);
}

bool program_place_is_real(const struct program *program, enum pass_place place)
{
    if (place == PASS_INPUT) return problem_is_real(&program->problem, false);
    const bool output = place == PASS_OUTPUT || (place == PASS_DRAFT && !program->draft_half);
    return place == PASS_LAID || (output && problem_is_real(&program->problem, true));
}

struct texels program_texels(const struct program *program, enum pass_place place)
{
    const struct texels none = {0, 0, 0, 0};
    if (place != PASS_INPUT && place != PASS_OUTPUT) return none;
    return program->problem.side[place == PASS_OUTPUT].texels;
}

weft_storage program_storage(const struct program *program, enum pass_place place)
{
    if (place != PASS_INPUT && place != PASS_OUTPUT) return WEFT_STORED_AS_COMPUTED;
    return program->problem.side[place == PASS_OUTPUT].storage;
}

int64_t program_kernels(const struct problem *problem, int64_t turns)
{
    return (problem->kernel.n + turns - 1) / turns;
}

const struct program_stage *program_stage_of(const struct program *program, int pass)
{
    for (int s = 0; s < program->stages; s++) {
        const struct program_stage *stage = &program->stage[s];
        if (pass >= stage->first && pass < stage->first + stage->passes) return stage;
    }
    return NULL;
}

int program_before_others(const struct program *program, const struct program_stage *stage)
{
    int pass = stage->first + stage->passes - 1;
    if (!program->pass[pass].goes_on) return -1;
    while (program->pass[pass].goes_on) pass--;
    return pass;
}

static bool have_same_loops(const struct pass *a, const struct pass *b)
{
    return a->loops == b->loops &&
           memcmp(a->loop, b->loop, (size_t)a->loops * sizeof *a->loop) == 0;
}

static bool are_twins(const struct pass *a, const struct pass *b)
{
    return have_same_loops(a, b) && a->body == b->body && a->line.n == b->line.n &&
           a->length == b->length && a->apart == b->apart && a->lone == b->lone &&
           a->from == b->from && a->to == b->to &&
           a->offset[0] == b->offset[0] && a->offset[1] == b->offset[1] && a->one_way &&
           b->one_way && a->shared == b->shared && !a->scaled && !b->scaled;
}

/* Of axes of one kind those with other ends lead back. */
int program_twin(const struct program *program, int pass)
{
    const struct pass *other = &program->pass[pass];
    const bool mixes = problem_mixes_kinds(&program->problem);
    if (!pass_resamples(other)) return -1;
    for (int i = 0; i < pass; i++) {
        const bool same = !mixes || program->pass[i].half == other->half;
        if (same && are_twins(&program->pass[i], other)) return i;
    }
    return -1;
}

/* Complex elements of all that is neither input nor output nor draft. */
static int64_t undrafted_elements(const struct program *program)
{
    return program_laid_place(program) + program->laid_elements;
}

/* Whole cache lines. */
static int64_t padded(int64_t elements)
{
    return (elements + 15) / 16 * 16;
}

int64_t program_laid_place(const struct program *program)
{
    const int64_t before = program_middle_place(program) + program->middle_elements +
                           program->product_elements;
    return program->laid_elements > 0 ? padded(before) : before;
}

int64_t program_step_elements(const struct program *program)
{
    for (int s = 0; s < program->stages; s++) {
        const struct program_stage *stage = &program->stage[s];
        if (stage->from == PASS_WORK || stage->to == PASS_WORK) return program->scratch_elements;
    }
    return program->scratch_elements + program->work_elements;
}

int64_t program_dealt_place(const struct program *program, int thread)
{
    return padded(undrafted_elements(program) + program->draft_elements) +
           (thread - 1) * padded(program_step_elements(program));
}

static bool deals_steps(const struct program *program)
{
    for (int s = 0; s < program->stages; s++) {
        if (program->stage[s].dealt) return true;
    }
    return false;
}

int64_t program_scratch_elements(const struct program *program)
{
    if (deals_steps(program) && program_step_elements(program) > 0)
        return program_dealt_place(program, program->problem.threads);
    return undrafted_elements(program) + program->draft_elements;
}

static bool stays_in_place(const struct dim *dim)
{
    return dim->in_stride == dim->out_stride;
}

/* Longer lines than they are read, of a convolution, take more room than they came in. */
static bool leaves_in_place(const struct pass *pass)
{
    if (pass->from != PASS_INPUT || pass->to != PASS_SCRATCH || pass->real_in) return false;
    for (int i = 0; i < pass->loops; i++) {
        if (!stays_in_place(&pass->loop[i])) return false;
    }
    const bool all = pass->body == PASS_TRANSFORM && pass->half == PASS_NO_HALF && !pass->folds &&
                     !pass->chirp_n && !pass->range[0].range.count && !pass->range[1].range.count;
    return all && stays_in_place(&pass->line) && pass->offset[0] == 0 && pass->offset[1] == 0;
}

bool program_works_in_input(const struct program *program, weft_format scratch_format)
{
    const struct problem *p = &program->problem;
    const struct program_stage *stage = &program->stage[0];
    if (program->passes == 0 || program->stages != 1 || stage->outers || stage->dealt) return false;
    for (int i = 1; i < program->passes; i++) {
        if (program->pass[i].from == PASS_INPUT) return false;
    }
    return p->kind == WEFT_C2C && p->format == scratch_format && !p->side[0].storage &&
           !p->side[0].texels.format && leaves_in_place(&program->pass[0]) &&
           program_scratch_elements(program) <= problem_elements(p);
}

/* Whether what lies in PASS_WORK is read or written by sweeps of pairs. */
static bool sweeps_pairs(const struct program *program)
{
    for (int i = 0; i < program->passes; i++) {
        if (pass_resamples(&program->pass[i]) || pass_opens(&program->pass[i])) return true;
    }
    return false;
}

weft_format program_work_format(const struct program *program, weft_format scratch_format)
{
    const weft_kind kind = program->problem.kind;
    const bool half = kind_is_half(kind) && kind != WEFT_C2R && !sweeps_pairs(program);
    return half ? scratch_format : WEFT_INTERLEAVED;
}

int64_t program_scratch_plane(const struct program *program, weft_format scratch_format)
{
    const bool planes = program_work_format(program, scratch_format) == WEFT_PLANAR;
    return program->scratch_elements + (planes ? program->work_elements : 0);
}

weft_format program_draft_format(const struct program *program, weft_format scratch_format)
{
    if (program->draft_half) return WEFT_INTERLEAVED;
    return scratch_format == WEFT_PLANAR ? program->problem.format : scratch_format;
}

int64_t program_draft_place(const struct program *program, weft_format scratch_format)
{
    const bool numbers = program_place_is_real(program, PASS_DRAFT) ||
                         program_draft_format(program, scratch_format) == WEFT_PLANAR;
    return (numbers ? 2 : 1) * undrafted_elements(program) + program->draft_first;
}

int64_t program_middle_place(const struct program *program)
{
    return program->scratch_elements + program->work_elements;
}

weft_format program_format(const struct program *program, const struct pass *pass, bool out,
                           weft_format scratch_format)
{
    const enum pass_place place = out ? pass->to : pass->from;
    if (place == PASS_MIDDLE || place == PASS_PRODUCTS) return WEFT_INTERLEAVED;
    if (!program_place_is_real(program, place)) {
        if (place == PASS_DRAFT) return program_draft_format(program, scratch_format);
        if (place == PASS_WORK) return program_work_format(program, scratch_format);
        if (place != PASS_INPUT && place != PASS_OUTPUT) return scratch_format;
        const bool image = program_texels(program, place).format != 0;
        return image ? WEFT_INTERLEAVED : program->problem.format;
    }
    return (out ? pass->real_out : pass->real_in) ? WEFT_PLANAR : WEFT_INTERLEAVED;
}

static void print_radices(struct text *t, int radices, const int *radix)
{
    for (int i = 0; i < radices; i++)
        text_append(t, "%s%d", i ? "." : "", radix[i]);
}

static void print_body(struct text *t, const struct pass *pass)
{
    if (pass->radices > 0) {
        text_append(t, ", ");
        bool padded = pass->length != pass_line_elements(pass);
        if (padded) text_append(t, "length %" PRId64 " ", pass->length);
        text_append(t, pass->radices > 1 ? "radices " : "radix ");
    }
    for (int i = pass->folds - 1; i >= 0; i--) {
        print_radices(t, pass->fold[i].radices, pass->fold[i].radix);
        text_append(t, " x ");
    }
    print_radices(t, pass->radices, pass->radix);
    if (pass_joins_lines(pass))
        text_append(t, ", %" PRId64 " lines joined", pass_cofactor(pass));
    if (pass->cluster > 0) text_append(t, " on %d blocks", pass->cluster);
    if (pass->backward) text_append(t, " backward");
    if (pass->chirp_n > 0) text_append(t, ", chirp %" PRId64, pass->chirp_n);
    if (pass->spectrum_given)
        text_append(t, ", times %sspectrum", pass->spectrum_conjugate ? "conjugate " : "");
    if (pass->twiddle_order > 0) text_append(t, ", twiddle %" PRId64, pass->twiddle_order);
    static const char *const halves[] = {NULL, "cut", "unfolded", "spread", "parted",
                                         "reflected", "extended", "folded", "joined"};
    if (pass->half) text_append(t, ", %s", halves[pass->half]);
    if (pass->reals[0].parts) text_append(t, ", from reals");
    if (pass->reals[1].parts) text_append(t, ", to reals");
    for (int out = 0; out < 2; out++) {
        const struct pass_range *range = &pass->range[out];
        if (!range->range.count) continue;
        text_append(t, ", %s %" PRId64 " of %" PRId64, out ? "keeps" : "takes",
                    range->range.count, range->n);
    }
    if (pass->hook[0]) text_append(t, ", load hook");
    if (pass->hook[1]) text_append(t, ", store hook");
}

/* A quantity in a column of the table, flush right. */
static void print_cell(struct text *t, void print(struct text *, double), double value)
{
    struct text cell = TEXT_EMPTY;
    print(&cell, value);
    text_append(t, "%9s", text_chars(&cell));
    text_free(&cell);
}

static void print_pass(struct text *t, const struct program *program, int index, bool repeated)
{
    const struct pass *pass = &program->pass[index];
    text_append(t, "%s%3d  ", repeated ? "|" : " ", index + 1);
    print_cell(t, text_bytes, pass->bytes);
    text_append(t, "  ");
    print_cell(t, text_seconds, pass->seconds);
    const bool read = program_texels(program, pass->from).format;
    const bool written = program_texels(program, pass->to).format;
    text_append(t, "  %-8s %-8s ", read ? "image" : pass_place_name(pass->from),
                written ? "image" : pass_place_name(pass->to));
    print_lines(t, pass);
    print_body(t, pass);
    if (pass->scaled && problem_scales(&program->problem)) text_append(t, ", scale");
    text_append(t, "\n");
}

/* The passes of a stage that is repeated have a bar in front of them. */
static void print_stage(struct text *t, const struct program *program,
                        const struct program_stage *stage)
{
    if (program->kernel_turns > 1 && stage == &program->stage[program->kernel_stage])
        text_append(t, "- in %" PRId64 " turns of %" PRId64 " kernels\n", program->kernel_turns,
                    program_kernels(&program->problem, program->kernel_turns));
    if (stage->turned) text_append(t, "- back\n");
    if (!stage->runs[WEFT_FORWARD]) text_append(t, "- in the inverse direction\n");
    if (stage->outers > 0) {
        text_append(t, "+ for each of ");
        for (int i = 0; i < stage->outers; i++)
            text_append(t, "%s%" PRId64, i ? " x " : "", stage->outer[i].n);
        text_append(t, "%s\n", stage->dealt ? ", dealt to threads" : "");
    }
    for (int i = stage->first; i < stage->first + stage->passes; i++)
        print_pass(t, program, i, stage->outers > 0);
}

static void print_total(struct text *t, const char *name, void print(struct text *, double),
                        double value, const char *remark)
{
    text_append(t, "%-9s", name);
    print_cell(t, print, value);
    text_append(t, "%s\n", remark);
}

static const char *const precision_words[] = {
    [WEFT_F32] = "single precision", [WEFT_F64] = "double precision", [WEFT_DD] = "double-double"};

void program_print(struct text *t, const struct program *program, const struct limits *limits)
{
    const struct problem *problem = &program->problem;
    plan_print(t, program->tree);
    text_append(t, "\nfor %s, %s", limits->name, precision_words[problem->precision]);
    for (int i = 0; i < 2; i++) {
        const weft_storage storage = problem->side[i].storage;
        if (storage) text_append(t, ", %s of %s", i ? "output" : "input", storage_names[storage]);
    }
    text_append(t, "\n\n");
    text_append(t, "pass      bytes       time  from     to       what\n");
    for (int i = 0; i < program->stages; i++)
        print_stage(t, program, &program->stage[i]);
    const double scratch =
        (double)program_scratch_elements(program) * 2 * precision_bytes(problem->precision);
    text_append(t, "\n");
    print_total(t, "scratch", text_bytes, scratch, "");
    print_total(t, "moved", text_bytes, program->bytes, "  read and written by all passes");
    print_total(t, "expected", text_seconds, program->seconds, "");
    print_total(t, "bound", text_seconds, program->bound_seconds,
                "  one read and one write of the data");
}
