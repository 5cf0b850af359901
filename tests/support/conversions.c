#include "support/conversions.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/storage.h"

enum { PATTERNS = 65536, VARIANTS = 5 };

/* An array of complex numbers: lengths are even. */
struct array {
    weft_storage storage;
    int64_t count; /* of reals */
    void *data;
};

static struct array make_array(weft_storage storage, int64_t count)
{
    struct array array = {storage, count, calloc((size_t)count, (size_t)storage_bytes(storage))};
    if (!array.data) abort();
    return array;
}

static double number(const struct array *array, int64_t index)
{
    return storage_read(array->storage, array->data, index);
}

/* Has the device copy one to the other: a transform of length 1. */
static const char *copy(weft_device *device, weft_precision precision, const struct array *from,
                        const struct array *to)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = 1;
    params.batch = from->count / 2;
    params.precision = precision;
    params.in_storage = from->storage;
    params.out_storage = to->storage;
    weft_plan *plan = NULL;
    weft_buffer *in = NULL, *out = NULL;
    const size_t in_bytes = (size_t)from->count * (size_t)storage_bytes(from->storage);
    const size_t out_bytes = (size_t)to->count * (size_t)storage_bytes(to->storage);
    weft_status status = weft_plan_create(device, &params, &plan);
    if (!status) status = weft_buffer_wrap(device, from->data, in_bytes, &in);
    if (!status) status = weft_buffer_wrap(device, to->data, out_bytes, &out);
    if (!status) status = weft_execute(plan, WEFT_FORWARD, in, out);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    return status ? weft_last_error() : NULL;
}

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

/* Subnormal singles, which some devices take for 0, at any step of a conversion: a bfloat16 of them
 * may be one off. */
#define SUBNORMAL_STEP (FLT_MIN / 128)

static bool is_subnormal(double x)
{
    return x != 0 && fabs(x) < FLT_MIN;
}

/* to[i] shall be what from[i] is as it is stored there. */
static const char *compare(const struct array *from, const struct array *to, bool flushes)
{
    static char text[160];
    for (int64_t i = 0; i < from->count; i++) {
        char bytes[8];
        storage_write(to->storage, bytes, 0, number(from, i));
        const double right = storage_read(to->storage, bytes, 0);
        if (same(number(to, i), right)) continue;
        const bool tiny = is_subnormal(number(from, i)) || is_subnormal(right);
        const bool near = fabs(number(to, i) - right) <= SUBNORMAL_STEP;
        if (flushes && tiny && (number(to, i) == 0 || near)) continue;
        snprintf(text, sizeof text, "%.17g stored as %s became %.17g stored as %s, not %.17g",
                 number(from, i), storage_names[from->storage], number(to, i),
                 storage_names[to->storage], right);
        return text;
    }
    return NULL;
}

static const char *check_copy(weft_device *device, weft_precision precision, struct array *from,
                              weft_storage to, bool flushes)
{
    struct array result = make_array(to, from->count);
    const char *wrong = copy(device, precision, from, &result);
    if (!wrong) wrong = compare(from, &result, flushes);
    free(from->data);
    free(result.data);
    return wrong;
}

/* Every number of a storage of up to 16 bits; of the others patterns all over their range. */
static struct array all_numbers(weft_storage storage)
{
    struct array array = make_array(storage, PATTERNS);
    const int bytes = storage_bytes(storage);
    for (int64_t i = 0; i < PATTERNS; i++) {
        const uint64_t bits = bytes <= 2 ? (uint64_t)i : (uint64_t)i << (8 * bytes - 16);
        memcpy((char *)array.data + i * bytes, &bits, (size_t)bytes);
    }
    return array;
}

static double neighbour(weft_storage storage, double x, double towards)
{
    return storage == WEFT_STORED_F32 ? (double)nextafterf((float)x, (float)towards)
                                      : nextafter(x, towards);
}

/* Of every number of the storage: itself, the middle to what comes after it, the neighbours of that
 * middle, and twice the number. */
static struct array numbers_between(weft_storage storage, weft_storage computed)
{
    struct array from = make_array(computed, VARIANTS * PATTERNS), all = all_numbers(storage);
    const int bytes = storage_bytes(storage);
    for (int64_t i = 0; i < PATTERNS; i++) {
        const int64_t next = i + 1 < (bytes == 1 ? 256 : PATTERNS) ? i + 1 : i;
        const double x = number(&all, i), middle = (x + number(&all, next)) / 2;
        const double variant[VARIANTS] = {x, middle, neighbour(computed, middle, -INFINITY),
                                          neighbour(computed, middle, INFINITY), 2 * x};
        for (int v = 0; v < VARIANTS; v++)
            storage_write(computed, from.data, VARIANTS * i + v, variant[v]);
    }
    free(all.data);
    return from;
}

const char *conversions_check(weft_device *device, weft_precision precision, weft_storage storage,
                              bool flushes)
{
    const weft_storage computed = storage_of_precision(precision);
    struct array all = all_numbers(storage);
    const char *wrong = check_copy(device, precision, &all, computed, flushes);
    if (wrong) return wrong;
    struct array between = numbers_between(storage, computed);
    return check_copy(device, precision, &between, storage, flushes);
}
