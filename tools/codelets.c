/* The codelet generator: run while weft is built.
 *
 *     codelets --isa NAME --precision f32|f64 [--legs] --part I --parts N --output FILE.c
 *     codelets --isa NAME --precision f32|f64 --lines WIDTH --output FILE.c
 *     codelets --isa NAME --precision f32|f64 --pairs [--beside | --lines WIDTH] --output FILE.c
 *     codelets --isa NAME --precision f32|f64 [--legs] --table --output FILE.c
 *     codelets --counts
 *
 * A set (an instruction set and a precision) is printed in N parts of about equal size, which
 * compile side by side, its line codelets in a file for each width of vectors (2, 4, 8, 16; 1:
 * pairs) that they use, and a table of all its functions. Where a butterfly is a function of its
 * own, or sums (sums.h), most of its codelets are what that can be made into. With --legs most of
 * all are what one codelet of each radix can be made into: short, and slow. --counts prints the
 * operations of every butterfly and of every codelet. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "counts.h"
#include "exchange.h"
#include "kernel/codelet.h"
#include "kernel/line.h"
#include "lines.h"
#include "options.h"
#include "print/c_pair.h"
#include "print/c_vector.h"
#include "spec/limits.h"
#include "sums.h"

/* ---- codelets ---- */

/* Bytes of a vector. Planes are streamed in whole lines: a row has more than processors begin. */
static int least_bytes(enum codelet_kind kind)
{
    if (!codelet_is_optional(kind)) return 0;
    const struct codelet_shape_of_kind *k = &codelet_kinds[kind];
    return k->out == CODELET_PLANAR || k->in == CODELET_PARTED ? 64 : 32;
}

/* The longest butterfly between pairs that 16 vectors hold about as well as memory does. */
#define LONGEST_NARROW 25

/* What is transposed has a vector's legs at least; the longest butterflies take 32 vectors. */
static bool holds_pairs(const struct options *o, enum codelet_kind kind, int radix)
{
    const int pairs = options_target(o).lanes / 2;
    if (kind == CODELET_PAIRS) return true;
    if (kind == CODELET_PAIRS_PARTED && (o->isa->bytes != 32 || o->isa->steps)) return false;
    if (kind != CODELET_PAIRS_LEAVE && radix < pairs) return false;
    return o->isa->bytes == 64 || (radix <= LONGEST_NARROW && radix != 18 && radix != 24);
}

/* Where there are pairs, packs are only what is faster by them. */
static bool in_set(const struct options *o, enum codelet_kind kind, int radix)
{
    const struct isa *isa = o->isa;
    const bool packs = codelet_packs(options_precision(o), radix);
    if (isa->steps && (kind == CODELET_PAIRS || !codelet_takes_pairs(kind))) return false;
    if (codelet_takes_pairs(kind))
        return isa->pairs && codelet_exists(kind, radix) && holds_pairs(o, kind, radix);
    if (isa->pairs && codelet_kinds[kind].in == CODELET_PACKED && !packs) return false;
    if (isa->wholes && kind != CODELET_WHOLE) return false;
    if (isa->bytes < least_bytes(kind)) return false;
    const bool large = isa->most > 0 && radix > isa->most && !codelet_kinds[kind].identity;
    if (large && (isa->wholes || !sums_suit(radix))) return false;
    return codelet_exists(kind, radix);
}

/* Whether the set does this codelet's work leg by leg. */
static bool by_legs(const struct options *o, enum codelet_kind kind, int radix)
{
    if (!o->legs || kind == CODELET_STEP_PLAIN || !in_set(o, kind, radix)) return false;
    if (sums_suit(radix)) return false;
    return codelet_kinds[kind].identity || codelet_exists(CODELET_STEP_PLAIN, radix);
}

/* Whether the set does it around the radix's core (src/device/cpu/core.h): a core is a function on
 * arrays, so nothing is gained by what lies around it being straight-line code. */
