/* A compiler of CUDA C++ for machines without a GPU: the C compiler of this machine makes a shared
 * library of the kernel's text, which is C but for a few words, for fake/cuda_kernels.c to run.
 * What has the word in FAKE_NVRTC_REFUSES is no program to it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake/image.h"

enum { OK = 0, OUT_OF_MEMORY = 1, INVALID_INPUT = 3, COMPILATION = 6 };
enum { LOG_BYTES = 4096 };

#define EXPORTED __attribute__((visibility("default")))

struct _nvrtcProgram {
    char *source;
    struct fake_image *image;
    char log[LOG_BYTES];
};

EXPORTED int nvrtcVersion(int *major, int *minor);
EXPORTED const char *nvrtcGetErrorString(int result);
EXPORTED int nvrtcGetNumSupportedArchs(int *count);
EXPORTED int nvrtcGetSupportedArchs(int *architecture);
EXPORTED int nvrtcCreateProgram(struct _nvrtcProgram **program, const char *source,
                                const char *name, int headers, const char *const *header,
                                const char *const *include);
EXPORTED int nvrtcDestroyProgram(struct _nvrtcProgram **program);
EXPORTED int nvrtcCompileProgram(struct _nvrtcProgram *program, int count,
                                 const char *const *option);
EXPORTED int nvrtcGetProgramLogSize(struct _nvrtcProgram *program, size_t *bytes);
EXPORTED int nvrtcGetProgramLog(struct _nvrtcProgram *program, char *log);
EXPORTED int nvrtcGetPTXSize(struct _nvrtcProgram *program, size_t *bytes);
EXPORTED int nvrtcGetPTX(struct _nvrtcProgram *program, char *ptx);
EXPORTED int nvrtcGetCUBINSize(struct _nvrtcProgram *program, size_t *bytes);
EXPORTED int nvrtcGetCUBIN(struct _nvrtcProgram *program, char *cubin);

int nvrtcVersion(int *major, int *minor)
{
    *major = 13;
    *minor = 0;
    return OK;
}

const char *nvrtcGetErrorString(int result)
{
    return result == COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR";
}

int nvrtcGetNumSupportedArchs(int *count)
{
    *count = 1;
    return OK;
}

int nvrtcGetSupportedArchs(int *architecture)
{
    *architecture = FAKE_CAPABILITY;
    return OK;
}

int nvrtcCreateProgram(struct _nvrtcProgram **program, const char *source, const char *name,
                       int headers, const char *const *header, const char *const *include)
{
    (void)name, (void)header, (void)include;
    if (headers) return INVALID_INPUT;
    *program = calloc(1, sizeof **program);
    if (!*program) return OUT_OF_MEMORY;
    (*program)->source = strdup(source);
    return (*program)->source ? OK : OUT_OF_MEMORY;
}

int nvrtcDestroyProgram(struct _nvrtcProgram **program)
{
    free((*program)->source);
    free((*program)->image);
    free(*program);
    *program = NULL;
    return OK;
}

/* ---- compiling ---- */

/* The words of CUDA C++ in C. */
static const char prologue[] =
    "#include <math.h>\n"
    "#include <stdbool.h>\n"
    "typedef struct { float x, y; } __attribute__((aligned(8))) float2;\n"
    "typedef struct { double x, y; } __attribute__((aligned(16))) double2;\n"
    "#define make_float2(a, b) ((float2){(a), (b)})\n"
    "#define make_double2(a, b) ((double2){(a), (b)})\n"
    "#define __global__\n"
    "#define __launch_bounds__(...)\n"
    "#define __shared__ static\n"
    "#define __align__(n) __attribute__((aligned(n)))\n"
    "struct { int x; } threadIdx, blockIdx;\n"
    "void (*fake_barrier)(void);\n"
    "#define __syncthreads() fake_barrier()\n"
    "unsigned char dynamic_shared[232448] __attribute__((aligned(16)));\n";

