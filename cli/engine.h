/* An opened device with one plan, in the form the command needs: failures as text. */
#ifndef WEFT_CLI_ENGINE_H
#define WEFT_CLI_ENGINE_H

#include "array.h"

typedef struct engine {
    weft_device *device; /* not owned */
    weft_plan *plan;
} engine;

/* Makes a plan on the device, which must outlive the engine. */
bool engine_create(engine *e, weft_device *device, const weft_params *params, failure *why);

void engine_destroy(engine *e);

/* Transforms one array's data to another's, and stores how long the execute itself took. */
bool engine_run(const engine *e, weft_direction direction, const array *in, const array *out,
                double *seconds, failure *why);

/* Says what failed, and why by weft_last_error(). Returns false. */
bool engine_failure(const char *what, failure *why);

/* Seconds of a clock that never goes back. */
double engine_clock(void);

#endif
