/* Files as memory for plans that stream: what the functions of weft_calls are given. */
#ifndef WEFT_CLI_FAR_FILE_H
#define WEFT_CLI_FAR_FILE_H

#include "npy.h"
#include "progress.h"
#include "ranges.h"

/* What all files of one execute share. */
typedef struct far_traffic {
    double done, expected; /* bytes, as the plan counts them */
    progress *progress;
    failure why; /* of the call that failed; "": none did */
} far_traffic;

typedef struct far_file {
    far_traffic *traffic;
    FILE *file;
    int64_t start;             /* bytes before the data */
    const npy_header *header;  /* how its numbers are to be converted; NULL: they are as they are */
    npy_target target;         /* and into what */
    const struct ranges *crop; /* the file holds of an output what they have; NULL: all */
    size_t element;            /* bytes of one, there */
} far_file;

/* Of weft_calls; context: a far_file. What was wrong is told in its traffic. */
weft_status far_file_read(void *context, uint64_t offset, void *data, size_t bytes);
weft_status far_file_write(void *context, uint64_t offset, const void *data, size_t bytes);

#endif