static bool by_core(const struct options *o, enum codelet_kind kind, int radix)
{
    const struct codelet_shape_of_kind *k = &codelet_kinds[kind];
    if (codelet_takes_pairs(kind)) return false;
    if (sums_suit(radix)) return in_set(o, kind, radix);
    const bool outlined = o->isa->bytes > 0 && o->outlined[k->seldom][radix];
    return outlined && in_set(o, kind, radix) && !k->streams && !k->identity &&
           k->in <= CODELET_INTERLEAVED && k->out <= CODELET_INTERLEAVED;
}

/* The kind whose codelets do what those of a kind do. */
static int own_kind(const struct options *o, int kind)
{
    return kind == CODELET_PACK_INVERSE && o->isa->turns ? CODELET_PACK : kind;
}

/* Calls visit for every codelet of a radix that the set has, with its IR; stops at the first
 * failure. */
static bool each_codelet(const struct options *o, int radix,
                         bool (*visit)(enum codelet_kind kind, int radix, const struct ir *kernel,
                                       void *context),
                         void *context)
{
    for (int kind = 0; kind < CODELET_KIND_COUNT; kind++) {
        if (!in_set(o, kind, radix) || by_legs(o, kind, radix)) continue;
        if (by_core(o, kind, radix) || kind != own_kind(o, kind)) continue;
        if (o->pairs != codelet_takes_pairs(kind)) continue;
        if (o->pairs && o->beside != (kind != CODELET_PAIRS)) continue;
        arena *a = arena_create();
        const struct ir *kernel = a ? codelet_build(a, kind, radix, options_precision(o)) : NULL;
        bool done = kernel && visit(kind, radix, kernel, context);
        if (!kernel) options_fail("build", error_last());
        arena_destroy(&a);
        if (!done) return false;
    }
    return true;
}

/* Fills in which radices' butterflies are functions of their own. */
static bool find_outlined(struct options *o)
{
    struct c_vector_target target = options_target(o);
    const weft_precision precision = target.single ? WEFT_F32 : WEFT_F64;
    for (int radix = 2; radix <= LIMITS_MAX_RADIX; radix++) {
        if (!in_set(o, CODELET_WHOLE, radix) || sums_suit(radix)) continue;
        arena *a = arena_create();
        const struct ir *kernel = a ? codelet_build(a, CODELET_WHOLE, radix, precision) : NULL;
        for (int seldom = 0; seldom < 2 && kernel; seldom++) {
            target.seldom = seldom == 1;
            o->outlined[seldom][radix] = c_vector_outlines(&target, kernel);
        }
        arena_destroy(&a);
        if (!kernel) return options_fail("build", error_last());
    }
    return true;
}

struct printing {
    struct text text;
    struct c_vector_target target;
    struct c_exchange *exchange; /* of packed ends */
    bool masks, lean;            /* the set has them; it is so */
};

/* The planes that a codelet asks for; NULL: it asks for none. */
static const char *fetches(enum codelet_kind kind)
{
    const struct codelet_shape_of_kind *k = &codelet_kinds[kind];
    if (!k->fetches) return NULL;
    return k->in == CODELET_PLANAR ? "in_re, in_im" : "in_re, (const void *)0";
}

/* Whether the set's codelets of this kind and radix, if printed, have woven lanes. */
static bool is_woven(const struct c_vector_target *target, enum codelet_kind kind, int radix)
{
    return codelet_kinds[kind].woven && c_vector_weaves(target, radix);
}

/* What turns numbers, or has all of a line in a lane, is slower so. */
static bool can_be_lean(enum codelet_kind kind)
{
    const enum codelet_end out = codelet_kinds[kind].out;
    return out == CODELET_PLANAR || out == CODELET_INTERLEAVED;
}

static bool print_codelet(enum codelet_kind kind, int radix, const struct ir *kernel, void *context)
{
    struct printing *printing = context;
    printing->target.streams = codelet_kinds[kind].streams;
    printing->target.fetches = fetches(kind);
    printing->target.exchange =
        codelet_kinds[kind].in == CODELET_PACKED ? printing->exchange : NULL;
    printing->target.onward = codelet_kinds[kind].onward && !printing->target.small;
    printing->target.masks = codelet_kinds[kind].narrow && printing->masks;
    printing->target.seldom = codelet_kinds[kind].seldom;
    printing->target.woven = is_woven(&printing->target, kind, radix);
    printing->target.in_turn = codelet_kinds[kind].in_turn && printing->masks;
    printing->target.lean = printing->lean && can_be_lean(kind);
    c_vector_print(&printing->text, &printing->target, kernel);
    return printing->text.failed ? options_fail(kernel->name, error_last()) : true;
}

