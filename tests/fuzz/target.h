/* The entry point that libFuzzer, or standalone.c in its place, calls with each input. */
#ifndef WEFT_TESTS_FUZZ_TARGET_H
#define WEFT_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Aborts where something is wrong; else returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
