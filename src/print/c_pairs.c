/* Kernels on vectors of pairs: the same pair of several rows, or of lanes beside each other. */
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "print/c_pair.h"
#include "print/c_pair_form.h"

enum { MOST_LEGS = 32 };

struct printer {
    struct c_pair_printer pairs;
    struct text *text;
    enum c_pairs_form form;
    int64_t rows;    /* of a vector, or lanes */
    int64_t base[2]; /* the leg that the pointers of either end are at */
};

static const struct ir_node *node_of(const struct printer *p, ir_value n)
{
    return &p->pairs.kernel->node[n];
}

static bool is_factor(const struct printer *p, ir_value access)
{
    return strcmp(p->pairs.kernel->buffer[node_of(p, access)->buffer].name, "twiddles") == 0;
}

/* ---- places ---- */

static const char *const end_name[2] = {"in", "out"};

/* Legs that are reached from one that has pointers, by one of four distances, scaled. */
#define LEGS_OF_BASE 8

static bool is_beside(const struct printer *p, int end)
{
    return p->form == C_PAIRS_LEAVE || (p->form == C_PAIRS_OPEN && end == 0);
}

/* Moves the pointers of an end on if those are too far back for the leg. */
static void print_base(struct printer *p, int end, int64_t leg)
{
    while (leg > p->base[end] + LEGS_OF_BASE) {
        p->base[end] += LEGS_OF_BASE;
        text_append(p->text, "MOVE_%s(%s)\n", is_beside(p, end) ? "BESIDE" : "ON", end_name[end]);
    }
}

/* How far behind it a leg lies. */
static void print_distance(struct printer *p, int end, int64_t leg)
{
    int64_t odd = leg - p->base[end], scale = 1;
    for (; odd % 2 == 0; odd /= 2)
        scale *= 2;
    text_append(p->text, "%lld * %s_by%lld", (long long)scale, end_name[end], (long long)odd);
}

static void print_place(struct printer *p, int end, ir_value access)
{
    const int64_t leg = c_pair_address(&p->pairs, access) / 2;
    if (leg == 0) {
        text_append(p->text, "%s_first, 0", end_name[end]);
    } else {
        text_append(p->text, "%s, ", end_name[end]);
        print_distance(p, end, leg);
    }
}

/* Strides are hidden from the compiler, which would keep each leg's distance otherwise
 * (print/c_vector_address.c). */
static void print_distances(struct printer *p, int end)
{
    const char *name = end_name[end];
    text_append(p->text,
                "int64_t %s_by1 = 2 * BYTES * shape->%s_leg;\n"
                "__asm__(\"\" : \"+r\"(%s_by1));\n",
                name, name, name);
    for (int odd = 3; odd < LEGS_OF_BASE; odd += 2)
        text_append(p->text, "const int64_t %s_by%d = %d * %s_by1;\n(void)%s_by%d;\n", name, odd,
                    odd, name, name, odd);
}

/* ---- accesses ---- */

/* Whether it is the access of this kind to the first of two neighbours. */
static bool is_first(const struct printer *p, ir_value n, enum ir_op op)
{
    return node_of(p, n)->op == op && c_pair_address(&p->pairs, n) % 2 == 0;
}

static void print_load(struct printer *p, ir_value n)
{
    const int64_t place = c_pair_address(&p->pairs, n);
    text_append(p->text, "const vec v%d = ", (int)n);
    if (is_factor(p, n)) {
        text_append(p->text, "LOAD(turns + %lld", (long long)(p->rows * place));
    } else {
        text_append(p->text, "LOAD_%s(", is_beside(p, 0) ? "BESIDE" : "PAIR");
        print_place(p, 0, n);
    }
    text_append(p->text, ");\n");
    p->pairs.partner[n] = c_pair_neighbour(&p->pairs, n);
}

static void print_loads(struct printer *p)
{
    for (ir_value n = 0; n < p->pairs.kernel->count; n++) {
        if (!is_first(p, n, IR_LOAD)) continue;
        if (!is_factor(p, n)) print_base(p, 0, c_pair_address(&p->pairs, n) / 2);
        print_load(p, n);
    }
}

