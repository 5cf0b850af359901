/* The codelet generator: run while weft is built.
 *
 *     codelets --isa NAME --precision f32|f64 --part I --parts N --output FILE.c
 *     codelets --isa NAME --precision f32|f64 --lines WIDTH --output FILE.c
 *     codelets --isa NAME --precision f32|f64 --table --output FILE.c
 *     codelets --counts
 *
 * A set (an instruction set and a precision) is printed in N parts of about equal size, which
 * compile side by side, its line codelets in a file for each width of vectors (2, 4, 8, 16) that
 * they use, and a table of all its functions. --counts prints the operations of every
 * butterfly and of every codelet. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "kernel/butterfly.h"
#include "kernel/codelet.h"
#include "kernel/line.h"
#include "print/c_line.h"
#include "print/c_vector.h"

#define MAX_RADIX 64
#define MAX_PARTS 64

struct isa {
    const char *name;
    int bytes; /* of a vector; 0: scalar */
    bool fma;
};

static const struct isa isas[] = {
    {"scalar", 0, false}, {"sse2", 16, false}, {"avx2", 32, true},
    {"avx512", 64, true}, {"fma", 0, true},    {"neon", 16, true},
};

struct options {
    const struct isa *isa;
    const char *precision, *output;
    int part, parts, lines;
    bool table, counts;
};

static bool fail(const char *what, const char *why)
{
    fprintf(stderr, "codelets: %s: %s\n", what, why);
    return false;
}

/* ---- arguments ---- */

static bool parse_isa(const char *value, struct options *o)
{
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        if (strcmp(value, isas[i].name) == 0) o->isa = &isas[i];
    }
    return o->isa ? true : fail(value, "not one of scalar, sse2, avx2, avx512, fma, neon");
}

static bool parse_number(const char *value, int *number)
{
    char *end;
    long parsed = strtol(value, &end, 10);
    if (end == value || *end != '\0' || parsed < 0 || parsed > MAX_PARTS) {
        return fail(value, "not a number from 0 to 64");
    }
    *number = (int)parsed;
    return true;
}

static bool parse_value(const char *name, const char *value, struct options *o)
{
    if (!value) return fail(name, "needs a value");
    if (strcmp(name, "--isa") == 0) return parse_isa(value, o);
    if (strcmp(name, "--part") == 0) return parse_number(value, &o->part);
    if (strcmp(name, "--parts") == 0) return parse_number(value, &o->parts);
    if (strcmp(name, "--lines") == 0) return parse_number(value, &o->lines);
    if (strcmp(name, "--precision") == 0) {
        o->precision = value;
    } else if (strcmp(name, "--output") == 0) {
        o->output = value;
    } else {
        return fail(name, "not an option");
    }
    return true;
}

static bool parse(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--table") == 0) {
            o->table = true;
        } else if (strcmp(argv[i], "--counts") == 0) {
            o->counts = true;
        } else if (!parse_value(argv[i], argv[i + 1], o)) {
            return false;
        } else {
            i++;
        }
    }
    if (o->counts) return true;
    if (!o->isa || !o->precision || !o->output) {
        return fail("arguments", "--isa, --precision and --output are needed");
    }
    if (strcmp(o->precision, "f32") != 0 && strcmp(o->precision, "f64") != 0) {
        return fail(o->precision, "not one of f32, f64");
    }
    if (!o->table && !o->lines && o->part >= o->parts)
        return fail("--part", "must be below --parts");
    return true;
}

static struct c_vector_target target_of(const struct options *o)
{
    bool single = strcmp(o->precision, "f32") == 0;
    int lanes = o->isa->bytes / (single ? 4 : 8);
    return (struct c_vector_target){o->isa->name, single, lanes > 0 ? lanes : 1, o->isa->fma};
}

/* ---- codelets ---- */

