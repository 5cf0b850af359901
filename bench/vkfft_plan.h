/* What VkFFT's adapters have in common; their `struct plan`, with an `application` and `bytes`,
 * stands before it. cli/rival_vkfft.c opens the four functions at run time. */
void *weft_vkfft_plan(int rank, const int64_t *size, int64_t batch, int doubles, void *in,
                      void *out, void *stream);
int weft_vkfft_execute(void *plan);
void weft_vkfft_destroy(void *plan);
double weft_vkfft_work_bytes(const void *plan);

enum { MOST_AXES = 3, FORWARD = -1 };

/* The problem's part of a configuration. */
static VkFFTConfiguration describe(struct plan *plan, int rank, const int64_t *size, int64_t batch,
                                   int doubles)
{
    VkFFTConfiguration configuration = {0};
    configuration.FFTdim = (uint64_t)rank;
    plan->bytes = (uint64_t)batch * (doubles ? 16 : 8);
    for (int i = 0; i < rank; i++) {
        configuration.size[i] = (uint64_t)size[rank - 1 - i];
        plan->bytes *= (uint64_t)size[i];
    }
    configuration.numberBatches = (uint64_t)batch;
    configuration.doublePrecision = (uint64_t)doubles;
    configuration.bufferSize = &plan->bytes;
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
