#include "device/null/source.h"

#include "base/error.h"
#include "device/gpu/pass.h"
#include "print/cuda.h"
#include "print/opencl.h"

weft_status null_pass_source(struct device *device, const struct program *program, int index,
                             const struct kernel *kernel, struct text *text)
{
    (void)kernel;
    const bool clusters = device->limits.cluster > 1; /* OpenCL has no words for them */
    const struct gpu_printer printer = {
        .name = clusters ? "cuda" : "opencl",
        .fma = true,
        .rounds_once = true,
        .print = gpu_print_c_like,
        .language = clusters ? &cuda_dialect : &opencl_dialect,
    };
    struct gpu_pass pass;
    weft_status status = gpu_pass_build(device, program, index, &printer, NULL, &pass);
    if (status) return status;
    text_append(text,
                "/* evaluated on the host, here as %s; blocks %lld, threads %d, bytes of "
                "shared memory %lld */\n%s",
                clusters ? "CUDA C++" : "OpenCL C",
                (long long)pass.info.blocks, pass.info.threads, (long long)pass.info.shared_bytes,
                text_chars(&pass.source));
    gpu_pass_forget_source(&pass);
    return text_failed(text) ? error_memory("the source of a pass") : WEFT_OK;
}
