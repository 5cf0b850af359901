/* The parts of `weft transform`: its arguments, its work, and what it tells. */
#ifndef WEFT_CLI_TRANSFORM_H
#define WEFT_CLI_TRANSFORM_H

#include "array.h"
#include "ranges.h"
#include "sizes.h"
#include "spectrum.h"

enum { TRANSFORM_PEAKS = 5, TRANSFORM_PLAN_LINE = 256 };

typedef struct transform_options {
    const char *input;
    const char *output;  /* NULL: none */
    const char *picture; /* NULL: none */
    const char *device;  /* NULL: the best */
    int threads;
    weft_direction direction;
    weft_kind kind;          /* of all axes, or of the first that is transformed */
    struct size_kinds kinds; /* if its count is more than 1 of each of these */
    int64_t length; /* reals along the halved axis, of WEFT_C2R; 0: the even number */
    bool orthonormal;
    precision_choice precision;
    weft_storage out_storage; /* of the result; 0: as it is computed with */
    int64_t memory;          /* bytes that arrays may take; 0: as many as they do */
    int axis_count;          /* 0: all axes */
    int axis[WEFT_MAX_RANK]; /* as given: negative ones count from the last */
    struct range_lists ranges;
    bool json, round_trip;
    const char *window, *load, *store; /* what elements go through (docs/hooks.md); NULL: none */
    char *strings[14]; /* what the above point into; owned */
} transform_options;

/* Reads the arguments. Returns OPTIONS_PROCEED (of options.h), or the exit code after --help or a
 * message. The options are to be freed in any case. */
int transform_options_read(transform_options *options, int argc, const char **argv);
void transform_options_free(transform_options *options);

/* The axes as a mask, for data of this rank. Prints a message and returns its exit code if one is
 * named twice or does not exist; OPTIONS_PROCEED if all is well. */
int transform_axes(const transform_options *options, const char *called_as, int rank,
                   uint32_t *axes);

/* What was done, for people and for programs. */
typedef struct transform_report {
    const transform_options *options;
    const array *data; /* the input; its elements are not used */
    const spectrum *spectrum; /* NULL: there is none, of reals to reals */
    uint32_t axes;
    const char *device;
    char device_description[160];
    char plan[TRANSFORM_PLAN_LINE]; /* its first line */
    int passes;
    double seconds;          /* of the execute */
    double operations;       /* 5 N log2 N of every transform, half of that for reals */
    double round_trip_error; /* relative L2; only if asked for */
    int peak_count;
    peak peaks[TRANSFORM_PEAKS];
} transform_report;

/* Fills in the plan and what it does; the device, as the report names it, in words. params: the
 * plan's. */
void transform_report_plan(transform_report *report, const weft_plan *plan,
                           const weft_params *params);

/* Prints it to stdout as text. */
void transform_print(const transform_report *report);

/* One JSON object on one line, the caller's to free; NULL: no memory. */
char *transform_json(const transform_report *report);

#endif
