/* Sizes of transforms as they are written on the command line. */
#ifndef WEFT_CLI_SIZES_H
#define WEFT_CLI_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weft/weft.h>

/* For --help and for messages. */
#define SIZES_SYNTAX                                                                               \
    "1024, 1000x1000, 64x64x64, 1024@4096 (a batch), 1..64 (a range), or several with commas"

/* `batch` arrays of rank sizes each. */
struct size_case {
    weft_kind kind;
    weft_kind axis_kind[WEFT_MAX_RANK]; /* as in weft_params */
    int rank;
    int64_t size[WEFT_MAX_RANK];
    int64_t batch;
    bool batched; /* the batch was named, were it 1 */
};

/* Starts as all zero; grows by size_list_add(); freed by size_list_free(). */
struct size_list {
    struct size_case *cases;
    int64_t count;
    int64_t capacity;
};

enum size_status { SIZES_OK, SIZES_MALFORMED, SIZES_NO_MEMORY };

enum { SIZE_TEXT_CAPACITY = 192 };

/* Appends what the text says, e.g. "1024", "64x64x64", "1024@4096" (a batch), "1..2048" (each of
 * them), "60,100,1000x1000" (all of them). MALFORMED too where a case has more than 2^40 points or
 * a range more than 2^20 sizes; some cases may have been appended then. */
enum size_status size_list_add(struct size_list *list, const char *text);

/* Of one kind (count 1), or of one for each axis of arrays of that rank, all of reals to reals. */
struct size_kinds {
    int count;
    weft_kind kind[WEFT_MAX_RANK];
};

/* The kinds of all cases; one of WEFT_C2C where it is not called. False: some have another
 * rank. */
bool size_list_set_kinds(struct size_list *list, const struct size_kinds *kinds);

/* What axis i is transformed by. */
weft_kind size_case_kind(const struct size_case *dims, int i);

void size_list_free(struct size_list *list);

/* Writes e.g. "1000x1000@8", without the batch if it is 1. Returns text. */
const char *size_case_text(const struct size_case *dims, char text[SIZE_TEXT_CAPACITY]);

/* The elements of one array, and of the whole batch: complex ones, or reals of a real kind. */
int64_t size_case_points(const struct size_case *dims);
int64_t size_case_elements(const struct size_case *dims);

/* The parameters of a transform of these sizes, everything else at its default. */
weft_params size_case_params(const struct size_case *dims, weft_precision precision, int threads);

/* The bytes of the larger of its sides. */
size_t size_case_bytes(const struct size_case *dims, weft_precision precision);

/* Numbers of one side: 1 for each real and 2 for each complex element of it. */
int64_t size_case_numbers(const struct size_case *dims, bool out);

/* How one side lies in memory: rows of the last axis, one behind the other. */
struct size_side {
    int64_t stride[WEFT_MAX_RANK]; /* in elements of this side, and */
    int64_t distance;              /* from one array of the batch to the next */
    int64_t width, pitch;          /* numbers of a row, and from one row to the next */
    int parts;                     /* numbers of an element */
    int64_t numbers;               /* of everything */
};

/* Packed, but that in place rows of reals are as long as those of half their spectrum, as FFTW lays
 * them out. */
struct size_side size_case_side(const struct size_case *dims, bool out, bool in_place);

/* params with these strides, which the sides must outlive, where they are not those of packed
 * arrays. */
void size_case_lay_out(weft_params *params, const struct size_side *in,
                       const struct size_side *out);

#endif
