#include "print/c_vector_shuffle.h"

#include <string.h>

#include "print/c_vector_order.h"

#define MAX_LANES            16
#define SMALLEST_PIECE_BYTES 16

struct c_vector_shuffler c_vector_shuffler_make(struct c_shuffles *shuffles,
                                                const struct c_vector_target *target, int next)
{
    int bytes = target->lanes * (target->single ? 4 : 8);
    /* 512-bit machines shuffle two whole vectors in one instruction. */
    int pieces = bytes == 32 ? 2 : 1;
    const int small = SMALLEST_PIECE_BYTES * target->lanes / bytes;
    return (struct c_vector_shuffler){shuffles, target->lanes, target->lanes / pieces, small, next};
}

/* Element `lane` of vector `vector`. */
struct source {
    int vector, lane;
};

/* v(next) = shuffle(first, second): lanes that `second` gives are those not taken from first. */
static int add_shuffle(struct c_vector_shuffler *s, int first, int second, const int *lanes)
{
    struct c_shuffle shuffle = {.first = first, .second = second};
    memcpy(shuffle.lane, lanes, (size_t)s->lanes * sizeof *lanes);
    if (!c_shuffles_add(s->shuffles, s->next, shuffle)) s->shuffles->text->failed = true;
    return s->next++;
}

static void print_all(struct c_vector_shuffler *s, enum c_shuffle_end end, int *target, int targets)
{
    if (!c_shuffles_print(s->shuffles, end, target, targets, &s->next))
        s->shuffles->text->failed = true;
}

static int first_pending(const struct c_vector_shuffler *s, const bool *done)
{
    int lane = 0;
    while (lane < s->lanes && done[lane])
        lane++;
    return lane;
}

/* A vector whose lane i is source[i]: vectors are merged in one after the other. */
static int gather(struct c_vector_shuffler *s, const struct source *source)
{
    int result = source[0].vector, lanes[MAX_LANES], where[MAX_LANES];
    bool in_place = true, done[MAX_LANES];
    for (int i = 0; i < s->lanes; i++) {
        where[i] = source[i].lane;
        done[i] = source[i].vector == result;
        in_place = in_place && done[i] && where[i] == i;
    }
    if (in_place) return result;
    int pending = first_pending(s, done);
    do {
        int other = pending < s->lanes ? source[pending].vector : result;
        for (int i = 0; i < s->lanes; i++) {
            bool merged = !done[i] && source[i].vector == other;
            lanes[i] = merged ? s->lanes + source[i].lane : done[i] ? where[i] : -1;
            where[i] = i;
            done[i] = done[i] || merged;
        }
        result = add_shuffle(s, result, other, lanes);
        pending = first_pending(s, done);
    } while (pending < s->lanes);
    return result;
}

/* Within each piece of the vectors, places taken in turn from `count` sequences:
 * out place n of a piece = in[n mod count] place n / count. */
static void zip(struct c_vector_shuffler *s, int count, const int *in, int *out)
{
    struct source source[MAX_LANES];
    for (int v = 0; v < count; v++) {
        for (int i = 0; i < s->lanes; i++) {
            int place = v * s->piece + i % s->piece;
            source[i] = (struct source){in[place % count], i - i % s->piece + place / count};
        }
        out[v] = gather(s, source);
    }
}

/* back: places of each piece in the opposite order. */
static void unzip(struct c_vector_shuffler *s, int count, bool back, const int *in, int *out)
{
    struct source source[MAX_LANES];
    for (int v = 0; v < count; v++) {
        for (int i = 0; i < s->lanes; i++) {
            int lane = back ? s->piece - 1 - i % s->piece : i % s->piece;
            int place = lane * count + v;
            source[i] = (struct source){in[place / s->piece], i - i % s->piece + place % s->piece};
        }
        out[v] = gather(s, source);
    }
}

static int smallest_prime(int n)
{
    int prime = 2;
    while (n % prime != 0)
        prime++;
    return prime;
}

