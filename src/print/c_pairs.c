/* Kernels on vectors of pairs: the same pair of several rows. */
#include "base/arena.h"
#include "print/c_pair.h"
#include "print/c_pairs_access.h"

/* Rows that are missing are the last one again. */
static void print_rows(struct c_pairs_printer *p, int end, const char *type, const char *turn)
{
    const char *const name = end == 0 ? "in" : "out";
    text_append(p->text, "%s%s_first0 = %s;\n%s%s0 = %s%s;\n", type, name, name, type, name, name,
                turn);
    for (int64_t row = 1; row < p->rows; row++) {
        text_append(p->text, "%s%s_first%lld = %s_first%lld + (rows > %lld ? %s_row : 0);\n", type,
                    name, (long long)row, name, (long long)row - 1, (long long)row, name);
        text_append(p->text, "%s%s%lld = %s_first%lld%s;\n", type, name, (long long)row, name,
                    (long long)row, turn);
    }
    c_pairs_print_distances(p, end);
}

/* The turn is that of the end which is read. */
static void print_body(struct c_pairs_printer *p)
{
    text_append(p->text, "const char *in = (const char *)in_re;\n"
                         "char *out = (char *)out_re;\n"
                         "const int64_t turn = 2 * BYTES * shape->turn;\n"
                         "const int64_t in_row = 2 * BYTES * shape->in_row;\n"
                         "const int64_t out_row = 2 * BYTES * shape->out_row;\n"
                         "for (int64_t rows = shape->rows; rows > 0; rows -= ROWS) {\n");
    print_rows(p, 0, "const char *", " + turn");
    print_rows(p, 1, "char *", "");
    c_pairs_print_loads(p);
    c_pairs_print_stores(p);
    text_append(p->text, "in += ROWS * in_row;\nout += ROWS * out_row;\n}\n}\n");
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
    "#define ADDSUB(v, w) _mm256_addsub_pd(v, w)\n"
    "#define LOAD_PAIR(x, at) _mm256_insertf128_pd(_mm256_castpd128_pd256( \\\n"
    "    _mm_loadu_pd((const real *)(x##0 + (at)))), _mm_loadu_pd((const real *)(x##1 + (at))), "
    "1)\n"
    "#define STORE_PAIR(x, at, v) do { const vec stored = v; \\\n"
    "    _mm_storeu_pd((real *)(x##0 + (at)), _mm256_castpd256_pd128(stored)); \\\n"
    "    _mm_storeu_pd((real *)(x##1 + (at)), _mm256_extractf128_pd(stored, 1)); } while (0)\n"
    "#define MOVE_ON(x) x##0 += 8 * x##_by1; x##1 += 8 * x##_by1; \\\n"
    "    __asm__(\"\" : \"+r\"(x##0), \"+r\"(x##1));\n";

/* Pairs of singles are moved as doubles. */
static const char rows_of_singles[] =
    "#define ROWS 4\n"
    "#define PAIR(x, y) ((vec){x, y, x, y, x, y, x, y})\n"
    "#define SWAP(v) _mm256_permute_ps(v, 0xb1)\n"
    "#define ADDSUB(v, w) _mm256_addsub_ps(v, w)\n"
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
    "    __asm__(\"\" : \"+r\"(x##0), \"+r\"(x##1), \"+r\"(x##2), \"+r\"(x##3));\n";

void c_pairs_prologue(struct text *t, const struct c_vector_target *target)
{
    struct c_vector_target vector = *target;
    vector.lanes = 2 * (int)rows_of(target);
    c_vector_prologue(t, &vector);
    text_append(t, "%s", target->single ? rows_of_singles : rows_of_doubles);
}

void c_pairs_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel)
{
    arena *a = arena_create();
    struct c_pairs_printer p = {
        .pairs = {.text = t, .target = target}, .text = t, .rows = rows_of(target), .reach = 8};
    if (a && c_pair_begin(&p.pairs, a, kernel)) {
        c_vector_print_head(t, target, p.pairs.kernel);
        print_body(&p);
    } else {
        t->failed = true;
    }
    arena_destroy(&a);
}
