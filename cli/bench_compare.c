/* The results of all contestants on the same random data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_trial.h"
#include "samples.h"

/* How far the two results may lie apart: far more than rounding, far less than any mistake. */
static const double difference_limit[] = {[WEFT_F32] = 1e-4, [WEFT_F64] = 1e-12};

enum { RANDOM_SEED = 2 };

/* What of the arrays is on the host at a time; results are compared in so much at either end. */
static const size_t piece_bytes = (size_t)32 << 20;

struct piece {
    size_t bytes;
    void *data, *rival;
};

static size_t number_bytes(const struct trial *trial)
{
    return samples_number_bytes(trial->result->precision);
}

/* ---- filling ---- */

/* Half a spectrum is one of reals if what stands for itself or for another element of the half,
 * the first element of every row and the last one of even length, is 1 everywhere. `first`: which
 * number of the array the data begin with. */
static void make_half_spectrum(const struct trial *trial, void *data, int64_t first, int64_t count)
{
    const struct size_case *dims = &trial->result->dims;
    const bool even = dims->size[dims->rank - 1] % 2 == 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = (first + i) % trial->in_side.pitch;
        const bool alone = at < 2 || (even && at >= trial->in_side.width - 2);
        if (alone) samples_set_number(data, trial->result->precision, i, at % 2 == 0);
    }
}

/* Whether the number of that index of a side is one of those that there are. */
static bool has_number(const struct trial *trial, bool out, int64_t index)
{
    const struct size_side *side = out ? &trial->out_side : &trial->in_side;
    const struct ranges *ranges = &trial->ranges;
    if (index % side->pitch >= side->width) return false;
    if (!ranges->given[out]) return true;
    int64_t size[WEFT_MAX_RANK];
    memcpy(size, ranges->length[out], sizeof size);
    size[ranges->rank - 1] = side->pitch / side->parts;
    return ranges_have(ranges, out, size, index / side->parts);
}

/* What there is none of counts as zero, to rivals too. */
static void clear_beyond(const struct trial *trial, void *data, int64_t first, int64_t count)
{
    for (int64_t i = 0; i < count && trial->ranges.given[0]; i++) {
        if (!has_number(trial, false, first + i))
            samples_set_number(data, trial->result->precision, i, 0);
    }
}

static void make_random(const struct trial *trial, void *data, size_t offset, size_t bytes)
{
    const int64_t first = (int64_t)(offset / number_bytes(trial));
    const int64_t count = (int64_t)(bytes / number_bytes(trial));
    samples_randomize(data, trial->result->precision, count, RANDOM_SEED + offset);
    if (trial->result->dims.kind == WEFT_C2R) make_half_spectrum(trial, data, first, count);
    clear_beyond(trial, data, first, count);
}

typedef void make_data(const struct trial *trial, void *data, size_t offset, size_t bytes);

static void make_zeros(const struct trial *trial, void *data, size_t offset, size_t bytes)
{
    (void)trial;
    (void)offset;
    memset(data, 0, bytes);
}

static const char *fill(const struct trial *trial, struct place_array *array, make_data *make,
                        const struct piece *piece)
{
    const char *problem = NULL;
    for (size_t done = 0; done < trial->bytes && !problem; done += piece->bytes) {
        const size_t rest = trial->bytes - done;
        const size_t bytes = rest < piece->bytes ? rest : piece->bytes;
        make(trial, piece->data, done, bytes);
        problem = trial->settings->place->write(array, done, piece->data, bytes);
    }
    return problem;
}

/* ---- comparing ---- */

/* ||a - b|| / ||b|| over what is no padding and wanted. `first`: which number of the array the data
 * begin with. */
static double difference(const struct trial *trial, const struct piece *piece, int64_t first,
                         int64_t count)
{
    const weft_precision precision = trial->result->precision;
    double off = 0.0, norm = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (!has_number(trial, true, first + i)) continue;
        const double a = samples_number(piece->data, precision, i);
        const double b = samples_number(piece->rival, precision, i);
        off += (a - b) * (a - b);
        norm += b * b;
    }
    return norm == 0 && off == 0 ? 0 : sqrt(off / norm);
}

static const char *compare_at(const struct trial *trial, const struct piece *piece, int64_t first,
                              int64_t count)
{
    const struct place *place = trial->settings->place;
    const size_t offset = (size_t)first * number_bytes(trial);
    const size_t bytes = (size_t)count * number_bytes(trial);
    const char *problem = place->read(&trial->out, offset, piece->data, bytes);
    if (!problem) problem = place->read(&trial->rival_out, offset, piece->rival, bytes);
    if (problem) return problem;
    bool close =
        difference(trial, piece, first, count) < difference_limit[trial->result->precision];
    return close ? NULL : "the results of weft and of the rival differ";
}

static const char *compare_with(struct trial *trial, int which, const struct piece *piece)
{
    const struct rival_trial rival = {trial->settings->rival[which], trial->rival_plan[which]};
    struct place_array *in = trial_rival_in(trial);
    const int64_t most = (int64_t)(piece->bytes / number_bytes(trial));
    const int64_t all = trial->out_side.numbers, count = all < most ? all : most;
    const char *problem = in == &trial->in ? NULL : fill(trial, in, make_random, piece);
    if (!problem) problem = trial_run_rival(&rival, 1);
    if (!problem) problem = compare_at(trial, piece, 0, count);
    if (!problem && all > count) problem = compare_at(trial, piece, all - count, count);
    return problem;
}

/* Whoever is wrong: the case is timed without this rival, and the command fails. */
static void leave_out(struct trial *trial, int which, const char *wrong)
{
    const struct rival *rival = trial->settings->rival[which];
    snprintf(trial->result->complaint, sizeof trial->result->complaint, "%s: %s", rival->title,
             wrong);
    rival->destroy(trial->rival_plan[which]);
    trial->rival_plan[which] = NULL;
    trial->result->rival[which] = (struct bench_rival_result){NAN, NAN, NAN, NAN, NAN};
}

/* ---- all together ---- */

/* Only now can random data be put into the arrays: planning may have overwritten them. */
static const char *execute_and_compare(struct trial *trial, const struct piece *piece)
{
    const char *problem = fill(trial, trial_in(trial), make_random, piece);
    if (!problem) problem = trial_run_weft(trial, 1);
    for (int i = 0; i < trial->settings->rivals && !problem; i++) {
        const char *wrong = trial->rival_plan[i] ? compare_with(trial, i, piece) : NULL;
        if (wrong) leave_out(trial, i, wrong);
    }
    return problem;
}

/* A transform repeated where it overwrites its input grows its data until they overflow, so there
 * it runs on zeros. */
static const char *clear_overwritten(struct trial *trial, const struct piece *piece)
{
    struct place_array *in = trial_in(trial), *rival_in = trial_rival_in(trial);
    const char *problem = in == &trial->in ? NULL : fill(trial, in, make_zeros, piece);
    if (!problem && trial->settings->rivals && rival_in != &trial->in)
        problem = fill(trial, rival_in, make_zeros, piece);
    return problem;
}

const char *trial_compare(struct trial *trial)
{
    const size_t bytes = trial->bytes < piece_bytes ? trial->bytes : piece_bytes;
    struct piece piece = {bytes, malloc(bytes), malloc(bytes)};
    const char *problem = "no memory for the arrays";
    if (piece.data && piece.rival) problem = execute_and_compare(trial, &piece);
    if (!problem) problem = clear_overwritten(trial, &piece);
    free(piece.data);
    free(piece.rival);
    return problem;
}
