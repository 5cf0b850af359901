#include "print/c_route.h"

#include <limits.h>
#include <string.h>

/* More ports do blends than shuffles. */
#define BLEND_COST   1
#define SHUFFLE_COST 2

/* A vector and the places whose values it holds by now. */
struct holder {
    int vector;
    struct c_route_place content[C_ROUTE_MAX_LANES];
};

static bool same(struct c_route_place x, struct c_route_place y)
{
    return x.vector == y.vector && x.lane == y.lane;
}

/* ---- groups ---- */

static int find_root(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Targets are joined through the first target that took the same source before. */
static void join(const struct c_router *r, const struct c_route_target *target, int t, int *parent,
                 int *taker)
{
    for (int i = 0; i < r->lanes; i++) {
        const int source = target[t].lane[i].vector;
        if (source < 0) continue;
        if (taker[source] == 0) taker[source] = t + 1;
        parent[find_root(parent, t)] = find_root(parent, taker[source] - 1);
    }
}

int c_route_groups(struct c_router *r, struct c_route_target *target, int targets)
{
    int *parent = arena_array(r->arena, (size_t)targets + 1, sizeof *parent);
    int *number = arena_array(r->arena, (size_t)targets + 1, sizeof *number);
    int *taker = arena_array(r->arena, (size_t)r->next + 1, sizeof *taker);
    int groups = 0;
    if (!parent || !number || !taker) return -1;
    for (int t = 0; t < targets; t++)
        parent[t] = t;
    for (int t = 0; t < targets; t++)
        join(r, target, t, parent, taker);
    for (int t = 0; t < targets; t++) {
        const int root = find_root(parent, t);
        if (number[root] == 0) number[root] = ++groups;
        target[t].group = number[root] - 1;
    }
    return groups;
}

/* ---- shuffles ---- */

/* Whether every lane stays where it is in its vector. */
static bool is_blend(const struct c_router *r, const int *lanes)
{
    for (int i = 0; i < r->lanes; i++) {
        if (lanes[i] >= 0 && lanes[i] % r->lanes != i) return false;
    }
    return true;
}

/* lanes[i]: of `first`, from r->lanes on of `second`; -1: any. */
static int add_shuffle(struct c_router *r, int first, int second, const int *lanes)
{
    struct c_shuffle shuffle = {.first = first, .second = second};
    memcpy(shuffle.lane, lanes, sizeof shuffle.lane);
    r->cost += is_blend(r, lanes) ? BLEND_COST : SHUFFLE_COST;
    if (!c_shuffles_add(&r->shuffles, r->next, shuffle)) r->shuffles.text->failed = true;
    return r->next++;
}

static int lane_in(const struct c_router *r, const struct holder *holder,
                   struct c_route_place place)
{
    for (int i = 0; i < r->lanes; i++) {
        if (holder->content[i].vector >= 0 && same(holder->content[i], place)) return i;
    }
    return -1;
}

/* Which lanes of the holder the target takes, -1 where none. Returns how many. */
static int lanes_of(const struct c_router *r, const struct c_route_target *target,
                    const struct holder *holder, int *lanes)
{
    int found = 0;
    for (int i = 0; i < r->lanes; i++) {
        const struct c_route_place place = target->lane[i];
        lanes[i] = place.vector < 0 ? -1 : lane_in(r, holder, place);
        found += lanes[i] >= 0;
    }
    return found;
}

static bool stays(const struct c_router *r, const int *lanes)
{
    for (int i = 0; i < r->lanes; i++) {
        if (lanes[i] >= 0 && lanes[i] != i) return false;
    }
    return true;
}

/* Puts a target together from holders, one after the other. */
static void gather(struct c_router *r, struct c_route_target *target, const struct holder *holder,
                   int holders)
{
    int result[C_ROUTE_MAX_LANES], lanes[C_ROUTE_MAX_LANES], so_far = -1;
    bool moved = false;
    for (int h = 0; h < holders; h++) {
        if (lanes_of(r, target, &holder[h], lanes) == 0) continue;
        if (so_far < 0) {
            so_far = holder[h].vector;
            memcpy(result, lanes, sizeof result);
            moved = !stays(r, lanes);
            continue;
        }
        for (int i = 0; i < r->lanes; i++) {
            if (lanes[i] >= 0) result[i] = r->lanes + lanes[i];
        }
        so_far = add_shuffle(r, so_far, holder[h].vector, result);
        for (int i = 0; i < r->lanes; i++)
            result[i] = result[i] >= 0 ? i : -1;
        moved = false;
    }
    target->vector = moved ? add_shuffle(r, so_far, so_far, result) : so_far;
}

/* ---- many to many ---- */

static bool is_wanted(const struct c_router *r, struct c_route_place place,
                      struct c_route_target *const *target, int targets)
{
    for (int t = 0; t < targets; t++) {
        for (int i = 0; i < r->lanes; i++) {
            if (target[t]->lane[i].vector >= 0 && same(target[t]->lane[i], place)) return true;
        }
    }
    return false;
}

/* The holder without what the targets do not take. Returns how much they take. */
static int strip(const struct c_router *r, struct holder *holder,
                 struct c_route_target *const *target, int targets)
{
    int left = 0;
    for (int i = 0; i < r->lanes; i++) {
        struct c_route_place *place = &holder->content[i];
        if (place->vector >= 0 && !is_wanted(r, *place, target, targets)) place->vector = -1;
        left += place->vector >= 0;
    }
    return left;
}

/* The contents of both in one vector: those of the first stay where they are, and those of the
 * second where they can: a blend, if all do. */
static struct holder merge(struct c_router *r, const struct holder *x, const struct holder *y)
{
    struct holder merged = *x;
    int lanes[C_ROUTE_MAX_LANES], free_lane = 0;
    for (int i = 0; i < r->lanes; i++) {
        const bool second = x->content[i].vector < 0 && y->content[i].vector >= 0;
        if (second) merged.content[i] = y->content[i];
        lanes[i] = second ? r->lanes + i : x->content[i].vector >= 0 ? i : -1;
    }
    for (int i = 0; i < r->lanes; i++) {
        if (y->content[i].vector < 0 || lanes[i] == r->lanes + i) continue;
        while (lanes[free_lane] >= 0)
            free_lane++;
        merged.content[free_lane] = y->content[i];
        lanes[free_lane] = r->lanes + i;
    }
    merged.vector = add_shuffle(r, x->vector, y->vector, lanes);
    return merged;
}

/* What the targets take of the holders, in as few vectors as neighbours merge into. */
static int pack(struct c_router *r, const struct holder *from, int holders,
                struct c_route_target *const *target, int targets, struct holder *to)
{
    int packed = 0, last = r->lanes;
    for (int h = 0; h < holders; h++) {
        struct holder stripped = from[h];
        const int count = strip(r, &stripped, target, targets);
        if (count == 0) continue;
        if (last + count <= r->lanes) {
            to[packed - 1] = merge(r, &to[packed - 1], &stripped);
            last += count;
        } else {
            to[packed++] = stripped;
            last = count;
        }
    }
    return packed;
}

/* Cuts the targets into pieces and halves these until each is gathered from what was packed for it:
 * as a transpose does, when there are as many of them as holders and one piece. */
static bool solve(struct c_router *r, struct c_route_target **target, int targets,
                  const struct holder *holder, int holders)
{
    if (targets == 1) {
        gather(r, target[0], holder, holders);
        return true;
    }
    struct holder *packed = arena_array(r->arena, (size_t)holders, sizeof *packed);
    if (!packed) return false;
    const int part = r->piece < targets ? r->piece : (targets + 1) / 2;
    for (int first = 0; first < targets; first += part) {
        const int count = targets - first < part ? targets - first : part;
        if (count == 1) {
            gather(r, target[first], holder, holders);
            continue;
        }
        const int left = pack(r, holder, holders, target + first, count, packed);
        if (!solve(r, target + first, count, packed, left)) return false;
    }
    return true;
}

/* The vectors that the targets take values of. */
static int find_sources(const struct c_router *r, struct c_route_target *const *target, int targets,
                        struct holder *source, bool *known)
{
    int sources = 0;
    for (int t = 0; t < targets; t++) {
        for (int i = 0; i < r->lanes; i++) {
            const int vector = target[t]->lane[i].vector;
            if (vector < 0 || known[vector]) continue;
            known[vector] = true;
            source[sources].vector = vector;
            for (int l = 0; l < r->lanes; l++)
                source[sources].content[l] = (struct c_route_place){vector, l};
            sources++;
        }
    }
    return sources;
}

/* The size of pieces whose shuffles cost least. 0: no memory. */
static int best_piece(const struct c_router *r, struct c_route_target **target, int targets,
                      const struct holder *source, int sources)
{
    int best = targets, least = INT_MAX;
    for (int piece = targets; piece > 0; piece--) {
        struct c_router trial = *r;
        trial.piece = piece;
        trial.cost = 0;
        if (!solve(&trial, target, targets, source, sources)) return 0;
        if (trial.cost >= least) continue;
        least = trial.cost;
        best = piece;
    }
    return best;
}

static bool print_all(struct c_router *r, struct c_route_target **target, int targets,
                      enum c_shuffle_end end)
{
    int *vector = arena_array(r->arena, (size_t)targets, sizeof *vector);
    if (!vector) return false;
    for (int t = 0; t < targets; t++)
        vector[t] = target[t]->vector;
    if (!c_shuffles_print(&r->shuffles, end, vector, targets, &r->next)) return false;
    for (int t = 0; t < targets; t++)
        target[t]->vector = vector[t];
    return true;
}

bool c_route_print(struct c_router *r, struct c_route_target *target, int targets, int group,
                   enum c_shuffle_end end)
{
    struct c_route_target **member = arena_array(r->arena, (size_t)targets + 1, sizeof *member);
    struct holder *source = arena_array(r->arena, (size_t)r->next + 1, sizeof *source);
    bool *known = arena_array(r->arena, (size_t)r->next + 1, sizeof *known);
    int members = 0;
    if (!member || !source || !known) return false;
    for (int t = 0; t < targets; t++) {
        if (target[t].group == group) member[members++] = &target[t];
    }
    const int sources = find_sources(r, member, members, source, known);
    if (members == 0) return true;
    r->piece = best_piece(r, member, members, source, sources);
    return r->piece > 0 && solve(r, member, members, source, sources) &&
           print_all(r, member, members, end);
}
