#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct isa isas[] = {
    {.name = "scalar"},
    {.name = "sse2", .bytes = 16, .most = 16},
    {.name = "avx2", .bytes = 32, .fma = true, .wide = true, .pairs = true, .lines = true,
     .lean = true},
    {.name = "avx512", .bytes = 64, .fma = true, .wide = true, .turns = true, .pairs = true,
     .masks = true, .lines = true},
    {.name = "avx512vl", .bytes = 32, .fma = true, .wide = true, .pairs = true, .steps = true},
    {.name = "fma", .fma = true, .wide = true, .wholes = true, .lines = true, .most = 17},
    {.name = "neon", .bytes = 16, .fma = true, .wide = true, .lines = true},
};

bool options_fail(const char *what, const char *why)
{
    fprintf(stderr, "codelets: %s: %s\n", what, why);
    return false;
}

const struct isa *options_isa(const char *name)
{
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        if (strcmp(name, isas[i].name) == 0) return &isas[i];
    }
    return NULL;
}

static bool parse_isa(const char *value, struct options *o)
{
    o->isa = options_isa(value);
    return o->isa ? true
                  : options_fail(value,
                                 "not one of scalar, sse2, avx2, avx512, avx512vl, fma, neon");
}

static bool parse_number(const char *value, int *number)
{
    char *end;
    long parsed = strtol(value, &end, 10);
    if (end == value || *end != '\0' || parsed < 0 || parsed > MAX_PARTS) {
        return options_fail(value, "not a number from 0 to 64");
    }
    *number = (int)parsed;
    return true;
}

static bool parse_value(const char *name, const char *value, struct options *o)
{
    if (!value) return options_fail(name, "needs a value");
    if (strcmp(name, "--isa") == 0) return parse_isa(value, o);
    if (strcmp(name, "--part") == 0) return parse_number(value, &o->part);
    if (strcmp(name, "--parts") == 0) return parse_number(value, &o->parts);
    if (strcmp(name, "--lines") == 0) return parse_number(value, &o->lines);
    if (strcmp(name, "--precision") == 0) {
        o->precision = value;
    } else if (strcmp(name, "--output") == 0) {
        o->output = value;
    } else {
        return options_fail(name, "not an option");
    }
    return true;
}

bool options_parse(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--table") == 0) {
            o->table = true;
        } else if (strcmp(argv[i], "--counts") == 0) {
            o->counts = true;
        } else if (strcmp(argv[i], "--pairs") == 0) {
            o->pairs = true;
        } else if (strcmp(argv[i], "--beside") == 0) {
            o->beside = true;
        } else if (strcmp(argv[i], "--legs") == 0) {
            o->legs = true;
        } else if (!parse_value(argv[i], argv[i + 1], o)) {
            return false;
        } else {
            i++;
        }
    }
    if (o->counts) return true;
    if (!o->isa || !o->precision || !o->output) {
        return options_fail("arguments", "--isa, --precision and --output are needed");
    }
    if (strcmp(o->precision, "f32") != 0 && strcmp(o->precision, "f64") != 0) {
        return options_fail(o->precision, "not one of f32, f64");
    }
    if (!o->table && !o->lines && !o->pairs && o->part >= o->parts)
        return options_fail("--part", "must be below --parts");
    return true;
}

weft_precision options_precision(const struct options *o)
{
    return strcmp(o->precision, "f32") == 0 ? WEFT_F32 : WEFT_F64;
}

struct c_vector_target options_target(const struct options *o)
{
    const bool single = options_precision(o) == WEFT_F32;
    int lanes = o->isa->bytes / (single ? 4 : 8);
    return (struct c_vector_target){.isa = o->isa->name,
                                    .single = single,
                                    .lanes = lanes > 0 ? lanes : 1,
                                    .fma = o->isa->fma,
                                    .small = !o->isa->wide};
}
