#include "spec/pass.h"

#include <inttypes.h>

const char *pass_place_name(enum pass_place place)
{
    static const char *const names[PASS_PLACES] = {
        [PASS_INPUT] = "input",       [PASS_OUTPUT] = "output", [PASS_SCRATCH] = "scratch",
        [PASS_WORK] = "work",         [PASS_DRAFT] = "draft",   [PASS_MIDDLE] = "middle",
        [PASS_PRODUCTS] = "products", [PASS_SPECTRUM] = "spectrum",
        [PASS_LAID] = "laid"};
    return names[place];
}

const char *pass_body_name(enum pass_body body)
{
    static const char *const names[] = {
        [PASS_COPY] = "copy",         [PASS_TRANSFORM] = "transform",
        [PASS_SPREAD] = "spread",     [PASS_CONVOLUTION] = "convolution",
        [PASS_RESAMPLE] = "resample", [PASS_OPEN] = "open",
        [PASS_CLOSE] = "close",       [PASS_RADER] = "rader"};
    return names[body];
}

static void print_dim(struct text *t, const struct dim *dim)
{
    text_append(t, " %" PRId64 ":%" PRId64 ":%" PRId64, dim->n, dim->in_stride, dim->out_stride);
}

static void print_radices(struct text *t, int radices, const int *radix)
{
    for (int i = 0; i < radices; i++)
        text_append(t, "%s%d", i ? "." : " ", radix[i]);
}

/* " 1024+1.0": what the line's index counts, then what each loop's counter does. */
static void print_map(struct text *t, const struct pass_map *map, int loops)
{
    text_append(t, " %" PRId64, map->line);
    for (int i = 0; i < loops; i++)
        text_append(t, "%s%" PRId64, i ? "." : "+", map->loop[i]);
}

static void print_chirp(struct text *t, const struct pass *pass)
{
    if (pass->chirp_n == 0) return;
    text_append(t, " chirp%s%s %" PRId64, pass->chirp_before ? "<" : "",
                pass->chirp_after ? ">" : "", pass->chirp_n);
    print_map(t, &pass->chirp_map, pass->loops);
}

static void print_real(struct text *t, const struct pass *pass)
{
    static const char *const half_names[] = {
        [PASS_NO_HALF] = "",
        [PASS_HALF_CUT] = "cut",
        [PASS_HALF_UNFOLD] = "unfold",
        [PASS_HALF_SPREAD] = "spread",
        [PASS_HALF_PART] = "part",
        [PASS_HALF_REFLECT] = "reflect",
        [PASS_HALF_EXTEND] = "extend",
        [PASS_HALF_FOLD] = "fold",
        [PASS_HALF_JOIN] = "join",
    };
    if (!pass->one_way) return;
    text_append(t, " one way");
    if (pass->real_in || pass->real_out) {
        text_append(t, " real%s%s", pass->real_in ? "<" : "", pass->real_out ? ">" : "");
        if (!pass->lone) text_append(t, " %" PRId64, pass->pair);
    }
    if (pass->half == PASS_NO_HALF && !pass_reflects(pass)) return;
    text_append(t, " %s %" PRId64 " %" PRId64, half_names[pass->half], pass->half_n,
                pass->half_stride);
    print_map(t, &pass->half_map, pass->loops);
    if (pass_half_pairs(pass)) text_append(t, " two %" PRId64, pass->half_pair);
    if (pass->half == PASS_HALF_REFLECT) text_append(t, " of %" PRId64, pass->half_rows);
    for (int out = 0; out < 2; out++) {
        if (!pass->reals[out].parts) continue;
        text_append(t, out ? " to reals" : " from reals");
        reals_print(t, &pass->reals[out]);
    }
}

static void print_ranges(struct text *t, const struct pass *pass)
{
    for (int out = 0; out < 2; out++) {
        const struct pass_range *range = &pass->range[out];
        if (!range->range.count) continue;
        text_append(t, " %s %" PRId64 "+%" PRId64 " of %" PRId64, out ? "keeps" : "takes",
                    range->range.first, range->range.count, range->n);
        print_map(t, &range->map, pass->loops);
        if (range->pair) text_append(t, " pair %" PRId64, range->pair);
    }
}

static void print_hooks(struct text *t, const struct pass *pass)
{
    for (int out = 0; out < 2; out++) {
        if (!pass->hook[out]) continue;
        text_append(t, out ? " store hook" : " load hook");
        if (pass->first_position[out]) text_append(t, " from %" PRId64, pass->first_position[out]);
        print_map(t, &pass->position[out], pass->loops);
        for (int i = 0; i < pass->folds; i++)
            text_append(t, " fold %" PRId64, pass->fold_position[out][i]);
        if (pass->pair_position) text_append(t, " pair %" PRId64, pass->pair_position);
    }
}

