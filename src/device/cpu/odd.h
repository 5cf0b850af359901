/* Passes that open a line of n = r m reals, n odd, to r / 2 + 1 lines of m pairs, and that close it
 * from such (PASS_OPEN, PASS_CLOSE): of its r lines the others are conjugates. */
#ifndef WEFT_DEVICE_CPU_ODD_H
#define WEFT_DEVICE_CPU_ODD_H

#include "device/cpu/engine.h"

/* The most lines that are not real. */
#define ODD_MOST_ROWS 15

/* Products of a row, of which four go together. */
#define ODD_FACTORS(rows) (((rows) + 3) / 4 * 4)

/* Numbers begin to end - 1 of each of the lines, which are `apart` pairs from each other. */
struct odd_numbers {
    int rows; /* r / 2 */
    int64_t m, apart;
    int64_t begin, end;
    void *line;        /* n reals, or a spectrum */
    bool pairs;        /* ... reals, the real parts of numbers whose other parts are 0 */
    int64_t last;      /* ... numbers up to this one of each row have mirrors that are wanted */
    void *rows_begin;  /* pairs */
    double factor[2];  /* of real and imaginary parts */
    /* Turns of number j of row k: those of the first number of its vector times those of its lane.
     * Vectors begin at multiples of `lanes`, but the last one, which ends with the line. */
    const void *first; /* of each vector and row two reals */
    const void *lane;  /* of each row two planes of `lanes` */
    const void *roots; /* exp(-2 pi i j k / r) for k, and for each k for j, from 1 to r / 2; then 0
                        * up to ODD_FACTORS(r / 2) */
};

/* At least `lanes` numbers are in a line. */
struct cpu_odd {
    void (*open_reals)(const struct odd_numbers *run);
    void (*close_reals)(const struct odd_numbers *run);
    int lanes;
};

/* Numbers of rows, and their mirrors. */
struct cpu_odd_half {
    void (*open)(const struct odd_numbers *run);
    void (*close)(const struct odd_numbers *run);
};

/* By weft_precision. */
extern const struct cpu_odd odd_basic[2];
extern const struct cpu_odd_half odd_half_basic[2];
#if defined(__x86_64__)
extern const struct cpu_odd odd_avx2[2], odd_avx512[2];
extern const struct cpu_odd_half odd_half_avx2[2];
#endif

/* Fills kernel->opening and tables. MEMORY. */
weft_status odd_create(struct kernel *kernel, const struct program *program, int index);
void odd_run(const struct kernel *kernel, const struct pass_arguments *arguments);

/* Of a pass without loops, between these places. */
void odd_line(const struct kernel *kernel, weft_direction direction, char *from, char *to);

#endif