/* Calls visit for every codelet of a radix, with its IR; stops at the first failure. */
static bool each_codelet(int radix, weft_precision precision,
                         bool (*visit)(const struct ir *kernel, void *context), void *context)
{
    for (int kind = 0; kind < CODELET_KIND_COUNT; kind++) {
        if (!codelet_exists(kind, radix)) continue;
        arena *a = arena_create();
        const struct ir *kernel = a ? codelet_build(a, kind, radix, precision) : NULL;
        bool done = kernel ? visit(kernel, context) : fail("build", error_last());
        arena_destroy(&a);
        if (!done) return false;
    }
    return true;
}

struct printing {
    struct text text;
    struct c_vector_target target;
};

static bool print_codelet(const struct ir *kernel, void *context)
{
    struct printing *printing = context;
    c_vector_print(&printing->text, &printing->target, kernel);
    return printing->text.failed ? fail(kernel->name, error_last()) : true;
}

/* Every radix goes to the part that is smallest so far, the large ones first; codelets of one radix
 * stay together because they share functions. */
static bool print_part(struct text *t, const struct options *o)
{
    size_t size[MAX_PARTS] = {0};
    struct c_vector_target target = target_of(o);
    const weft_precision precision = target.single ? WEFT_F32 : WEFT_F64;
    c_vector_prologue(t, &target);
    for (int radix = MAX_RADIX; radix >= 2; radix--) {
        struct printing printing = {TEXT_EMPTY, target};
        int smallest = 0;
        for (int i = 1; i < o->parts; i++) {
            if (size[i] < size[smallest]) smallest = i;
        }
        bool done = each_codelet(radix, precision, print_codelet, &printing);
        size[smallest] += printing.text.length;
        if (done && smallest == o->part) text_append(t, "%s", text_chars(&printing.text));
        text_free(&printing.text);
        if (!done) return false;
    }
    return true;
}

/* ---- lines ---- */

static bool print_line(struct text *t, const struct c_vector_target *target,
                       const struct line *line, bool inverse)
{
    arena *a = arena_create();
    const weft_precision precision = target->single ? WEFT_F32 : WEFT_F64;
    const struct ir *kernel = a ? line_build(a, line, inverse, precision) : NULL;
    if (kernel) c_line_print(t, target, kernel);
    const bool done = kernel && !t->failed;
    arena_destroy(&a);
    return done ? true : fail("a line codelet", error_last());
}

static bool print_lines(struct text *t, const struct options *o)
{
    struct c_vector_target target = target_of(o);
    const int lanes = target.lanes;
    target.lanes = o->lines;
    c_vector_prologue(t, &target);
    for (int n = 2; n <= LINE_MAX_LENGTH; n++) {
        const struct line *line = line_find(lanes, n);
        if (!line || line->width != o->lines) continue;
        if (!print_line(t, &target, line, false) || !print_line(t, &target, line, true)) {
            return false;
        }
    }
    return true;
}

/* ---- table ---- */

static void print_line_entry(struct text *t, const struct c_vector_target *target, int n,
                             const char *before, const char *between, const char *after)
{
    char name[64];
    if (!line_find(target->lanes, n)) return;
    text_append(t, before, n);
    snprintf(name, sizeof name, "line_%d", n);
    c_vector_name(t, target, name);
    text_append(t, "%s", between);
    snprintf(name, sizeof name, "line_inverse_%d", n);
    c_vector_name(t, target, name);
    text_append(t, "%s\n", after);
}

static void print_table_entry(struct text *t, const struct c_vector_target *target, int kind,
                              int radix, const char *before, const char *after)
{
    char name[64];
    if (!codelet_exists(kind, radix)) return;
    snprintf(name, sizeof name, "%s_%d", codelet_kinds[kind].name, radix);
    text_append(t, before, radix);
    c_vector_name(t, target, name);
    text_append(t, "%s\n", after);
}

