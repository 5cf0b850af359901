/* What VkFFT's adapters have in common; their `struct plan`, with an `application`, the arrays
 * `main` and `other`, and their bytes, stands before it. cli/rival_vkfft.c opens the four functions
 * at run time. */
#include <weft/weft.h>

/* Transforms out of place, or in place if in == out, arrays as size_case_side() lays them out.
 * kind: WEFT_C2C, R2C, C2R or DCT1 to 4. NULL: it cannot. */
void *weft_vkfft_plan(int rank, const int64_t *size, int64_t batch, int doubles, void *in,
                      void *out, void *queue, int kind);
int weft_vkfft_execute(void *plan);
void weft_vkfft_destroy(void *plan);
double weft_vkfft_work_bytes(const void *plan);

enum { MOST_AXES = 3, FORWARD = -1, INVERSE = 1 };

static int direction_of(int kind)
{
    return kind == WEFT_C2R ? INVERSE : FORWARD;
}

/* Rows of reals beside half a spectrum are packed out of place, and as long as its own in place. */
static void describe_reals(VkFFTConfiguration *configuration, int rank, int in_place)
{
    uint64_t half = configuration->size[0] / 2 + 1;
    uint64_t reals = in_place ? 2 * half : configuration->size[0];
    configuration->performR2C = 1;
    for (int i = 0; i < rank; i++) {
        configuration->bufferStride[i] = half;
        configuration->inputBufferStride[i] = reals;
        configuration->outputBufferStride[i] = reals;
        half *= configuration->size[i + 1];
        reals *= configuration->size[i + 1];
    }
}

/* The problem's part of a configuration. Its main array is the complex one, which C2R reads, or
 * else the result; the other is its input, to which C2R returns. */
static VkFFTConfiguration describe(struct plan *plan, int rank, const int64_t *size, int64_t batch,
                                   int doubles, int kind, int in_place)
{
    const int half = kind == WEFT_R2C || kind == WEFT_C2R;
    const uint64_t real_bytes = doubles ? sizeof(double) : sizeof(float);
    uint64_t lines = (uint64_t)batch;
    VkFFTConfiguration configuration = {0};
    configuration.FFTdim = (uint64_t)rank;
    for (int i = 0; i < rank; i++) {
        configuration.size[i] = (uint64_t)size[rank - 1 - i];
        if (i > 0) lines *= configuration.size[i];
    }
    const uint64_t n = configuration.size[0];
    plan->main_bytes = lines * real_bytes * (half ? 2 * (n / 2 + 1) : kind == WEFT_C2C ? 2 * n : n);
    plan->other_bytes = half ? lines * real_bytes * n : plan->main_bytes;
    configuration.numberBatches = (uint64_t)batch;
    configuration.doublePrecision = (uint64_t)doubles;
    configuration.bufferSize = &plan->main_bytes;
    if (half) describe_reals(&configuration, rank, in_place);
    if (kind >= WEFT_DCT1) configuration.performDCT = (uint64_t)(kind - WEFT_DCT1 + 1);
    if (in_place) return configuration;
    configuration.isInputFormatted = 1;
    configuration.inverseReturnToInputBuffer = kind == WEFT_C2R;
    configuration.inputBufferSize = &plan->other_bytes;
    return configuration;
}

void weft_vkfft_destroy(void *handle)
{
    struct plan *plan = handle;
    deleteVkFFT(&plan->application);
    free(plan);
}

double weft_vkfft_work_bytes(const void *handle)
{
    const struct plan *plan = handle;
    return plan->application.configuration.allocateTempBuffer
               ? (double)plan->application.configuration.tempBufferSize[0]
               : 0.0;
}
