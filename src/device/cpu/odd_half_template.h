/* Half spectra of odd lines of reals in rows, of both precisions (odd.h): included with ODD_HALF,
 * the table that is defined, and VECTOR_BYTES. */
#include "device/cpu/odd.h"

#define LINES_FILE "device/cpu/odd_half_lines.h"
#include "device/cpu/each_precision.h"

const struct cpu_odd_half ODD_HALF[2] = {
    [WEFT_F32] = {open_half_f32, close_half_f32},
    [WEFT_F64] = {open_half_f64, close_half_f64},
};
