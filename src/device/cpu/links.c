#include "device/cpu/links.h"

#include "base/memory.h"
#include "device/cpu/laid.h"
#include "device/cpu/scaling.h"

/* Of a list. */
#define MOST_LINKS 32
/* Of a pass's tile buffers; of longer lines one may lie where results will (run_borrow()). */
#define LINKED_BYTES 8192

/* An operation of a pass, for so many tiles, or all of a pass; the one behind the last has no
 * codelet. */
struct link {
    codelet_function *run;
    const struct codelet_shape *shape;
    const void *twiddles, *fine;
    enum pass_place from, to;
    int64_t from_bytes, to_bytes;
    int64_t tiles, from_step, to_step; /* bytes from a tile to the next */
};

/* ---- the list ---- */

/* Whether each operation is a link. Tile buffers are behind so many bytes of the work. */
static bool is_listed(const struct kernel *kernel, size_t work)
{
    if (!kernel->plain || kernel->laid) return false;
    if (kernel->tile_plane == 0) return true;
    return kernel->straight_tiles == 1 && kernel->workspace <= LINKED_BYTES &&
           work + kernel->workspace <= CPU_CHAIN_BYTES;
}

/* Where an operand is, and the bytes from a tile's to the next one's. */
struct spot {
    enum pass_place place;
    int64_t bytes, step;
};

static struct spot spot_of(const struct kernel *kernel, enum cpu_operand operand, size_t work)
{
    const struct pass *pass = kernel->pass;
    const int64_t pair = 2 * kernel->real_bytes;
    if (operand == CPU_TILE_A) return (struct spot){PASS_WORK, (int64_t)work, 0};
    if (operand == CPU_TILE_B)
        return (struct spot){PASS_WORK, (int64_t)work + pair * kernel->tile_plane, 0};
    return (struct spot){operand == CPU_TO ? pass->to : pass->from, pair * pass->offset[operand],
                         kernel->straight_bytes[operand]};
}

static struct link link_of(const struct kernel *kernel, const struct cpu_operation *op,
                           weft_direction direction, size_t work)
{
    const weft_direction way = kernel->pass->one_way && !op->directed ? WEFT_FORWARD : direction;
    const struct spot from = spot_of(kernel, op->from, work), to = spot_of(kernel, op->to, work);
    return (struct link){.run = op->codelet[way],
                         .shape = &op->shape[way],
                         .twiddles = cpu_twiddles(op, direction),
                         .fine = op->fine,
                         .from = from.place,
                         .to = to.place,
                         .from_bytes = op->from_bytes + from.bytes,
                         .to_bytes = op->to_bytes + to.bytes,
                         .tiles = kernel->straight_tiles,
                         .from_step = from.step,
                         .to_step = to.step};
}

static struct link link_of_all(const struct kernel *kernel, weft_direction direction)
{
    const struct pass *pass = kernel->pass;
    const int64_t pair = 2 * kernel->real_bytes;
    return (struct link){.run = direction == WEFT_INVERSE ? cpu_run_inverse : cpu_run_forward,
                         .twiddles = kernel,
                         .from = pass->from,
                         .to = pass->to,
                         .from_bytes = pair * pass->offset[CPU_FROM],
                         .to_bytes = pair * pass->offset[CPU_TO],
                         .tiles = 1};
}

/* To `list`, if there is one. Returns how many links there are. */
static int add_links(const struct kernel *kernel, weft_direction direction, size_t work,
                     struct link *list)
{
    const struct cpu_pipeline *main = &kernel->main;
    int links = 0;
    if (!is_listed(kernel, work)) {
        if (list) *list = link_of_all(kernel, direction);
        return 1;
    }
    for (int o = 0; o < main->operations; o++) {
        const struct cpu_operation *op = &main->operation[o];
        if (scaling_does_nothing(op, direction)) continue;
        if (list) list[links] = link_of(kernel, op, direction, work);
        links++;
    }
    return links;
}

static bool has_place(enum pass_place place)
{
    return place == PASS_INPUT || place == PASS_OUTPUT || place == PASS_WORK;
}

static bool suits(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (!kernel->straight || kernel->workspace > CPU_SHORT_BYTES) return false;
    if (laid_caller_has_planes(kernel, CPU_FROM) || laid_caller_has_planes(kernel, CPU_TO))
        return false;
    return has_place(pass->from) && has_place(pass->to);
}