/* Writes the text without what C does not know; arguments are counted by their commas. */
static void write_source(FILE *file, const char *source)
{
    static const char language[] = "extern \"C\" ", shared[] = "extern __shared__ ";
    const char *open = strstr(source, "weft_");
    int arguments = 1;
    for (const char *c = open ? strchr(open, '(') : NULL; c && *c && *c != ')'; c++)
        arguments += *c == ',';
    fprintf(file, "%sint fake_arguments = %d;\n", prologue, arguments);
    while (*source) {
        if (strncmp(source, language, strlen(language)) == 0)
            source += strlen(language);
        else if (strncmp(source, shared, strlen(shared)) == 0) {
            fputs("extern ", file);
            source += strlen(shared);
        } else
            fputc(*source++, file);
    }
}

static bool read_library(struct _nvrtcProgram *program, const char *path)
{
    struct stat about;
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    bool good = fstat(fileno(file), &about) == 0;
    const size_t bytes = good ? (size_t)about.st_size : 0;
    program->image = malloc(sizeof *program->image + bytes);
    if (program->image) {
        memcpy(program->image->magic, FAKE_MAGIC, sizeof program->image->magic);
        program->image->bytes = bytes;
        good = good && fread(program->image->library, 1, bytes, file) == bytes;
    }
    fclose(file);
    return good && program->image;
}

static void read_log(struct _nvrtcProgram *program, const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) return;
    size_t length = fread(program->log, 1, LOG_BYTES - 1, file);
    program->log[length] = 0;
    fclose(file);
}

static int compile_in(struct _nvrtcProgram *program, const char *folder)
{
    char source[128], library[128], log[128], command[1024];
    snprintf(source, sizeof source, "%s/kernel.c", folder);
    snprintf(library, sizeof library, "%s/kernel.so", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    FILE *file = fopen(source, "w");
    if (!file) return COMPILATION;
    write_source(file, program->source);
    fclose(file);
    const char *compiler = getenv("CC");
    snprintf(command, sizeof command,
             "%s -w -O1 -ffp-contract=off -mfma -shared -fPIC -o %s %s >%s 2>&1",
             compiler ? compiler : "cc", library, source, log);
    int result = system(command) == 0 && read_library(program, library) ? OK : COMPILATION;
    read_log(program, log);
    unlink(source);
    unlink(library);
    unlink(log);
    return result;
}

int nvrtcCompileProgram(struct _nvrtcProgram *program, int count, const char *const *option)
{
    (void)count, (void)option;
    const char *refused = getenv("FAKE_NVRTC_REFUSES");
    if (refused && strstr(program->source, refused)) return COMPILATION;
    char folder[] = "/tmp/fake-nvrtc-XXXXXX";
    if (!mkdtemp(folder)) return COMPILATION;
    int result = compile_in(program, folder);
    rmdir(folder);
    return result;
}

/* ---- what came of it ---- */

int nvrtcGetProgramLogSize(struct _nvrtcProgram *program, size_t *bytes)
{
    *bytes = strlen(program->log) + 1;
    return OK;
}

int nvrtcGetProgramLog(struct _nvrtcProgram *program, char *log)
{
    strcpy(log, program->log);
    return OK;
}

int nvrtcGetCUBINSize(struct _nvrtcProgram *program, size_t *bytes)
{
    *bytes = sizeof *program->image + program->image->bytes;
    return OK;
}

int nvrtcGetCUBIN(struct _nvrtcProgram *program, char *cubin)
{
    memcpy(cubin, program->image, sizeof *program->image + program->image->bytes);
    return OK;
}

int nvrtcGetPTXSize(struct _nvrtcProgram *program, size_t *bytes)
{
    (void)program;
    *bytes = 0;
    return INVALID_INPUT;
}

int nvrtcGetPTX(struct _nvrtcProgram *program, char *ptx)
{
    (void)program, (void)ptx;
    return INVALID_INPUT;
}
