/* Trials on memory of a device's own: what a backend's tests say of their memory, and the run. */
#ifndef TESTS_SUPPORT_MEMORY_TRIAL_H
#define TESTS_SUPPORT_MEMORY_TRIAL_H

#include "support/trial.h"

/* Memory is a handle of the backend's; calls that fail end the program. */
struct memory_trial {
    void *context;
    void *(*send)(void *context, size_t bytes, const void *data); /* a copy of it */
    void (*fetch)(void *context, void *memory, size_t bytes, void *data);
    void (*release)(void *context, void *memory);
    weft_buffer *(*wrap)(void *context, void *re, void *im, size_t bytes);
    /* The result is there when it returns or, at the latest, when it is fetched. */
    weft_status (*execute)(void *context, const weft_plan *plan, weft_direction direction,
                           const weft_buffer *in, weft_buffer *out);
};

/* As trial_run(), in such memory. */
const char *memory_trial_run(const struct memory_trial *memory, const struct trial *trial,
                             const weft_plan *plan, weft_direction direction, double *in,
                             double *out);

#endif