static void interleave_pieces(struct c_vector_shuffler *s, int size, const int *sequence,
                              int *memory)
{
    int part[C_VECTOR_MAX_GROUP], whole[C_VECTOR_MAX_GROUP], column[C_VECTOR_MAX_GROUP];
    if (size == 1) {
        memory[0] = sequence[0];
        return;
    }
    if (size > s->piece && size % s->piece == 0) { /* square blocks; the rest is naming */
        int blocks = size / s->piece;
        for (int block = 0; block < blocks; block++) {
            interleave_pieces(s, s->piece, sequence + block * s->piece, part);
            for (int i = 0; i < s->piece; i++)
                memory[i * blocks + block] = part[i];
        }
        return;
    }
    int prime = smallest_prime(size), height = size / prime;
    for (int k = 0; k < prime; k++) {
        for (int i = 0; i < height; i++)
            part[i] = sequence[i * prime + k];
        interleave_pieces(s, height, part, whole + k * height);
    }
    for (int i = 0; i < height; i++) {
        for (int k = 0; k < prime; k++)
            column[k] = whole[k * height + i];
        zip(s, prime, column, memory + i * prime);
    }
}

static void deinterleave_pieces(struct c_vector_shuffler *s, int size, bool back,
                                const int *memory, int *sequence)
{
    int part[C_VECTOR_MAX_GROUP], whole[C_VECTOR_MAX_GROUP], column[C_VECTOR_MAX_GROUP];
    if (size == 1) {
        sequence[0] = memory[0];
        return;
    }
    if (size > s->piece && size % s->piece == 0) {
        int blocks = size / s->piece;
        for (int block = 0; block < blocks; block++) {
            for (int i = 0; i < s->piece; i++)
                part[i] = memory[i * blocks + block];
            deinterleave_pieces(s, s->piece, back, part, sequence + block * s->piece);
        }
        return;
    }
    int prime = smallest_prime(size), height = size / prime;
    for (int i = 0; i < height; i++) {
        unzip(s, prime, back && height == 1, memory + i * prime, column);
        for (int k = 0; k < prime; k++)
            whole[k * height + i] = column[k];
    }
    for (int k = 0; k < prime; k++) {
        deinterleave_pieces(s, height, back, whole + k * height, part);
        for (int i = 0; i < height; i++)
            sequence[i * prime + k] = part[i];
    }
}

/* Pieces of vectors in the order of memory: piece n is in[n mod size] piece n / size. */
static void join_pieces(struct c_vector_shuffler *s, int size, const int *in, int *out)
{
    struct source source[MAX_LANES];
    int pieces = s->lanes / s->piece;
    for (int v = 0; v < size; v++) {
        for (int i = 0; i < s->lanes; i++) {
            int n = v * pieces + i / s->piece;
            source[i] = (struct source){in[n % size], n / size * s->piece + i % s->piece};
        }
        out[v] = gather(s, source);
    }
}

static void part_pieces(struct c_vector_shuffler *s, int size, const int *in, int *out)
{
    struct source source[MAX_LANES];
    int pieces = s->lanes / s->piece;
    for (int v = 0; v < size; v++) {
        for (int i = 0; i < s->lanes; i++) {
            int n = i / s->piece * size + v;
            source[i] = (struct source){in[n / pieces], n % pieces * s->piece + i % s->piece};
        }
        out[v] = gather(s, source);
    }
}

/* Doubles of so many legs leave no register of 512 bits free, and take longer woven. (Experiment
 * "woven" in docs/experiments.) */
#define FILLING_RADIX 16

bool c_vector_weaves(const struct c_vector_target *target, int radix)
{
    const int lanes = target->lanes, piece = c_vector_piece(target);
    const int small = SMALLEST_PIECE_BYTES / (target->single ? 4 : 8);
    const bool fills = !target->single && lanes == 8 && radix >= FILLING_RADIX;
    if (piece == lanes || radix <= 2 || fills) return false;
    for (int i = 0; i < lanes * radix; i++) {
        const int place = i / radix, first = i / piece * piece / radix;
        const int lane = c_vector_woven_lane(place, lanes, small);
        if (lane - c_vector_woven_lane(first, lanes, small) != place - first) return false;
    }
    return true;
}