static void print_table(struct text *t, const struct options *o)
{
    struct c_vector_target target = target_of(o);
    text_append(t, "#include \"device/cpu/codelet.h\"\n#pragma GCC visibility push(hidden)\n");
    for (int kind = 0; kind < CODELET_KIND_COUNT; kind++) {
        for (int radix = 2; radix <= MAX_RADIX; radix++) {
            print_table_entry(t, &target, kind, radix, "extern codelet_function ", ";");
        }
    }
    for (int n = 2; n <= LINE_MAX_LENGTH; n++)
        print_line_entry(t, &target, n, "extern codelet_function ", ", ", ";");
    text_append(t, "static codelet_function *const line[%d][2] = {\n[0] = {0, 0},\n",
                LINE_MAX_LENGTH + 1);
    for (int n = 2; n <= LINE_MAX_LENGTH; n++)
        print_line_entry(t, &target, n, "[%d] = {", ", ", "},");
    text_append(t, "};\nstatic codelet_function *const function[%d][CODELET_MAX_RADIX + 1] = {\n",
                CODELET_KIND_COUNT);
    for (int kind = 0; kind < CODELET_KIND_COUNT; kind++) {
        text_append(t, "{\n");
        for (int radix = 2; radix <= MAX_RADIX; radix++) {
            print_table_entry(t, &target, kind, radix, "[%d] = ", ",");
        }
        text_append(t, "},\n");
    }
    text_append(t,
                "};\n#pragma GCC visibility pop\n"
                "const struct codelet_set codelets_%s_%s = {\"%s\", %d, function, line};\n",
                o->isa->name, o->precision, o->isa->name, target.lanes);
}

/* ---- counts ---- */

static void print_count(const char *name, const struct ir *kernel)
{
    struct ir_counts c = ir_count(kernel);
    printf("%-24s %4d adds %4d multiplies %4d fmas %3d negations %4d loads %4d stores\n", name,
           c.adds, c.multiplies, c.fmas, c.negations, c.loads, c.stores);
}

static bool count_codelet(const struct ir *kernel, void *context)
{
    (void)context;
    print_count(kernel->name, kernel);
    return true;
}

/* The plain butterfly is the part of a codelet that does not depend on its kind. */
static bool count_butterfly(int radix)
{
    struct ir_complex x[MAX_RADIX];
    char name[32];
    arena *a = arena_create();
    struct ir_builder *b = a ? ir_begin(a, "butterfly", 1) : NULL;
    int buffer = b ? ir_buffer(b, "x", IR_GLOBAL, true, 0) : 0;
    for (int i = 0; i < 2 * radix && b; i++) {
        ir_value value = ir_load(b, buffer, ir_int(b, i));
        *(i % 2 ? &x[i / 2].im : &x[i / 2].re) = value;
    }
    if (b) butterfly(b, WEFT_F64, radix, x);
    for (int i = 0; i < 2 * radix && b; i++) {
        ir_store(b, buffer, ir_int(b, i), i % 2 ? x[i / 2].im : x[i / 2].re);
    }
    const struct ir *kernel = b ? ir_finish(b) : NULL;
    snprintf(name, sizeof name, "butterfly_%d", radix);
    if (kernel) print_count(name, kernel);
    arena_destroy(&a);
    return kernel ? true : fail(name, error_last());
}

static bool print_counts(void)
{
    for (int radix = 2; radix <= MAX_RADIX; radix++) {
        if (!count_butterfly(radix)) return false;
    }
    for (int radix = 2; radix <= MAX_RADIX; radix++) {
        if (!each_codelet(radix, WEFT_F64, count_codelet, NULL)) return false;
    }
    return true;
}

/* ---- output ---- */

static bool write_file(const char *path, const struct text *t)
{
    FILE *file = fopen(path, "w");
    if (!file) return fail(path, "cannot be opened for writing");
    bool written = fwrite(t->data, 1, t->length, file) == t->length;
    written = fclose(file) == 0 && written;
    return written ? true : fail(path, "cannot be written");
}

int main(int argc, char **argv)
{
    struct options options = {0};
    struct text text = TEXT_EMPTY;
    if (!parse(argc, argv, &options)) return 1;
    if (options.counts) return print_counts() ? 0 : 1;
    bool done = true;
    if (options.table) {
        print_table(&text, &options);
    } else if (options.lines) {
        done = print_lines(&text, &options);
    } else {
        done = print_part(&text, &options);
    }
    if (done && text.failed) done = fail(options.output, "out of memory");
    done = done && write_file(options.output, &text);
    text_free(&text);
    return done ? 0 : 1;
}
