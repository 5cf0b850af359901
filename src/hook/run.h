/* Hooks on the CPU: their kernels are interpreted, each operation over a run of elements. */
#ifndef WEFT_HOOK_RUN_H
#define WEFT_HOOK_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "spec/problem.h"

/* Elements a run: values of all the operations stay in the first-level cache. */
#define HOOK_RUN 64

struct hook_program;

/* The side's expression, made ready in the arena. NULL: no memory. */
const struct hook_program *hook_compile(arena *a, const struct problem *problem, bool out);

/* Bytes that whoever runs it works in, aligned to a double. */
size_t hook_workspace_bytes(const struct hook_program *program);

/* Bytes of what it has computed in advance. */
size_t hook_table_bytes(const struct hook_program *program);

/* What hook_run_*() works in until the next of these. */
void hook_begin_f32(const struct hook_program *program, void *workspace, bool inverse);
void hook_begin_f64(const struct hook_program *program, void *workspace, bool inverse);

/* Replaces count <= HOOK_RUN elements, of which the positions are given, by what the expression
 * makes of them. im: NULL if they are real. */
void hook_run_f32(const struct hook_program *program, void *workspace, int count,
                  const int64_t *position, float *re, float *im);
void hook_run_f64(const struct hook_program *program, void *workspace, int count,
                  const int64_t *position, double *re, double *im);

/* Likewise, for processors with AVX2. */
#if defined(__x86_64__)
void hook_begin_avx2_f32(const struct hook_program *program, void *workspace, bool inverse);
void hook_begin_avx2_f64(const struct hook_program *program, void *workspace, bool inverse);
void hook_run_avx2_f32(const struct hook_program *program, void *workspace, int count,
                       const int64_t *position, float *re, float *im);
void hook_run_avx2_f64(const struct hook_program *program, void *workspace, int count,
                       const int64_t *position, double *re, double *im);
#endif

#endif