/* Of a store, with a name. */
static struct c_pair stored(struct printer *p, ir_value n)
{
    const ir_value other = c_pair_neighbour(&p->pairs, n);
    if (other == IR_NONE) {
        c_pair_refuse(&p->pairs);
        return (struct c_pair){{IR_NONE, IR_NONE}};
    }
    const struct c_pair x = {{node_of(p, n)->a, node_of(p, other)->a}};
    c_pair_define(&p->pairs, x);
    return x;
}

static void print_stores(struct printer *p)
{
    for (ir_value n = 0; n < p->pairs.kernel->count && !p->text->failed; n++) {
        if (!is_first(p, n, IR_STORE)) continue;
        const struct c_pair x = stored(p, n);
        if (p->text->failed) return;
        print_base(p, 1, c_pair_address(&p->pairs, n) / 2);
        text_append(p->text, "STORE_%s(", is_beside(p, 1) ? "BESIDE" : "PAIR");
        print_place(p, 1, n);
        text_append(p->text, ", ");
        c_pair_print_name(&p->pairs, x);
        text_append(p->text, ");\n");
    }
}

static int64_t count(const struct printer *p, enum ir_op op, bool factors)
{
    int64_t pairs = 0;
    for (ir_value n = 0; n < p->pairs.kernel->count; n++)
        pairs += is_first(p, n, op) && is_factor(p, n) == factors;
    return pairs;
}

/* Of legs that are beside each other as many as a vector has lanes. */
static void print_run(struct printer *p, const struct c_pair *x, int64_t first)
{
    text_append(p->text, "STORE_TURNED(%lld * BYTES", (long long)(2 * first));
    for (int64_t leg = first; leg < first + p->rows; leg++) {
        text_append(p->text, ", ");
        c_pair_print_name(&p->pairs, x[leg]);
    }
    text_append(p->text, ");\n");
}

/* Transposed. The last vector overlaps the one before, as that which reads it does. */
static void print_transposed(struct printer *p)
{
    struct c_pair x[MOST_LEGS];
    int64_t legs = 0;
    for (ir_value n = 0; n < p->pairs.kernel->count && legs < MOST_LEGS; n++) {
        if (!is_first(p, n, IR_STORE)) continue;
        x[legs++] = stored(p, n);
        if (p->text->failed) return;
        if (legs % p->rows == 0) print_run(p, x, legs - p->rows);
    }
    if (legs % p->rows != 0) print_run(p, x, legs - p->rows);
}

/* ---- rows anywhere ---- */

/* Rows that are missing are the last one again. */
static void print_rows(struct printer *p, int end, const char *type, const char *turn)
{
    const char *name = end_name[end];
    text_append(p->text, "%s%s_first0 = %s;\n%s%s0 = %s%s;\n", type, name, name, type, name, name,
                turn);
    for (int64_t row = 1; row < p->rows; row++) {
        text_append(p->text, "%s%s_first%lld = %s_first%lld + (rows > %lld ? %s_row : 0);\n", type,
                    name, (long long)row, name, (long long)row - 1, (long long)row, name);
        text_append(p->text, "%s%s%lld = %s_first%lld%s;\n", type, name, (long long)row, name,
                    (long long)row, turn);
    }
    print_distances(p, end);
}

/* The turn is that of the end which is read. */
static void print_body_of_rows(struct printer *p)
{
    text_append(p->text, "const char *in = (const char *)in_re;\n"
                         "char *out = (char *)out_re;\n"
                         "const int64_t turn = 2 * BYTES * shape->turn;\n");
    for (int end = 0; end < 2; end++)
        text_append(p->text, "const int64_t %s_row = 2 * BYTES * shape->%s_row;\n", end_name[end],
                    end_name[end]);
    text_append(p->text, "for (int64_t rows = shape->rows; rows > 0; rows -= ROWS) {\n");
    print_rows(p, 0, "const char *", " + turn");
    print_rows(p, 1, "char *", "");
    print_loads(p);
    print_stores(p);
    text_append(p->text, "in += ROWS * in_row;\nout += ROWS * out_row;\n}\n}\n");
}

