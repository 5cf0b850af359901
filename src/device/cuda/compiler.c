/* Opening NVRTC and compiling with it. Like the driver it stays open. */
#include "device/cuda/compiler.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/library.h"
#include "base/memory.h"

typedef int nvrtc_result;
typedef struct _nvrtcProgram *nvrtc_program;

enum { NVRTC_OK = 0, NVRTC_OUT_OF_MEMORY = 1 };

struct nvrtc {
    nvrtc_result (*version)(int *major, int *minor);
    const char *(*error_name)(nvrtc_result result);
    nvrtc_result (*architecture_count)(int *count);
    nvrtc_result (*architectures)(int *architecture);
    nvrtc_result (*create)(nvrtc_program *program, const char *source, const char *name,
                           int headers, const char *const *header, const char *const *include);
    nvrtc_result (*destroy)(nvrtc_program *program);
    nvrtc_result (*compile)(nvrtc_program program, int count, const char *const *option);
    nvrtc_result (*log_bytes)(nvrtc_program program, size_t *bytes);
    nvrtc_result (*log)(nvrtc_program program, char *log);
    nvrtc_result (*ptx_bytes)(nvrtc_program program, size_t *bytes);
    nvrtc_result (*ptx)(nvrtc_program program, char *ptx);
    nvrtc_result (*cubin_bytes)(nvrtc_program program, size_t *bytes);
    nvrtc_result (*cubin)(nvrtc_program program, char *cubin);
};

static const struct library_entry entries[] = {
    {"nvrtcVersion", offsetof(struct nvrtc, version)},
    {"nvrtcGetErrorString", offsetof(struct nvrtc, error_name)},
    {"nvrtcGetNumSupportedArchs", offsetof(struct nvrtc, architecture_count)},
    {"nvrtcGetSupportedArchs", offsetof(struct nvrtc, architectures)},
    {"nvrtcCreateProgram", offsetof(struct nvrtc, create)},
    {"nvrtcDestroyProgram", offsetof(struct nvrtc, destroy)},
    {"nvrtcCompileProgram", offsetof(struct nvrtc, compile)},
    {"nvrtcGetProgramLogSize", offsetof(struct nvrtc, log_bytes)},
    {"nvrtcGetProgramLog", offsetof(struct nvrtc, log)},
    {"nvrtcGetPTXSize", offsetof(struct nvrtc, ptx_bytes)},
    {"nvrtcGetPTX", offsetof(struct nvrtc, ptx)},
    {"nvrtcGetCUBINSize", offsetof(struct nvrtc, cubin_bytes)},
    {"nvrtcGetCUBIN", offsetof(struct nvrtc, cubin)},
};

static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                    "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"};

enum { MOST_ARCHITECTURES = 64 };

static struct nvrtc nvrtc;
static int version;
static int architecture[MOST_ARCHITECTURES];
static int architectures;
static char problem[320]; /* "" once the compiler is ready */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- opening ---- */

static void *open_library(void)
{
    const char *wanted = getenv("WEFT_NVRTC");
    void *library = NULL;
    if (wanted && wanted[0]) {
        library = dlopen(wanted, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            snprintf(problem, sizeof problem, "NVRTC could not be opened: WEFT_NVRTC is \"%.200s\"",
                     wanted);
        }
        return library;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(problem, sizeof problem,
                 "NVRTC, which compiles the kernels, was not found: install the CUDA toolkit's "
                 "libnvrtc or let WEFT_NVRTC name the file");
    }
    return library;
}

static bool find_entries(void *library)
{
    const size_t count = sizeof entries / sizeof *entries;
    const char *missing = library_find(library, entries, count, &nvrtc);
    if (!missing) return true;
    snprintf(problem, sizeof problem,
             "NVRTC is too old, it has no %s; CUDA 11.2 or newer is needed", missing);
    return false;
}

static bool ask(void)
{
    int major, minor;
    if (nvrtc.version(&major, &minor) || nvrtc.architecture_count(&architectures)) return false;
    version = major * 100 + minor;
    return architectures > 0 && architectures <= MOST_ARCHITECTURES &&
           nvrtc.architectures(architecture) == NVRTC_OK;
}

static void open_compiler(void)
{
    void *library = open_library();
    if (!library || !find_entries(library) || ask()) return;
    snprintf(problem, sizeof problem, "NVRTC does not say what it can compile for");
}

const char *cuda_compiler_missing(void)
{
    pthread_once(&once, open_compiler);
    return problem[0] ? problem : NULL;
}

int cuda_compiler_version(void)
{
    return version;
}

/* ---- for whom ---- */

weft_status cuda_compiler_target(int capability, struct cuda_target *target)
{
    int newest = 0;
    for (int i = 0; i < architectures; i++) {
        if (architecture[i] <= capability && architecture[i] > newest) newest = architecture[i];
    }
    if (!newest) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "CUDA: NVRTC %d.%d compiles for compute capability %d.%d and newer, the "
                         "device has %d.%d: an older NVRTC is needed",
                         version / 100, version % 100, architecture[0] / 10, architecture[0] % 10,
                         capability / 10, capability % 10);
    }
    /* Machine code runs on later chips of the same generation only. */
    *target = (struct cuda_target){capability, newest, newest / 10 == capability / 10};
    return WEFT_OK;
}

