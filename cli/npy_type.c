#include "npy.h"

#include "float16.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_REAL = 16 };

#define DEFINE_LOAD(name, c_type)                                                                  \
    static double name(const unsigned char *bytes)                                                 \
    {                                                                                              \
        c_type value;                                                                              \
        memcpy(&value, bytes, sizeof value);                                                       \
        return (double)value;                                                                      \
    }

DEFINE_LOAD(load_int8, int8_t)
DEFINE_LOAD(load_int16, int16_t)
DEFINE_LOAD(load_int32, int32_t)
DEFINE_LOAD(load_int64, int64_t)
DEFINE_LOAD(load_uint8, uint8_t)
DEFINE_LOAD(load_uint16, uint16_t)
DEFINE_LOAD(load_uint32, uint32_t)
DEFINE_LOAD(load_uint64, uint64_t)
DEFINE_LOAD(load_float, float)
DEFINE_LOAD(load_double, double)
DEFINE_LOAD(load_long_double, long double)

static double load_bool(const unsigned char *bytes)
{
    return bytes[0] ? 1 : 0;
}

static double load_half(const unsigned char *bytes)
{
    uint16_t bits;
    memcpy(&bits, bytes, sizeof bits);
    return float16_half(bits);
}

static const npy_type types[] = {
    {'b', 1, false, load_bool},        {'i', 1, false, load_int8},
    {'i', 2, false, load_int16},       {'i', 4, true, load_int32},
    {'i', 8, true, load_int64},        {'u', 1, false, load_uint8},
    {'u', 2, false, load_uint16},      {'u', 4, true, load_uint32},
    {'u', 8, true, load_uint64},       {'f', 2, false, load_half},
    {'f', 4, false, load_float},       {'f', 8, true, load_double},
    {'c', 8, false, load_float},       {'c', 16, true, load_double},
    {'f', 16, true, load_long_double}, {'c', 32, true, load_long_double},
};

enum { TYPES = sizeof types / sizeof types[0] };

static bool host_is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* Extended precision has no common layout: it is read only as this host writes it. */
static bool host_reads(const npy_type *type, bool swapped)
{
    if (type->load != load_long_double) return true;
    return !swapped && sizeof(long double) == LARGEST_REAL;
}

bool npy_type_find(const char *descr, const npy_type **type, bool *swapped, failure *why)
{
    const char *order = "<>=|";
    bool stated = descr[0] && strchr(order, descr[0]);
    const char *name = stated ? descr + 1 : descr;
    *swapped = descr[0] == (host_is_little_endian() ? '>' : '<');
    for (int i = 0; i < TYPES; i++) {
        char *end;
        if (name[0] != types[i].kind || name[1] < '0' || name[1] > '9') continue;
        if (strtol(name + 1, &end, 10) != types[i].bytes || *end) continue;
        if (!host_reads(&types[i], *swapped)) break;
        *type = &types[i];
        return true;
    }
    return failure_set(why,
                       "numbers of type '%.20s' are not read; booleans, integers, real and "
                       "complex numbers are",
                       descr);
}

static double load_part(const npy_header *header, const unsigned char *bytes, int length)
{
    if (!header->swapped) return header->type->load(bytes);
    unsigned char reversed[LARGEST_REAL];
    for (int i = 0; i < length; i++)
        reversed[i] = bytes[length - 1 - i];
    return header->type->load(reversed);
}

void npy_element_load(const npy_header *header, const unsigned char *bytes, double *re, double *im)
{
    bool is_complex = header->type->kind == 'c';
    int length = is_complex ? header->type->bytes / 2 : header->type->bytes;
    *re = load_part(header, bytes, length);
    *im = is_complex ? load_part(header, bytes + length, length) : 0;
}
