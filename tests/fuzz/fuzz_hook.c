/* Any text as a hook, of complex elements and of reals: refused with its place, or compiled and run
 * on elements of all sorts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "hook/hook.h"
#include "hook/run.h"
#include "target.h"

static struct problem problem_of(weft_kind kind, weft_precision precision)
{
    struct problem p = {.kind = kind, .precision = precision, .threads = 1};
    p.hooks.dims = 3;
    for (int i = 0; i < 3; i++)
        p.hooks.size[i] = p.hooks.length[0][i] = p.hooks.length[1][i] = i + 2;
    return p;
}

static void run(const struct problem *p, arena *a)
{
    static const double odd[] = {0, -1, 1e300, NAN, INFINITY, -INFINITY, 3.5, 1e-310};
    const struct hook_program *program = hook_compile(a, p, false);
    void *workspace = program ? malloc(hook_workspace_bytes(program)) : NULL;
    int64_t position[HOOK_RUN];
    double re[HOOK_RUN], im[HOOK_RUN];
    float narrow_re[HOOK_RUN], narrow_im[HOOK_RUN];
    if (!workspace) abort();
    for (int i = 0; i < HOOK_RUN; i++) {
        position[i] = i % 24;
        re[i] = odd[i % 8];
        im[i] = odd[i / 8];
        narrow_re[i] = (float)re[i];
        narrow_im[i] = (float)im[i];
    }
    if (p->precision == WEFT_F32) {
        hook_begin_f32(program, workspace, true);
        hook_run_f32(program, workspace, HOOK_RUN, position, narrow_re, narrow_im);
    } else {
        hook_begin_f64(program, workspace, true);
        hook_run_f64(program, workspace, HOOK_RUN, position, re, im);
    }
    free(workspace);
}

static void try(const uint8_t *data, size_t size, struct problem p)
{
    memcpy(p.hooks.source[0], data, size);
    const weft_status status = hook_check(&p, false);
    if (status) {
        if (strncmp(error_last(), "load hook, line ", 16) != 0) abort();
        return;
    }
    arena *a = arena_create();
    if (!a) abort();
    if (hook_exists(&p.hooks, false)) run(&p, a);
    arena_destroy(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > HOOK_MAX_LENGTH) size = HOOK_MAX_LENGTH;
    try(data, size, problem_of(WEFT_C2C, WEFT_F64));
    try(data, size, problem_of(WEFT_R2C, WEFT_F32));
    return 0;
}