/* To `list`, if there is one. Returns how many links a direction has, 0: it cannot be done so. */
static int list_links(struct kernel *const *kernel, const struct program *program,
                      weft_direction direction, struct link *list)
{
    int links = 0;
    for (int s = 0; s < program->stages; s++) {
        const struct program_stage *stage = &program->stage[s];
        if (!stage->runs[direction]) continue;
        if (stage->outers > 0 || stage->turned) return 0;
        for (int p = stage->first; p < stage->first + stage->passes; p++) {
            if (!suits(kernel[p])) return 0;
            links += add_links(kernel[p], direction, cpu_chain_bytes(program),
                               list ? list + links : NULL);
        }
    }
    return links;
}

/* NULL: no memory. */
static struct link *make_list(const struct kernel *kernel, int links)
{
    struct link *list = arena_alloc(kernel->arena, (size_t)(links + 1) * sizeof *list);
    if (list) list[links].run = NULL;
    return list;
}

static const struct link *list_of(struct kernel *const *kernel, const struct program *program,
                                  weft_direction direction)
{
    const int links = list_links(kernel, program, direction, NULL);
    if (links == 0 || links > MOST_LINKS) return NULL;
    struct link *list = make_list(kernel[0], links);
    if (list) list_links(kernel, program, direction, list);
    return list;
}

static const struct link *list_of_pass(const struct kernel *kernel, weft_direction direction)
{
    const int links = add_links(kernel, direction, 0, NULL);
    if (links == 0 || links > MOST_LINKS) return NULL;
    struct link *list = make_list(kernel, links);
    if (list) add_links(kernel, direction, 0, list);
    return list;
}

/* ---- running ---- */

static inline void run_links(const struct link *link, const void *in, void *out)
{
    _Alignas(MEMORY_ALIGNMENT) char work[CPU_CHAIN_BYTES];
    char *place[PASS_PLACES];
    place[PASS_INPUT] = (char *)(uintptr_t)in;
    place[PASS_OUTPUT] = out;
    place[PASS_WORK] = work;
    for (; link->run; link++) {
        const char *from = place[link->from] + link->from_bytes;
        char *to = place[link->to] + link->to_bytes;
        for (int64_t left = link->tiles;;) {
            link->run(link->shape, from, from, to, to, link->twiddles, link->fine);
            if (--left == 0) break;
            from += link->from_step;
            to += link->to_step;
        }
    }
}

static void run_list(const struct codelet_shape *shape, const void *in_re, const void *in_im,
                     void *out_re, void *out_im, const void *list, const void *fine)
{
    (void)shape, (void)in_im, (void)out_im, (void)fine;
    run_links(list, in_re, out_re);
}

/* ---- the shortcut ---- */

static bool is_call(const struct link *link, enum pass_place from)
{
    return link->from == from && link->to == PASS_OUTPUT && link->tiles == 1 &&
           link->from_bytes == 0 && link->to_bytes == 0;
}

static void set_call(struct pass_call *call, weft_direction d, const struct link *link)
{
    call->run[d] = link->run;
    call->shape[d] = link->shape;
    call->twiddles[d] = link->twiddles;
    call->fine[d] = link->fine;
}

/* Two calls, the second on the output, need no list. */
static void set_list(struct pass_shortcut *shortcut, weft_direction d, const struct link *list)
{
    const bool two = is_call(&list[0], PASS_INPUT) && list[1].run &&
                     is_call(&list[1], PASS_OUTPUT) && !list[2].run;
    if (two) {
        set_call(&shortcut->call, d, &list[0]);
        set_call(&shortcut->then, d, &list[1]);
        return;
    }
    shortcut->call.run[d] = run_list;
    shortcut->call.shape[d] = NULL;
    shortcut->call.twiddles[d] = list;
}

bool links_find(struct kernel *const *kernel, const struct program *program,
                struct pass_shortcut *shortcut)
{
    struct pass_shortcut found = {.call = {.shape = {NULL, NULL}}};
    if (cpu_chain_bytes(program) > CPU_CHAIN_BYTES) return false;
    for (int d = 0; d < 2; d++) {
        const struct link *list = list_of(kernel, program, (weft_direction)d);
        if (list) set_list(&found, (weft_direction)d, list);
    }
    if (!found.call.run[WEFT_FORWARD] && !found.call.run[WEFT_INVERSE]) return false;
    *shortcut = found;
    return true;
}

bool links_find_pass(const struct kernel *kernel, struct pass_shortcut *shortcut)
{
    struct pass_shortcut found = {.call = {.shape = {NULL, NULL}}};
    /* Tiles stay in the caches from operation to operation. */
    if (kernel->straight_tiles > 1 && kernel->main.operations > 1) return false;
    if (!is_listed(kernel, 0)) return false;
    for (int d = 0; d < 2; d++) {
        const struct link *list = list_of_pass(kernel, (weft_direction)d);
        if (!list) return false;
        set_list(&found, (weft_direction)d, list);
    }
    *shortcut = found;
    return true;
}
