#include "print/c_pair.h"

#include <stddef.h>

#include "base/arena.h"
#include "print/c_pair_form.h"

static const struct ir_node *node_of(const struct c_pair_printer *p, ir_value n)
{
    return &p->kernel->node[n];
}

/* Whether it is the access of this kind to the first of two neighbours. */
static bool is_first(const struct c_pair_printer *p, ir_value n, enum ir_op op)
{
    return node_of(p, n)->op == op && c_pair_address(p, n) % 2 == 0;
}

static void print_loads(struct c_pair_printer *p)
{
    for (ir_value n = 0; n < p->kernel->count; n++) {
        if (!is_first(p, n, IR_LOAD)) continue;
        text_append(p->text, "const vec v%d = LOAD_PAIR(in + %lld);\n", (int)n,
                    (long long)c_pair_address(p, n));
        p->partner[n] = c_pair_neighbour(p, n);
    }
}

static void print_store(struct c_pair_printer *p, ir_value n)
{
    const ir_value other = c_pair_neighbour(p, n);
    if (other == IR_NONE) {
        c_pair_refuse(p);
        return;
    }
    const struct c_pair x = {{node_of(p, n)->a, node_of(p, other)->a}};
    c_pair_define(p, x);
    text_append(p->text, "STORE_PAIR(out + %lld, ", (long long)c_pair_address(p, n));
    c_pair_print_name(p, x);
    text_append(p->text, ");\n");
}

static void print_stores(struct c_pair_printer *p)
{
    for (ir_value n = 0; n < p->kernel->count && !p->text->failed; n++) {
        if (is_first(p, n, IR_STORE)) print_store(p, n);
    }
}

/* A lone row is what matters: strides are asked for after it. In place a row's loads come before
 * its stores since all that is stored depends on all that is loaded. */
static void print_body(struct c_pair_printer *p)
{
    text_append(p->text, "const real *in = (const real *)in_re;\n"
                         "real *out = (real *)out_re;\n"
                         "int64_t rows = shape->rows;\n"
                         "if (__builtin_expect(rows <= 0, 0)) return;\n"
                         "for (;;) {\n");
    print_loads(p);
    print_stores(p);
    text_append(p->text, "if (__builtin_expect(--rows == 0, 1)) return;\n"
                         "in += 2 * shape->in_row;\n"
                         "out += 2 * shape->out_row;\n"
                         "}\n}\n");
}

void c_pair_prologue(struct text *t, const struct c_vector_target *target)
{
    struct c_vector_target vector = *target;
    vector.lanes = target->single ? 4 : 2;
    c_vector_prologue(t, &vector);
    text_append(t, target->single
                       ? "#define LOAD_PAIR(p) "
                         "_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)(p)))\n"
                         "#define STORE_PAIR(p, v) _mm_storel_pi((__m64 *)(void *)(p), v)\n"
                         "#define SWAP(v) _mm_permute_ps(v, 0xb1)\n"
                         "#define ADDSUB(v, w) _mm_addsub_ps(v, w)\n"
                       : "#define LOAD_PAIR(p) LOAD(p)\n"
                         "#define STORE_PAIR(p, v) STORE(p, v)\n"
                         "#define SWAP(v) _mm_permute_pd(v, 1)\n"
                         "#define ADDSUB(v, w) _mm_addsub_pd(v, w)\n");
    text_append(t, "#define PAIR(x, y) ((vec){x, y})\n");
}

void c_pair_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel)
{
    arena *a = arena_create();
    struct c_pair_printer p = {.text = t, .target = target};
    if (a && c_pair_begin(&p, a, kernel)) {
        c_vector_print_head(t, target, p.kernel);
        print_body(&p);
    } else {
        t->failed = true;
    }
    arena_destroy(&a);
}
