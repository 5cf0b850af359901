/* What every file of codelets starts with, and the names of its functions. */
#include <string.h>

#include "print/c_vector.h"

static int vector_bytes(const struct c_vector_target *target)
{
    return target->lanes * (target->single ? 4 : 8);
}

static void print_fma_neon(struct text *t, const struct c_vector_target *target)
{
    const char *type = target->single ? "float32x4_t" : "float64x2_t";
    const char *suffix = target->single ? "f32" : "f64";
    text_append(t,
                "#include <arm_neon.h>\n"
                "#define FMA(a, b, c) (vec)vfmaq_%s((%s)(c), (%s)(a), (%s)(b))\n"
                "#define FMS(a, b, c) FMA(a, b, -(c))\n"
                "#define FNMA(a, b, c) (vec)vfmsq_%s((%s)(c), (%s)(a), (%s)(b))\n",
                suffix, type, type, type, suffix, type, type, type);
}

/* In the names of its intrinsic functions. */
static const char *x86_width(const struct c_vector_target *target)
{
    if (vector_bytes(target) == 64) return "512";
    return vector_bytes(target) == 32 ? "256" : "";
}

static void print_fma_x86(struct text *t, const struct c_vector_target *target)
{
    const char *suffix = target->single ? "ps" : "pd", *width = x86_width(target);
    text_append(t,
                "#include <immintrin.h>\n"
                "#define FMA(a, b, c) _mm%s_fmadd_%s(a, b, c)\n"
                "#define FMS(a, b, c) _mm%s_fmsub_%s(a, b, c)\n"
                "#define FNMA(a, b, c) _mm%s_fnmadd_%s(a, b, c)\n",
                width, suffix, width, suffix, width, suffix);
}

/* Halves of vectors by number: the instruction that takes them out stores them as well. */
static void print_pieces_x86(struct text *t, const struct c_vector_target *target)
{
    const char *suffix = target->single ? "ps" : "pd";
    if (vector_bytes(target) == 16) return;
    const bool widest = vector_bytes(target) == 64;
    const char *half = !widest ? "f128" : target->single ? "f32x8" : "f64x4";
    text_append(t,
                "#define STORE_PIECE(p, v, i) "
                "_mm%s_storeu_%s((real *)(p), _mm%s_extract%s_%s(v, i))\n",
                widest ? "256" : "", suffix, x86_width(target), half, suffix);
}

/* What was streamed is seen by others before the codelet returns. */
static void print_streams_x86(struct text *t, const struct c_vector_target *target)
{
    text_append(t,
                "#define STREAM(p, v) _mm%s_stream_%s((real *)(p), v)\n"
                "#define STREAMED() _mm_sfence()\n",
                x86_width(target), target->single ? "ps" : "pd");
}

/* Lanes of a shuffle that the direction chooses. */
static void print_exchange_x86(struct text *t, const struct c_vector_target *target)
{
    const char *width = x86_width(target);
    const int bits = 8 * vector_bytes(target);
    text_append(t,
                "typedef __m%di lanes_vector;\n"
                "#define LANES(row) "
                "_mm%s_load_si%d((const lanes_vector *)shape->exchange + (row))\n"
                "#define PERMUTE(a, lanes, b) _mm%s_permutex2var_%s(a, lanes, b)\n",
                bits, width, bits, width, target->single ? "ps" : "pd");
}

/* The mask of what is not absent. */
static void print_masks_x86(struct text *t, const struct c_vector_target *target)
{
    const char *suffix = target->single ? "ps" : "pd";
    if (vector_bytes(target) != 64) return;
    text_append(t,
                "#define MASK(m) const __mmask%d m = (__mmask%d)~shape->absent\n"
                "#define LOAD_MASKED(p, m) _mm512_maskz_loadu_%s(m, (const real *)(p))\n"
                "#define STORE_MASKED(p, v, m) _mm512_mask_storeu_%s((real *)(p), m, v)\n",
                target->lanes, target->lanes, suffix, suffix);
}

static void print_fma_scalar(struct text *t, const struct c_vector_target *target)
{
    const char *suffix = target->single ? "f" : "";
    text_append(t,
                "#define FMA(a, b, c) __builtin_fma%s(a, b, c)\n"
                "#define FMS(a, b, c) __builtin_fma%s(a, b, -(c))\n"
                "#define FNMA(a, b, c) __builtin_fma%s(-(a), b, c)\n",
                suffix, suffix, suffix);
}

static void print_fma_plain(struct text *t)
{
    text_append(t, "#define FMA(a, b, c) ((a) * (b) + (c))\n"
                   "#define FMS(a, b, c) ((a) * (b) - (c))\n"
                   "#define FNMA(a, b, c) ((c) - (a) * (b))\n");
}

static void print_vector_types(struct text *t, const struct c_vector_target *target)
{
    int bytes = vector_bytes(target);
    text_append(t,
                "typedef real vec __attribute__((vector_size(%d)));\n"
                "typedef real vec_in_memory __attribute__((vector_size(%d), aligned(%d), "
                "may_alias));\n"
                "#define LOAD(p) (*(const vec_in_memory *)(p))\n"
                "#define STORE(p, v) (*(vec_in_memory *)(p) = (v))\n"
                "#define SPLAT(x) splat(x)\n"
                "static inline __attribute__((unused, always_inline)) vec splat(real x)\n"
                "{\n    return (vec){x",
                bytes, bytes, target->single ? 4 : 8);
    for (int i = 1; i < target->lanes; i++)
        text_append(t, ", x");
    text_append(t, "};\n}\n");
}

void c_vector_prologue(struct text *t, const struct c_vector_target *target)
{
    text_append(t,
                "#include \"device/cpu/codelet.h\"\n#pragma GCC visibility push(hidden)\n"
                "typedef %s real;\n#define BYTES (int64_t)sizeof(real)\n",
                target->single ? "float" : "double");
    if (target->lanes == 1) {
        text_append(t, "typedef real vec;\n#define LOAD(p) (*(const real *)(p))\n"
                       "#define STORE(p, v) (*(real *)(p) = (v))\n#define SPLAT(x) (x)\n");
    } else {
        print_vector_types(t, target);
    }
    if (!target->fma) {
        print_fma_plain(t);
    } else if (target->lanes == 1) {
        print_fma_scalar(t, target);
    } else if (strcmp(target->isa, "neon") == 0) {
        print_fma_neon(t, target);
    } else {
        print_fma_x86(t, target);
        print_pieces_x86(t, target);
        print_streams_x86(t, target);
        if (target->exchange) print_exchange_x86(t, target);
        print_masks_x86(t, target);
    }
}

void c_vector_name(struct text *t, const struct c_vector_target *target, const char *kernel_name)
{
    text_append(t, "codelet_%s_%s_%s", target->isa, target->single ? "f32" : "f64", kernel_name);
}