static bool print_core(struct text *t, const struct c_vector_target *target, int radix)
{
    char name[32];
    arena *a = arena_create();
    const weft_precision precision = target->single ? WEFT_F32 : WEFT_F64;
    const struct ir *kernel = a ? codelet_build(a, CODELET_WHOLE, radix, precision) : NULL;
    snprintf(name, sizeof name, "core_%d", radix);
    if (kernel) c_vector_print_core(t, target, kernel, name);
    arena_destroy(&a);
    return kernel && !t->failed ? true : options_fail(name, error_last());
}

/* Every radix goes to the part that is smallest so far, the large ones first; codelets of one radix
 * stay together because they share functions. */
static bool print_part(struct text *t, struct options *o)
{
    size_t size[MAX_PARTS] = {0};
    struct c_vector_target target = options_target(o);
    target.exchange = o->isa->turns ? &o->exchange[CODELET_PACK_EXCHANGE] : NULL;
    c_vector_prologue(t, &target);
    for (int radix = LIMITS_MAX_RADIX; radix >= 2; radix--) {
        struct printing printing = {TEXT_EMPTY, target, target.exchange, o->isa->masks,
                                    o->isa->lean};
        int smallest = 0;
        for (int i = 1; i < o->parts; i++) {
            if (size[i] < size[smallest]) smallest = i;
        }
        const bool has_core = by_core(o, CODELET_WHOLE, radix) && !sums_suit(radix);
        bool done = !has_core || print_core(&printing.text, &target, radix);
        done = done && each_codelet(o, radix, print_codelet, &printing);
        size[smallest] += printing.text.length;
        if (done && smallest == o->part) text_append(t, "%s", text_chars(&printing.text));
        text_free(&printing.text);
        if (!done) return false;
    }
    return true;
}

/* ---- pairs ---- */

static enum c_pairs_step step_of(enum codelet_kind kind)
{
    if (kind == CODELET_PAIRS_PARTED) return C_PAIRS_PARTED;
    return kind == CODELET_PAIRS_OPEN ? C_PAIRS_OPEN : C_PAIRS_LEAVE;
}

static bool print_pairs_of(enum codelet_kind kind, int radix, const struct ir *kernel,
                           void *context)
{
    struct printing *printing = context;
    (void)radix;
    if (kind == CODELET_PAIRS)
        c_pairs_print(&printing->text, &printing->target, kernel);
    else
        c_pairs_beside_print(&printing->text, &printing->target, kernel, step_of(kind));
    return printing->text.failed ? options_fail(kernel->name, error_last()) : true;
}

static bool print_pairs(struct text *t, struct options *o)
{
    struct printing printing = {.text = TEXT_EMPTY, .target = options_target(o)};
    bool done = true;
    (o->beside ? c_pairs_beside_prologue : c_pairs_prologue)(&printing.text, &printing.target);
    for (int radix = 2; done && radix <= LIMITS_MAX_RADIX; radix++)
        done = each_codelet(o, radix, print_pairs_of, &printing);
    text_append(t, "%s", text_chars(&printing.text));
    text_free(&printing.text);
    return done;
}

/* ---- table ---- */

static void print_line_name(struct text *t, const struct options *o, const struct line *line,
                            int kind)
{
    const struct c_vector_target target = options_target(o);
    char name[64];
    snprintf(name, sizeof name, "%s_%d", line_name(lines_own_kind(o, line, kind)), line->n);
    c_vector_name(t, &target, name);
}

/* NULL: the set has none. */
static const struct line *line_of(const struct options *o, int n)
{
    return o->isa->lines ? line_find(options_target(o).lanes, options_precision(o), n) : NULL;
}