int c_vector_piece(const struct c_vector_target *target)
{
    const int bytes = target->lanes * (target->single ? 4 : 8);
    return bytes > SMALLEST_PIECE_BYTES ? target->lanes / 2 : target->lanes;
}

/* Within each `small` lanes of all vectors: turned[g][i] has there, of the sequences of the g-th
 * `small`, the i-th elements. */
static void turn_small_pieces(struct c_vector_shuffler *s, int size, const int *sequence,
                              int *turned)
{
    struct c_vector_shuffler within = *s;
    within.piece = s->small;
    for (int g = 0; g < size; g += s->small)
        interleave_pieces(&within, s->small, sequence + g, turned + g);
    s->next = within.next;
}

/* Pieces of two small ones, which machines shuffle within faster than across: then each vector is
 * put together from two. (Experiment "lanes" in docs/experiments.) */
static void join_small_pieces(struct c_vector_shuffler *s, int size, int piece, const int *turned,
                              int *pieces)
{
    const int small = s->small;
    struct source source[MAX_LANES];
    for (int v = 0; v < size; v++) {
        for (int i = 0; i < s->lanes; i++) {
            const int place = v * piece + i % piece, lane = place / size, k = place % size;
            source[i] = (struct source){turned[k / small * small + lane % small],
                                        i / piece * piece + lane / small * small + k % small};
        }
        pieces[v] = gather(s, source);
    }
}

/* Square blocks one by one, so that few values are alive at once. */
static void interleave_small_first(struct c_vector_shuffler *s, int size, int piece,
                                   const int *sequence, int *pieces)
{
    int turned[C_VECTOR_MAX_GROUP], part[C_VECTOR_MAX_GROUP];
    const int block = size % piece == 0 ? piece : size, blocks = size / block;
    for (int b = 0; b < blocks; b++) {
        turn_small_pieces(s, block, sequence + b * block, turned);
        join_small_pieces(s, block, piece, turned, part);
        for (int i = 0; i < block; i++)
            pieces[i * blocks + b] = part[i];
    }
}

void c_vector_interleave_pieces(struct c_vector_shuffler *s, int size, int lanes,
                                const int *sequence, int *pieces)
{
    if (2 * s->small == lanes && size % s->small == 0) {
        interleave_small_first(s, size, lanes, sequence, pieces);
    } else {
        struct c_vector_shuffler within = *s;
        within.piece = lanes;
        interleave_pieces(&within, size, sequence, pieces);
        s->next = within.next;
    }
    print_all(s, C_SHUFFLE_STORED, pieces, size);
}

void c_vector_interleave(struct c_vector_shuffler *s, int size, const int *sequence, int *memory)
{
    int pieces[C_VECTOR_MAX_GROUP];
    interleave_pieces(s, size, sequence, pieces);
    join_pieces(s, size, pieces, memory);
    print_all(s, C_SHUFFLE_STORED, memory, size);
}

void c_vector_deinterleave(struct c_vector_shuffler *s, int size, bool back, const int *memory,
                           int *sequence)
{
    int pieces[C_VECTOR_MAX_GROUP];
    part_pieces(s, size, memory, pieces);
    deinterleave_pieces(s, size, back, pieces, sequence);
    print_all(s, C_SHUFFLE_LOADED, sequence, size);
}

void c_vector_part_woven(struct c_vector_shuffler *s, const int *memory, int *sequence)
{
    struct c_vector_shuffler within = *s;
    within.piece = s->small;
    deinterleave_pieces(&within, 2, false, memory, sequence);
    s->next = within.next;
    print_all(s, C_SHUFFLE_LOADED, sequence, 2);
}