/* ---- lanes beside each other ---- */

/* Where the lanes of a vector begin at the end that is written. */
static void print_lanes_out(struct printer *p)
{
    const long long legs = count(p, IR_STORE, false);
    if (p->form == C_PAIRS_LEAVE) {
        text_append(p->text, "char *const out_first0 = out + 2 * BYTES * lane;\n"
                             "char *out0 = out_first0;\n");
        return;
    }
    text_append(p->text, "char *const out0 = out + 2 * BYTES * %lld * lane;\n", legs);
    for (int64_t row = 1; row < p->rows; row++)
        text_append(p->text, "char *const out%lld = out%lld + 2 * BYTES * %lld;\n", (long long)row,
                    (long long)row - 1, legs);
}

/* The last vector of a row overlaps the one before. */
static void print_body_of_lanes(struct printer *p)
{
    text_append(p->text, "const int64_t turn = 2 * BYTES * shape->turn;\n"
                         "const int64_t last = shape->lanes - ROWS;\n");
    print_distances(p, 0);
    if (p->form == C_PAIRS_LEAVE) print_distances(p, 1);
    text_append(p->text, "const char *in = (const char *)in_re;\n"
                         "char *out = (char *)out_re;\n"
                         "for (int64_t row = 0; row < shape->rows; row++) {\n"
                         "const real *turns = (const real *)twiddles + shape->twiddle_plane;\n"
                         "(void)turns;\n"
                         "for (int64_t begin = 0; begin < shape->lanes; begin += ROWS) {\n"
                         "const int64_t lane = begin < last ? begin : last;\n"
                         "const char *const in_first0 = in + 2 * BYTES * lane;\n"
                         "const char *in0 = in_first0 + turn;\n");
    print_lanes_out(p);
    print_loads(p);
    if (p->form == C_PAIRS_OPEN) print_transposed(p);
    else print_stores(p);
    text_append(p->text, "turns += 2 * ROWS * %lld;\n}\n"
                "in += 2 * BYTES * shape->in_row;\nout += 2 * BYTES * shape->out_row;\n}\n}\n",
                (long long)count(p, IR_LOAD, true));
}

/* ---- files ---- */

/* Pairs that fill a vector. */
static int64_t rows_of(const struct c_vector_target *target)
{
    return target->single ? 4 : 2;
}

static const char rows_of_doubles[] =
    "#define ROWS 2\n"
    "#define PAIR(x, y) ((vec){x, y, x, y})\n"
    "#define SWAP(v) _mm256_permute_pd(v, 5)\n"
    "#define LOAD_PAIR(x, at) _mm256_insertf128_pd(_mm256_castpd128_pd256( \\\n"
    "    _mm_loadu_pd((const real *)(x##0 + (at)))), _mm_loadu_pd((const real *)(x##1 + (at))), "
    "1)\n"
    "#define STORE_PAIR(x, at, v) do { const vec stored = v; \\\n"
    "    _mm_storeu_pd((real *)(x##0 + (at)), _mm256_castpd256_pd128(stored)); \\\n"
    "    _mm_storeu_pd((real *)(x##1 + (at)), _mm256_extractf128_pd(stored, 1)); } while (0)\n"
    "#define MOVE_ON(x) x##0 += 8 * x##_by1; x##1 += 8 * x##_by1; \\\n"
    "    __asm__(\"\" : \"+r\"(x##0), \"+r\"(x##1));\n"
    "#define STORE_TURNED(at, v, w) do { const vec first = v, second = w; \\\n"
    "    STORE(out0 + (at), _mm256_insertf128_pd(first, _mm256_castpd256_pd128(second), 1)); \\\n"
    "    STORE(out1 + (at), _mm256_permute2f128_pd(first, second, 0x31)); } while (0)\n";

