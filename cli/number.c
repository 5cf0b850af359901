#include "number.h"

#include "float16.h"

#include <stdint.h>
#include <string.h>

NUMBER_DEFINE_LOAD(load_float, float)
NUMBER_DEFINE_LOAD(load_double, double)
NUMBER_DEFINE_LOAD(load_uint8, uint8_t)
NUMBER_DEFINE_LOAD(load_int8, int8_t)
NUMBER_DEFINE_LOAD(load_uint16, uint16_t)
NUMBER_DEFINE_LOAD(load_int16, int16_t)

static double load_half(const void *bytes)
{
    uint16_t bits;
    memcpy(&bits, bytes, sizeof bits);
    return float16_half(bits);
}

/* Those that .npy files have. */
static const struct {
    const char *name;
    char letter;
    size_t bytes;
    double (*load)(const void *bytes);
} numbers[] = {
    [WEFT_STORED_F16] = {"f16", 'f', 2, load_half},
    [WEFT_STORED_F32] = {"f32", 'f', 4, load_float},
    [WEFT_STORED_F64] = {"f64", 'f', 8, load_double},
    [WEFT_STORED_U8] = {"u8", 'u', 1, load_uint8},
    [WEFT_STORED_I8] = {"i8", 'i', 1, load_int8},
    [WEFT_STORED_U16] = {"u16", 'u', 2, load_uint16},
    [WEFT_STORED_I16] = {"i16", 'i', 2, load_int16},
};

enum { NUMBERS_END = sizeof numbers / sizeof numbers[0] };

weft_storage number_computed(weft_precision precision)
{
    return precision == WEFT_F64 ? WEFT_STORED_F64 : WEFT_STORED_F32;
}

size_t number_bytes(weft_storage storage)
{
    return numbers[storage].bytes;
}

double number_load(weft_storage storage, const void *bytes)
{
    return numbers[storage].load(bytes);
}

void number_store(weft_storage storage, void *bytes, double value)
{
    const float single = (float)value;
    if (storage == WEFT_STORED_F64) memcpy(bytes, &value, sizeof value);
    else memcpy(bytes, &single, sizeof single);
}

char number_letter(weft_storage storage)
{
    return numbers[storage].letter;
}

bool number_read(const char *text, weft_storage *storage)
{
    for (int i = 0; i < NUMBERS_END; i++) {
        if (!numbers[i].name || strcmp(text, numbers[i].name) != 0) continue;
        *storage = (weft_storage)i;
        return true;
    }
    return false;
}

const char *number_name(weft_storage storage)
{
    return numbers[storage].name;
}