void pass_print(struct text *t, const struct pass *pass)
{
    text_append(t, "%s%s %" PRId64, pass_body_name(pass->body), pass->backward ? " backward" : "",
                pass->length);
    print_radices(t, pass->radices, pass->radix);
    if (pass->columns > 0) text_append(t, " by %d", pass->columns);
    if (pass->cluster > 0) text_append(t, " over %d", pass->cluster);
    text_append(t, " %s>%s line", pass_place_name(pass->from),
                pass_place_name(pass->to));
    print_dim(t, &pass->line);
    for (int i = 0; i < pass->folds; i++) {
        text_append(t, " fold");
        print_radices(t, pass->fold[i].radices, pass->fold[i].radix);
        print_dim(t, &pass->fold[i].dim);
    }
    if (pass->loops > 0) text_append(t, " loops");
    for (int i = 0; i < pass->loops; i++)
        print_dim(t, &pass->loop[i]);
    if (pass->apart) text_append(t, " apart %" PRId64, pass->apart);
    print_chirp(t, pass);
    if (pass->spectrum_table != PASS_NO_TABLE) {
        text_append(t, " spectrum %d", pass->spectrum_table);
        print_map(t, &pass->spectrum_map, pass->loops);
    }
    if (pass->spectrum_given) {
        text_append(t, " spectrum%s", pass->spectrum_conjugate ? "*" : "");
        print_map(t, &pass->spectrum_map, pass->loops);
        if (pass->spectrum_half_n) text_append(t, " half of %" PRId64, pass->spectrum_half_n);
    }
    if (pass->twiddle_order > 0) {
        text_append(t, " twiddle%s %" PRId64 " by %d", pass->twiddle_conjugate ? "*" : "",
                    pass->twiddle_order, pass->twiddle_loop);
        if (pass->twiddle_group > 0)
            text_append(t, " groups of %" PRId64 " by %d", pass->twiddle_group, pass->group_loop);
    }
    if (pass->slice_columns > 0) text_append(t, " slices of %" PRId64, pass->slice_columns);
    print_real(t, pass);
    if (pass->offset[0] || pass->offset[1])
        text_append(t, " from %" PRId64 " to %" PRId64, pass->offset[0], pass->offset[1]);
    if (pass->scaled) text_append(t, " scaled");
    print_ranges(t, pass);
    print_hooks(t, pass);
}

int64_t pass_slices(const struct pass *pass)
{
    return pass->slice_columns > 0 ? pass->loop[pass->loops - 1].n : 1;
}

int64_t pass_pair_distance(const struct pass *pass, bool out)
{
    if (pass->half == (out ? PASS_HALF_PART : PASS_HALF_JOIN)) return pass->half_pair;
    return (out ? pass->real_out : pass->real_in) && !pass->lone ? pass->pair : 0;
}

int64_t pass_stride(const struct pass *pass, const struct dim *dim, bool out)
{
    const int64_t stride = out ? dim->out_stride : dim->in_stride;
    return pass_pair_distance(pass, out) == 1 && stride % 2 == 0 ? stride / 2 : stride;
}

int64_t pass_half_elements(const struct pass *pass, bool out)
{
    if (pass->reals[out].parts) return pass->reals[out].n;
    if (pass->half == PASS_NO_HALF || out != pass_scatters_half(pass)) return 0;
    const int64_t half = pass->half_n / 2;
    return pass->half == PASS_HALF_UNFOLD ? half : half + 1;
}

bool pass_convolves(const struct pass *pass)
{
    return pass->body == PASS_CONVOLUTION || pass->body == PASS_RADER;
}

int64_t pass_cofactor(const struct pass *pass)
{
    return pass->line.n / (pass->length + 1);
}

bool pass_joins_lines(const struct pass *pass)
{
    return pass->body == PASS_RADER && pass_cofactor(pass) > 1;
}

const struct pass_map *pass_number_map(const struct pass *pass, bool out)
{
    static const struct pass_map whole = {.line = 1};
    return pass_half_pairs(pass) && pass_scatters_half(pass) == out ? &whole : &pass->half_map;
}

bool pass_half_turns(const struct pass *pass)
{
    return pass->half == PASS_HALF_FOLD || pass->half == PASS_HALF_UNFOLD ||
           pass->half == PASS_HALF_SPREAD;
}

bool pass_sweeps_half(const struct pass *pass)
{
    /* Ranges may leave half spectra across each other: those are gathered. */
    const bool lines = pass->line.in_stride == 1 && pass->line.out_stride == 1;
    const bool folds = pass->half == PASS_HALF_FOLD && pass->body == PASS_COPY && lines;
    return (folds && !pass_reflects(pass) && !pass->real_out) ||
           (pass->half == PASS_HALF_UNFOLD && (pass->from == pass->to || pass->from == PASS_DRAFT));
}