static void print_line_declarations(struct text *t, const struct options *o)
{
    for (int i = 0; i < (LINE_MAX_LENGTH + 1) * LINE_KINDS; i++) {
        const struct line *line = line_of(o, i / LINE_KINDS);
        if (!line) continue;
        text_append(t, "extern codelet_function ");
        print_line_name(t, o, line, i % LINE_KINDS);
        text_append(t, ";\n");
    }
}

/* How many there are. */
static int print_lines_of_table(struct text *t, const struct options *o)
{
    int count = 0;
    text_append(t, "static const struct codelet_line line[] = {\n");
    for (int n = 0; n <= LINE_MAX_LENGTH; n++) {
        const struct line *line = line_of(o, n);
        if (!line) continue;
        text_append(t, "{%d, {", n);
        for (int kind = 0; kind < LINE_KINDS; kind++) {
            print_line_name(t, o, line, kind);
            text_append(t, kind + 1 < LINE_KINDS ? ", " : "}},\n");
        }
        count++;
    }
    text_append(t, count ? "};\n" : "{0}};\n");
    return count;
}

static void print_codelet_name(struct text *t, const struct options *o, int kind, int radix)
{
    const struct c_vector_target target = options_target(o);
    char name[64];
    snprintf(name, sizeof name, "%s_%d", codelet_kinds[own_kind(o, kind)].name, radix);
    c_vector_name(t, &target, name);
}

/* Sums are the same for all sets. */
static void print_core_name(struct text *t, const struct options *o, int radix)
{
    text_append(t, "codelet_%s_%s_core_%d", sums_suit(radix) ? "sums" : o->isa->name, o->precision,
                radix);
}

static void print_table_declaration(struct text *t, const struct options *o, int kind, int radix)
{
    if (!in_set(o, kind, radix) || by_legs(o, kind, radix) || by_core(o, kind, radix)) return;
    text_append(t, "extern codelet_function ");
    print_codelet_name(t, o, kind, radix);
    text_append(t, ";\n");
}

static void print_table_entry(struct text *t, const struct options *o, int kind, int radix)
{
    if (!in_set(o, kind, radix)) return;
    text_append(t, "[%d] = ", radix);
    if (by_legs(o, kind, radix))
        text_append(t, "codelet_by_legs_%s", o->precision);
    else if (by_core(o, kind, radix))
        text_append(t, "codelet_by_core_%s_%s", o->isa->name, o->precision);
    else
        print_codelet_name(t, o, kind, radix);
    text_append(t, ",\n");
}

static void print_cores(struct text *t, const struct options *o)
{
    const bool cores = !o->isa->wholes;
    for (int radix = 2; radix <= LIMITS_MAX_RADIX && cores; radix++) {
        if (!by_core(o, CODELET_WHOLE, radix)) continue;
        text_append(t, "extern const struct codelet_core ");
        print_core_name(t, o, radix);
        text_append(t, ";\n");
        if (strcmp(o->isa->name, "scalar") == 0)
            sums_print(t, options_precision(o) == WEFT_F32, radix);
    }
    text_append(t, "static const struct codelet_core *const core[CODELET_MAX_RADIX + 1] = {\n"
                   "[0] = 0,\n");
    for (int radix = 2; radix <= LIMITS_MAX_RADIX && cores; radix++) {
        if (!by_core(o, CODELET_WHOLE, radix)) continue;
        text_append(t, "[%d] = &", radix);
        print_core_name(t, o, radix);
        text_append(t, ",\n");
    }
    text_append(t, "};\n");
}

static void print_table_head(struct text *t, const struct options *o)
{
    text_append(t, "#include \"device/cpu/core.h\"\n#include \"device/cpu/legs.h\"\n"
                   "#pragma GCC visibility push(hidden)\n");
    print_cores(t, o);
}

/* Around cores there are no masks. */
static unsigned narrow_radices(const struct options *o)
{
    unsigned radices = 0;
    for (int radix = 2; radix < 32 && o->isa->masks; radix++) {
        if (codelet_exists(CODELET_LEAVE, radix) && !by_core(o, CODELET_LEAVE, radix))
            radices |= 1u << radix;
    }
    return radices;
}

