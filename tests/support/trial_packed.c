#include "support/trial.h"

static void pack(const struct trial *trial, struct trial_side *side)
{
    side->elements = 1;
    for (int i = trial->dims - 1; i >= 0; i--) {
        side->stride[i] = side->elements;
        side->elements *= trial->n[i];
    }
}

void trial_pack(struct trial *trial)
{
    pack(trial, &trial->in);
    pack(trial, &trial->out);
}

struct trial trial_packed(int rank, const int64_t *size, int64_t batch)
{
    struct trial trial = {.params = WEFT_PARAMS_DEFAULT, .dims = rank + 1, .n = {batch}};
    trial.params.rank = rank;
    trial.params.batch = batch;
    for (int i = 0; i < rank; i++) {
        trial.params.size[i] = trial.n[i + 1] = size[i];
        trial.transformed[i + 1] = true;
    }
    trial_set_sides(&trial);
    trial_pack(&trial);
    return trial;
}
