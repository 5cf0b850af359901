/* The exchange between two steps through shared memory, as code. */
#include "kernel/block_cluster.h"

/* ---- the code ---- */

static ir_value shared_index(struct block *k, const struct block_layout *layout, ir_value column,
                             ir_value element)
{
    struct ir_builder *b = k->b;
    ir_value packed = ir_int_add(b, ir_int_mul(b, element, ir_int(b, layout->element_stride)),
                                 ir_int_mul(b, column, ir_int(b, layout->column_stride)));
    ir_value index = packed;
    for (int i = 0; i < BLOCK_PADDINGS && layout->pad[i]; i++) {
        ir_value pads = ir_int_div(b, packed, ir_int(b, layout->every[i]));
        index = ir_int_add(b, index, ir_int_mul(b, pads, ir_int(b, layout->pad[i])));
    }
    return index;
}

/* A slot of one side of an exchange as code. */
struct side {
    struct block_access access;
    const struct block_layout *layout;
    int permutation; /* Rader: the table that elements go through; IR_NONE: none */
    struct block_spot spot;
    struct block_distance distance[LIMITS_MAX_RADIX];
    ir_value first; /* the address of the first element, once it is known */
};

static struct side side_of(struct block *k, int exchange, bool writes, int slot)
{
    int step = writes ? exchange : exchange + 1;
    struct side side = {.access = {&k->shape, step, writes, 0, 0},
                        .layout = &k->shape.layout[exchange], .permutation = IR_NONE};
    /* The permutations are those of the exchanges after the move that gathers and before the one
     * that scatters: shared memory takes any order, where global memory wants neighbours. */
    if (k->pass->body == PASS_RADER && !writes && exchange == 0) side.permutation = k->gather;
    if (k->pass->body == PASS_RADER && writes && exchange == k->shape.steps - 2)
        side.permutation = k->scatter;
    side.spot = block_spot(k, step, slot);
    side.first = IR_NONE;
    block_layout_distances(side.layout, &side.access, slot, side.distance);
    return side;
}

/* The address of the j-th element: wherever it can be, the first one's and a constant. */
static ir_value address_of(struct block *k, struct side *side, int j)
{
    int step = side->access.step;
    bool permuted = side->permutation != IR_NONE;
    if (j > 0 && !permuted && side->distance[j].same)
        return ir_int_add(k->b, side->first, ir_int(k->b, side->distance[j].number));
    ir_value element = side->access.writes ? block_result_element(k, step, side->spot.index, j)
                                           : block_input_element(k, step, side->spot.index, j);
    if (block_sends(&side->access))
        element = block_sent_element(k, block_result_element(k, step, side->spot.index, 0), j);
    if (block_receives(&side->access)) element = block_received_element(k, element);
    if (permuted) element = ir_load_int(k->b, side->permutation, element, k->pass->length);
    ir_value address = shared_index(k, side->layout, side->spot.column, element);
    if (j == 0) side->first = address;
    return address;
}

/* What goes through shared memory at once. */
enum parts { RE, IM, BOTH };

static void write(struct block *k, ir_value address, struct ir_complex x, enum parts parts)
{
    if (parts == BOTH) ir_store_pair(k->b, k->shared, address, x.re, x.im);
    else ir_store(k->b, k->shared, address, parts == RE ? x.re : x.im);
}

static void send(struct block *k, int peer, ir_value address, struct ir_complex x, enum parts parts)
{
    if (parts == BOTH) ir_send_pair(k->b, peer, k->shared, address, x.re, x.im);
    else ir_send(k->b, peer, k->shared, address, parts == RE ? x.re : x.im);
}

static void write_slot(struct block *k, int exchange, int slot, const struct ir_complex *x,
                       enum parts parts)
{
    struct side side = side_of(k, exchange, true, slot);
    ir_if(k->b, side.spot.valid);
    for (int j = 0; j < k->shape.step[exchange].radix; j++) {
        ir_value address = address_of(k, &side, j);
        if (block_sends(&side.access))
            send(k, block_peer(&k->shape, j), address,
                 block_sent_result(k, side.spot.index, j, x), parts);
        else
            write(k, address, x[j], parts);
    }
    ir_end(k->b);
}

static void read_slot(struct block *k, int exchange, int slot, struct ir_complex *x,
                      enum parts parts)
{
    struct side side = side_of(k, exchange, false, slot);
    for (int j = 0; j < k->shape.step[exchange + 1].radix; j++) {
        ir_value address = address_of(k, &side, j);
        if (parts == BOTH) {
            ir_value pair = ir_load_pair(k->b, k->shared, address);
            x[j] = (struct ir_complex){ir_first(k->b, pair), ir_second(k->b, pair)};
        } else {
            *(parts == RE ? &x[j].re : &x[j].im) = ir_load(k->b, k->shared, address);
        }
    }
}

static void exchange_parts(struct block *k, int step, const struct ir_complex *from,
                           struct ir_complex *to, enum parts parts)
{
    const bool sending = step == k->shape.sending;
    if (sending && parts == IM) ir_arrive(k->b);
    if (sending) ir_wait(k->b);
    else if (k->shared_used) ir_barrier(k->b);
    k->shared_used = true;
    for (int slot = 0; slot < block_slots(&k->shape, step); slot++) {
        write_slot(k, step, slot, from + slot * k->shape.step[step].radix, parts);
    }
    if (sending) ir_arrive(k->b);
    if (sending) ir_wait(k->b);
    else ir_barrier(k->b);
    for (int slot = 0; slot < block_slots(&k->shape, step + 1); slot++) {
        read_slot(k, step, slot, to + slot * k->shape.step[step + 1].radix, parts);
    }
}

void block_exchange(struct block *k, int step, const struct ir_complex *from,
                    struct ir_complex *to)
{
    if (k->shape.apart) {
        exchange_parts(k, step, from, to, RE);
        exchange_parts(k, step, from, to, IM);
    } else {
        exchange_parts(k, step, from, to, BOTH);
    }
}
