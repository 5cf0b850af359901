#include "npy.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_REAL = 16 };

NUMBER_DEFINE_LOAD(load_int32, int32_t)
NUMBER_DEFINE_LOAD(load_int64, int64_t)
NUMBER_DEFINE_LOAD(load_uint32, uint32_t)
NUMBER_DEFINE_LOAD(load_uint64, uint64_t)
NUMBER_DEFINE_LOAD(load_long_double, long double)

static double load_bool(const void *bytes)
{
    return *(const unsigned char *)bytes ? 1 : 0;
}

static const npy_type types[] = {
    {'b', 1, false, WEFT_STORED_AS_COMPUTED, load_bool},
    {'i', 1, false, WEFT_STORED_I8, NULL},
    {'i', 2, false, WEFT_STORED_I16, NULL},
    {'i', 4, true, WEFT_STORED_AS_COMPUTED, load_int32},
    {'i', 8, true, WEFT_STORED_AS_COMPUTED, load_int64},
    {'u', 1, false, WEFT_STORED_U8, NULL},
    {'u', 2, false, WEFT_STORED_U16, NULL},
    {'u', 4, true, WEFT_STORED_AS_COMPUTED, load_uint32},
    {'u', 8, true, WEFT_STORED_AS_COMPUTED, load_uint64},
    {'f', 2, false, WEFT_STORED_F16, NULL},
    {'f', 4, false, WEFT_STORED_F32, NULL},
    {'f', 8, true, WEFT_STORED_F64, NULL},
    {'c', 8, false, WEFT_STORED_F32, NULL},
    {'c', 16, true, WEFT_STORED_F64, NULL},
    {'f', 16, true, WEFT_STORED_AS_COMPUTED, load_long_double},
    {'c', 32, true, WEFT_STORED_AS_COMPUTED, load_long_double},
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

/* Bytes of a real number, or of a part of a complex one. */
static int part_bytes(const npy_type *type)
{
    return type->kind == 'c' ? type->bytes / 2 : type->bytes;
}

/* Copies such a part into the host's byte order. */
static void copy_part(const npy_header *header, const unsigned char *bytes, void *part)
{
    const int length = part_bytes(header->type);
    unsigned char *to = part;
    for (int i = 0; i < length; i++) to[i] = bytes[header->swapped ? length - 1 - i : i];
}

static double load_part(const npy_header *header, const unsigned char *bytes)
{
    const npy_type *type = header->type;
    unsigned char part[LARGEST_REAL];
    copy_part(header, bytes, part);
    return type->load ? type->load(part) : number_load(type->storage, part);
}

void npy_element_load(const npy_header *header, const unsigned char *bytes, double *re, double *im)
{
    const bool is_complex = header->type->kind == 'c';
    *re = load_part(header, bytes);
    *im = is_complex ? load_part(header, bytes + part_bytes(header->type)) : 0;
}

/* An element stored as it is to be. */
static void copy_element(const npy_header *header, const unsigned char *bytes,
                         const npy_target *target, unsigned char *element)
{
    const size_t length = number_bytes(target->storage);
    copy_part(header, bytes, element);
    if (target->reals) return;
    if (header->type->kind == 'c') copy_part(header, bytes + length, element + length);
    else memset(element + length, 0, length);
}

void npy_element_convert(const npy_header *header, const unsigned char *bytes,
                         const npy_target *target, void *element)
{
    double re, im;
    if (header->type->storage == target->storage) {
        copy_element(header, bytes, target, element);
        return;
    }
    npy_element_load(header, bytes, &re, &im);
    number_store(target->storage, element, re);
    if (target->reals) return;
    number_store(target->storage, (char *)element + number_bytes(target->storage), im);
}

size_t npy_target_bytes(const npy_target *target)
{
    return number_bytes(target->storage) * (target->reals ? 1 : 2);
}

bool npy_is_target(const npy_header *header, const npy_target *target)
{
    const bool reals = header->type->kind != 'c';
    const bool swapped = header->swapped && part_bytes(header->type) > 1;
    return header->type->storage == target->storage && reals == target->reals && !swapped;
}