/* Pairs of singles are moved as doubles. */
static const char rows_of_singles[] =
    "#define ROWS 4\n"
    "#define PAIR(x, y) ((vec){x, y, x, y, x, y, x, y})\n"
    "#define SWAP(v) _mm256_permute_ps(v, 0xb1)\n"
    "#define TWO(p, q) _mm_loadh_pi(_mm_castsi128_ps(_mm_loadl_epi64( \\\n"
    "    (const __m128i *)(const void *)(p))), (const __m64 *)(const void *)(q))\n"
    "#define LOAD_PAIR(x, at) _mm256_insertf128_ps(_mm256_castps128_ps256( \\\n"
    "    TWO(x##0 + (at), x##1 + (at))), TWO(x##2 + (at), x##3 + (at)), 1)\n"
    "#define STORE_PAIR(x, at, v) do { const vec stored = v; \\\n"
    "    const __m128 low = _mm256_castps256_ps128(stored); \\\n"
    "    const __m128 high = _mm256_extractf128_ps(stored, 1); \\\n"
    "    _mm_storel_pi((__m64 *)(void *)(x##0 + (at)), low); \\\n"
    "    _mm_storeh_pi((__m64 *)(void *)(x##1 + (at)), low); \\\n"
    "    _mm_storel_pi((__m64 *)(void *)(x##2 + (at)), high); \\\n"
    "    _mm_storeh_pi((__m64 *)(void *)(x##3 + (at)), high); } while (0)\n"
    "#define MOVE_ON(x) x##0 += 8 * x##_by1; x##1 += 8 * x##_by1; \\\n"
    "    x##2 += 8 * x##_by1; x##3 += 8 * x##_by1; \\\n"
    "    __asm__(\"\" : \"+r\"(x##0), \"+r\"(x##1), \"+r\"(x##2), \"+r\"(x##3));\n"
    "#define WIDE(v) _mm256_castps_pd(v)\n"
    "#define LOW(v) _mm256_castpd256_pd128(v)\n"
    "#define WHOLE(p, v) _mm256_storeu_pd((double *)(void *)(p), v)\n"
    "#define EVEN(v, w) _mm256_unpacklo_pd(WIDE(v), WIDE(w))\n"
    "#define ODD(v, w) _mm256_unpackhi_pd(WIDE(v), WIDE(w))\n"
    "#define STORE_TURNED(at, v, w, x, y) do { \\\n"
    "    const __m256d even = EVEN(v, w), even2 = EVEN(x, y); \\\n"
    "    const __m256d odd = ODD(v, w), odd2 = ODD(x, y); \\\n"
    "    WHOLE(out0 + (at), _mm256_insertf128_pd(even, LOW(even2), 1)); \\\n"
    "    WHOLE(out1 + (at), _mm256_insertf128_pd(odd, LOW(odd2), 1)); \\\n"
    "    WHOLE(out2 + (at), _mm256_permute2f128_pd(even, even2, 0x31)); \\\n"
    "    WHOLE(out3 + (at), _mm256_permute2f128_pd(odd, odd2, 0x31)); } while (0)\n";

static const char lanes_beside[] =
    "#define LOAD_BESIDE(x, at) LOAD(x##0 + (at))\n"
    "#define STORE_BESIDE(x, at, v) STORE(x##0 + (at), v)\n"
    "#define MOVE_BESIDE(x) x##0 += 8 * x##_by1; __asm__(\"\" : \"+r\"(x##0));\n";

void c_pairs_prologue(struct text *t, const struct c_vector_target *target)
{
    struct c_vector_target vector = *target;
    vector.lanes = 2 * (int)rows_of(target);
    c_vector_prologue(t, &vector);
    text_append(t, "%s%s", target->single ? rows_of_singles : rows_of_doubles, lanes_beside);
}

void c_pairs_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel,
                   enum c_pairs_form form)
{
    arena *a = arena_create();
    struct printer p = {.pairs = {.text = t, .target = target},
                        .text = t,
                        .form = form,
                        .rows = rows_of(target)};
    if (a && c_pair_begin(&p.pairs, a, kernel)) {
        c_vector_print_head(t, target, p.pairs.kernel);
        (form == C_PAIRS_APART ? print_body_of_rows : print_body_of_lanes)(&p);
    } else {
        t->failed = true;
    }
    arena_destroy(&a);
}
