/* Gives bytes to one of the command's readers. */
#ifndef WEFT_TESTS_FUZZ_READER_H
#define WEFT_TESTS_FUZZ_READER_H

#include "cli/input.h"

#include <stdlib.h>

/* Reads the bytes as a file. What is accepted must be whole: each of its numbers can be read. */
static inline int fuzz_reader(input_reader *read, const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    FILE *file = fmemopen((void *)data, size, "rb");
    if (!file) return 0;
    array a;
    failure why = {""};
    if (read(file, (int64_t)size, PRECISION_AUTOMATIC, &a, &why)) {
        double sum = 0;
        for (int64_t i = 0; i < a.count; i++)
            sum += array_power(&a, i);
        if (a.count < 1 || a.rank < 1 || sum < 0) abort();
        array_destroy(&a);
    } else if (a.data || !why.text[0]) {
        abort();
    }
    fclose(file);
    return 0;
}

#endif