static unsigned woven_radices(const struct options *o)
{
    const struct c_vector_target target = options_target(o);
    unsigned radices = 0;
    for (int radix = 2; radix < 32 && !o->legs; radix++) {
        if (!in_set(o, CODELET_OPEN, radix) || by_core(o, CODELET_OPEN, radix)) continue;
        if (is_woven(&target, CODELET_OPEN, radix)) radices |= 1u << radix;
    }
    return radices;
}

/* Prints what all codelets of a set that turns shuffle. */
static bool print_exchange(struct text *t, struct options *o)
{
    const struct c_vector_target target = options_target(o);
    struct text scratch = TEXT_EMPTY;
    bool done = true;
    o->parts = 1;
    for (o->lines = 2; done && o->isa->turns && o->lines < CODELET_EXCHANGES; o->lines *= 2)
        done = lines_print(&scratch, o);
    if (o->isa->turns) done = done && print_part(&scratch, o);
    exchange_print(t, &target, o->exchange);
    text_free(&scratch);
    return done;
}

static bool print_table(struct text *t, struct options *o)
{
    struct c_vector_target target = options_target(o);
    print_table_head(t, o);
    for (int kind = 0; kind < CODELET_KIND_COUNT; kind++) {
        for (int radix = 2; radix <= LIMITS_MAX_RADIX; radix++) {
            print_table_declaration(t, o, kind, radix);
        }
    }
    print_line_declarations(t, o);
    const int lines = print_lines_of_table(t, o);
    text_append(t, "static codelet_function *const function[%d][CODELET_MAX_RADIX + 1] = {\n",
                CODELET_KIND_COUNT);
    for (int kind = 0; kind < CODELET_KIND_COUNT; kind++) {
        text_append(t, "{[0] = 0,\n");
        for (int radix = 2; radix <= LIMITS_MAX_RADIX; radix++) {
            print_table_entry(t, o, kind, radix);
        }
        text_append(t, "},\n");
    }
    text_append(t, "};\n");
    const bool done = print_exchange(t, o);
    text_append(t,
                "#pragma GCC visibility pop\n"
                "const struct codelet_set codelets_%s_%s = "
                "{\"%s\", %d, function, line, %d, core, exchange, %uu, %uu};\n",
                o->isa->name, o->precision, o->isa->name, target.lanes, lines, narrow_radices(o),
                woven_radices(o));
    return done;
}

/* ---- counts ---- */

static bool count_codelet(enum codelet_kind kind, int radix, const struct ir *kernel, void *context)
{
    (void)kind, (void)radix, (void)context;
    counts_print(kernel->name, kernel);
    return true;
}

static bool print_counts(void)
{
    const struct options all = {.isa = options_isa("scalar"), .precision = "f64"};
    for (int radix = 2; radix <= COUNTS_MOST; radix++) {
        if (!counts_print_butterfly(radix)) return options_fail("a butterfly", error_last());
    }
    for (int radix = 2; radix <= LIMITS_MAX_RADIX; radix++) {
        if (!each_codelet(&all, radix, count_codelet, NULL)) return false;
    }
    return true;
}

/* ---- output ---- */

static bool write_file(const char *path, const struct text *t)
{
    FILE *file = fopen(path, "w");
    if (!file) return options_fail(path, "cannot be opened for writing");
    bool written = fwrite(t->data, 1, t->length, file) == t->length;
    written = fclose(file) == 0 && written;
    return written ? true : options_fail(path, "cannot be written");
}

int main(int argc, char **argv)
{
    static struct options options;
    struct text text = TEXT_EMPTY;
    if (!options_parse(argc, argv, &options)) return 1;
    if (options.counts) return print_counts() ? 0 : 1;
    bool done = find_outlined(&options);
    done = done && (options.table                    ? print_table
                    : options.pairs && options.lines ? lines_print_pairs
                    : options.pairs                  ? print_pairs
                    : options.lines                  ? lines_print
                                    : print_part)(&text, &options);
    if (done && text.failed) done = options_fail(options.output, "out of memory");
    done = done && write_file(options.output, &text);
    text_free(&text);
    return done ? 0 : 1;
}
