#include "print/c_shuffle.h"

#include <string.h>

#define FIRST_ROOM 64

static bool grow(struct c_shuffles *s)
{
    const int room = s->room ? 2 * s->room : FIRST_ROOM;
    struct c_shuffle *shuffle = arena_array(s->arena, (size_t)room, sizeof *shuffle);
    if (!shuffle) return false;
    if (s->count) memcpy(shuffle, s->shuffle, (size_t)s->count * sizeof *shuffle);
    s->shuffle = shuffle;
    s->room = room;
    return true;
}

bool c_shuffles_add(struct c_shuffles *s, int number, struct c_shuffle shuffle)
{
    if (s->count == s->room && !grow(s)) return false;
    if (s->count == 0) s->first = number;
    s->shuffle[s->count++] = shuffle;
    return true;
}

/* The shuffle that makes the vector; NULL: none of these. */
static struct c_shuffle *maker(const struct c_shuffles *s, int vector)
{
    const int i = vector - s->first;
    return i >= 0 && i < s->count ? &s->shuffle[i] : NULL;
}

/* ---- directions ---- */

static bool is_exchanged(const struct c_shuffles *s, enum c_shuffle_end end, int vector)
{
    const struct c_shuffle *shuffle = maker(s, vector);
    return shuffle ? shuffle->exchanged : end == C_SHUFFLE_LOADED;
}

/* The lanes that the inverse transform takes. */
static void find_inverse(const struct c_shuffles *s, enum c_shuffle_end end,
                         const struct c_shuffle *shuffle, int *inverse)
{
    const bool first = is_exchanged(s, end, shuffle->first);
    const bool second = is_exchanged(s, end, shuffle->second);
    for (int i = 0; i < s->lanes; i++) {
        const int lane = shuffle->lane[i];
        const bool turned = lane < s->lanes ? first : second;
        inverse[shuffle->exchanged ? i ^ 1 : i] = lane < 0 ? -1 : turned ? lane ^ 1 : lane;
    }
}

static bool agree(int lanes, const int *x, const int *y)
{
    for (int i = 0; i < lanes; i++) {
        if (x[i] >= 0 && y[i] >= 0 && x[i] != y[i]) return false;
    }
    return true;
}

static bool is_one(const struct c_shuffles *s, enum c_shuffle_end end,
                   const struct c_shuffle *shuffle)
{
    int inverse[C_SHUFFLE_MAX_LANES];
    find_inverse(s, end, shuffle, inverse);
    return agree(s->lanes, shuffle->lane, inverse);
}

/* As long as pairs are moved together they are left as they lie. */
static void part(struct c_shuffles *s)
{
    for (int k = 0; k < s->count; k++) {
        struct c_shuffle *shuffle = &s->shuffle[k];
        if (shuffle->target || is_one(s, C_SHUFFLE_LOADED, shuffle)) continue;
        shuffle->exchanged = true;
        shuffle->exchanged = is_one(s, C_SHUFFLE_LOADED, shuffle);
    }
}

/* The last shuffle of each target is one that takes its lanes from a vector anyway, where others
 * before it may not. */
static void join(struct c_shuffles *s)
{
    for (int k = 0; k < s->count; k++)
        s->shuffle[k].exchanged = s->shuffle[k].target;
}

/* ---- printing ---- */

/* Lanes that may be any become those of the other. */
static void unite(int lanes, int *x, const int *y)
{
    for (int i = 0; i < lanes; i++)
        x[i] = x[i] >= 0 ? x[i] : y[i];
}

/* The row of these lanes; -1: there is no room. */
static int find_row(struct c_exchange *x, int lanes, const int *forward, const int *inverse)
{
    int row = 0;
    while (row < x->rows &&
           !(agree(lanes, x->lane[row][0], forward) && agree(lanes, x->lane[row][1], inverse)))
        row++;
    if (row == C_EXCHANGE_MAX_ROWS) return -1;
    if (row == x->rows) {
        x->rows++;
        memset(x->lane[row], -1, sizeof x->lane[row]);
    }
    unite(lanes, x->lane[row][0], forward);
    unite(lanes, x->lane[row][1], inverse);
    return row;
}

/* Of one vector a lane that may be any repeats the one before: gcc 12.2 moves doubles to the wrong
 * place within the lower half of a 512-bit vector whose upper half stays as it is. */
static void print_constant(const struct c_shuffles *s, int number, const struct c_shuffle *shuffle)
{
    const bool alone = shuffle->first == shuffle->second;
    int lane = alone ? 0 : -1;
    text_append(s->text, "const vec v%d = __builtin_shufflevector(v%d, v%d", number, shuffle->first,
                shuffle->second);
    for (int i = 0; i < s->lanes; i++) {
        if (shuffle->lane[i] >= 0 || !alone) lane = shuffle->lane[i];
        text_append(s->text, ", %d", lane);
    }
    text_append(s->text, ");\n");
}

static void print_exchange(const struct c_shuffles *s, int number, const struct c_shuffle *shuffle,
                           const int *inverse)
{
    const int row = find_row(s->exchange, s->lanes, shuffle->lane, inverse);
    if (row < 0) {
        s->text->failed = true;
        return;
    }
    s->exchange->used[row] = true;
    text_append(s->text, "const vec v%d = PERMUTE(v%d, lanes_%d, v%d);\n", number, shuffle->first,
                row, shuffle->second);
}

static void print_shuffle(const struct c_shuffles *s, enum c_shuffle_end end, int k)
{
    struct c_shuffle *shuffle = &s->shuffle[k];
    int inverse[C_SHUFFLE_MAX_LANES];
    find_inverse(s, end, shuffle, inverse);
    if (agree(s->lanes, shuffle->lane, inverse)) {
        unite(s->lanes, shuffle->lane, inverse);
        print_constant(s, s->first + k, shuffle);
    } else {
        print_exchange(s, s->first + k, shuffle, inverse);
    }
}

void c_exchange_print(struct text *t, struct c_exchange *x)
{
    for (int row = 0; row < x->rows; row++) {
        if (x->used[row]) text_append(t, "const lanes_vector lanes_%d = LANES(%d);\n", row, row);
        x->used[row] = false;
    }
}

/* Marks the targets. What is one as it is has its lanes exchanged, too. */
static bool mark(struct c_shuffles *s, enum c_shuffle_end end, int *target, int targets, int *next)
{
    for (int t = 0; t < targets && end != C_SHUFFLE_INSIDE; t++) {
        if (!maker(s, target[t])) {
            struct c_shuffle same = {.first = target[t], .second = target[t]};
            for (int i = 0; i < s->lanes; i++)
                same.lane[i] = i;
            if (!c_shuffles_add(s, *next, same)) return false;
            target[t] = (*next)++;
        }
        maker(s, target[t])->target = true;
    }
    return true;
}

bool c_shuffles_print(struct c_shuffles *s, enum c_shuffle_end end, int *target, int targets,
                      int *next)
{
    if (!s->exchange) end = C_SHUFFLE_INSIDE;
    if (!mark(s, end, target, targets, next)) return false;
    if (end == C_SHUFFLE_LOADED) part(s);
    if (end == C_SHUFFLE_STORED) join(s);
    for (int k = 0; k < s->count; k++)
        print_shuffle(s, end, k);
    s->count = 0;
    return true;
}
