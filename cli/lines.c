#include "lines.h"

#include <math.h>
#include <stdio.h>

enum { SIGNIFICANT_DIGITS = 6 };

json_t *line_number(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

json_t *line_dims(const struct size_case *dims)
{
    json_t *array = json_array();
    for (int i = 0; i < dims->rank; i++)
        json_array_append_new(array, json_integer(dims->size[i]));
    return array;
}

void line_print(json_t *object)
{
    if (!object ||
        json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(SIGNIFICANT_DIGITS)) != 0)
        fputs("null", stdout);
    fputc('\n', stdout);
    fflush(stdout);
    json_decref(object);
}