bool pass_resamples(const struct pass *pass)
{
    return pass->body == PASS_SPREAD || pass->body == PASS_RESAMPLE;
}

bool pass_opens(const struct pass *pass)
{
    return pass->body == PASS_OPEN || pass->body == PASS_CLOSE;
}

bool pass_sweeps_line(const struct pass *pass)
{
    const bool in = pass->reals[0].parts > 0, out = pass->reals[1].parts > 0;
    const struct reals *reals = &pass->reals[out];
    if (pass->body != PASS_COPY || in == out || reals->parts != 2 || reals->stride != 1)
        return false;
    const int64_t numbers = in ? pass->line.out_stride : pass->line.in_stride;
    const int64_t n = pass->half_n ? pass->half_n : 2 * pass->length;
    return reals->n % 2 == 0 && reals->n >= 4 && reals->n == n && numbers == 1;
}

bool pass_half_pairs(const struct pass *pass)
{
    return pass->half == PASS_HALF_PART || pass->half == PASS_HALF_JOIN;
}

bool pass_half_mirrors(const struct pass *pass)
{
    return pass->half == PASS_HALF_SPREAD || pass->half == PASS_HALF_PART;
}

bool pass_folds_line(const struct pass *pass)
{
    bool whole = pass->half == PASS_HALF_FOLD && pass->body == PASS_TRANSFORM && !pass->backward &&
                 pass->folds == 0 && pass->chirp_n == 0 && pass->length == pass->half_n / 2 &&
                 pass->half_map.line == 1;
    for (int l = 0; l < pass->loops; l++)
        whole = whole && pass->half_map.loop[l] == 0;
    return whole && pass->range[0].range.count == 0;
}

bool pass_scatters_half(const struct pass *pass)
{
    return pass->half == PASS_HALF_CUT || pass->half == PASS_HALF_REFLECT ||
           pass_half_mirrors(pass);
}

bool pass_half_directed(const struct pass *pass)
{
    if (pass_reflects(pass)) return false;
    if (pass->half == PASS_HALF_PART) return pass->to != PASS_SCRATCH;
    return pass->half != PASS_HALF_JOIN || pass->from != PASS_SCRATCH;
}

bool pass_reflects(const struct pass *pass)
{
    return pass->reals[0].parts > 0 || pass->reals[1].parts > 0;
}

bool pass_reflects_one(const struct pass *pass)
{
    return pass_reflects(pass) && pass->lone;
}

int64_t pass_block_length(const struct pass *pass)
{
    return pass->cluster > 0 ? pass->length / pass->cluster : pass->length;
}

enum plan_mirrors pass_cluster_mirrors(const struct pass *pass)
{
    if (pass->cluster == 0) return PLAN_NO_MIRRORS;
    if (pass_half_mirrors(pass)) return PLAN_ROW_MIRRORS;
    const bool folds =
        pass_folds_line(pass) &&
        plan_cluster_cut(pass->radices, pass->radix, pass->cluster, PLAN_COLUMN_MIRRORS) > 0;
    return folds ? PLAN_COLUMN_MIRRORS : PLAN_NO_MIRRORS;
}

int pass_cluster_cut(const struct pass *pass)
{
    return plan_cluster_cut(pass->radices, pass->radix, pass->cluster, pass_cluster_mirrors(pass));
}

int64_t pass_cluster_run(const struct pass *pass, bool out)
{
    const int cut = pass_cluster_cut(pass);
    int64_t columns = 1;
    for (int i = 0; i < cut; i++)
        columns *= pass->radix[i];
    return (out ? columns : pass->length / columns) / pass->cluster;
}

int64_t pass_lines(const struct pass *pass)
{
    int64_t lines = 1;
    for (int i = 0; i < pass->loops; i++)
        lines *= pass->loop[i].n;
    return lines;
}

int64_t pass_line_start(const struct pass *pass, int64_t line, bool out)
{
    int64_t start = 0;
    for (int i = 0; i < pass->loops; line /= pass->loop[i++].n) {
        const struct dim *loop = &pass->loop[i];
        start += line % loop->n * (out ? loop->out_stride : loop->in_stride);
    }
    return start;
}

bool pass_parts_parities(const struct pass *pass)
{
    return pass->body == PASS_CONVOLUTION && pass->chirp_before && pass->chirp_after &&
           pass->radices > 1 && pass->radix[0] == 2;
}

int64_t pass_line_elements(const struct pass *pass)
{
    int64_t elements = pass->line.n;
    for (int i = 0; i < pass->folds; i++)
        elements *= pass->fold[i].dim.n;
    return elements;
}

bool pass_range_counts_elements(const struct pass *pass, bool out)
{
    return pass->range[out].range.count > 0 && pass_half_elements(pass, out) == 0;
}
