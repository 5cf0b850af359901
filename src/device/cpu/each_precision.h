/* Includes LINES_FILE for both precisions, with REAL, PRECISION (f32 or f64), and MOST_LANES of
 * vectors of VECTOR_BYTES. */
#define JOIN_NAMES(a, b, c) a##b##_##c
#define NAME_OF(a, b, c)    JOIN_NAMES(a, b, c)

#define REAL       float
#define PRECISION  f32
#define MOST_LANES (VECTOR_BYTES / 4)
#include LINES_FILE
#undef REAL
#undef PRECISION
#undef MOST_LANES

#define REAL       double
#define PRECISION  f64
#define MOST_LANES (VECTOR_BYTES / 8)
#include LINES_FILE