/* ---- compiling ---- */

enum { MOST_OPTIONS = 8 };

struct options {
    char target[40];
    int count;
    const char *option[MOST_OPTIONS];
};

/* --minimal leaves out parts of the language that the kernels do not use, which saves a third of
 * the time of small ones. NVRTC has it since 12.4. */
static void choose_options(const struct cuda_target *target, struct options *options)
{
    snprintf(options->target, sizeof options->target, "--gpu-architecture=%s_%d",
             target->machine ? "sm" : "compute", target->compiled);
    options->count = 0;
    options->option[options->count++] = options->target;
    options->option[options->count++] = "--std=c++17";
    options->option[options->count++] = "--fmad=false";
    if (version >= 1204) options->option[options->count++] = "--minimal";
}

void cuda_compiler_print_options(struct text *t, const struct cuda_target *target)
{
    struct options options;
    choose_options(target, &options);
    text_append(t, "nvrtc %d.%d", version / 100, version % 100);
    for (int i = 0; i < options.count; i++)
        text_append(t, " %s", options.option[i]);
}

static weft_status refuse(nvrtc_result result, const char *call, const char *kernel)
{
    weft_status status = result == NVRTC_OUT_OF_MEMORY ? WEFT_ERROR_MEMORY : WEFT_ERROR_DEVICE;
    return error_set(status, "NVRTC: %s of kernel %s failed: %s", call, kernel,
                     nvrtc.error_name(result));
}

/* The compiler's log, for memory_free(); NULL: there is none. */
static char *take_log(nvrtc_program program)
{
    size_t bytes = 0;
    char *log = NULL;
    if (nvrtc.log_bytes(program, &bytes) == NVRTC_OK) log = memory_alloc_zeroed(bytes + 1);
    if (log && nvrtc.log(program, log) == NVRTC_OK) return log;
    memory_free(log);
    return NULL;
}

/* The first lines of the log say what is wrong; the rest follows from it. */
static weft_status refuse_source(nvrtc_program program, nvrtc_result result, const char *kernel)
{
    enum { MOST_SHOWN = 600 };
    char *log = take_log(program);
    weft_status status =
        error_set(WEFT_ERROR_DEVICE, "NVRTC: kernel %s does not compile (%s): %.*s", kernel,
                  nvrtc.error_name(result), MOST_SHOWN, log ? log : "");
    memory_free(log);
    return status;
}

static weft_status take_image(nvrtc_program program, const struct cuda_target *target,
                              const char *kernel, void **image, size_t *bytes)
{
    nvrtc_result result = (target->machine ? nvrtc.cubin_bytes : nvrtc.ptx_bytes)(program, bytes);
    if (result)
        return refuse(result, target->machine ? "nvrtcGetCUBINSize" : "nvrtcGetPTXSize", kernel);
    char *taken = memory_alloc(*bytes);
    if (!taken) return error_memory("a compiled kernel");
    result = (target->machine ? nvrtc.cubin : nvrtc.ptx)(program, taken);
    if (result) {
        memory_free(taken);
        return refuse(result, target->machine ? "nvrtcGetCUBIN" : "nvrtcGetPTX", kernel);
    }
    *image = taken;
    return WEFT_OK;
}

static weft_status take_report(nvrtc_program program, struct text *report)
{
    char *log = take_log(program);
    if (!log) return error_memory("the compiler's report");
    text_append(report, "%s", log);
    memory_free(log);
    return text_failed(report) ? error_memory("the compiler's report") : WEFT_OK;
}

/* What is taken from a compiled program: the image, or the report if that is wanted. */
struct product {
    void *image;
    size_t bytes;
    struct text *report;
};

static weft_status compile(const struct cuda_target *target, const char *kernel, const char *source,
                           struct product *product)
{
    nvrtc_program program;
    nvrtc_result result = nvrtc.create(&program, source, "weft.cu", 0, NULL, NULL);
    if (result) return refuse(result, "nvrtcCreateProgram", kernel);
    struct options options;
    choose_options(target, &options);
    if (product->report) options.option[options.count++] = "--ptxas-options=-v";
    result = nvrtc.compile(program, options.count, options.option);
    weft_status status;
    if (result)
        status = refuse_source(program, result, kernel);
    else if (product->report)
        status = take_report(program, product->report);
    else
        status = take_image(program, target, kernel, &product->image, &product->bytes);
    nvrtc.destroy(&program);
    return status;
}

weft_status cuda_compile(const struct cuda_target *target, const char *kernel, const char *source,
                         void **image, size_t *bytes)
{
    struct product product = {0};
    weft_status status = compile(target, kernel, source, &product);
    if (status) return status;
    *image = product.image;
    *bytes = product.bytes;
    return WEFT_OK;
}

weft_status cuda_compile_report(const struct cuda_target *target, const char *kernel,
                                const char *source, struct text *report)
{
    struct product product = {.report = report};
    return compile(target, kernel, source, &product);
}
