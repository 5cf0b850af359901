/* The cases of `weft bench`: sizes, or the rows of a table. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "command.h"
#include "options.h"

static bool add_case(struct bench_results *results, const struct bench_result *wanted)
{
    const size_t count = (size_t)results->count + 1;
    struct bench_result *result = results->result;
    if ((count & (count - 1)) == 0) { /* the room doubles at powers of two */
        result = realloc(result, 2 * count * sizeof *result);
        if (!result) return false;
        results->result = result;
    }
    results->result[results->count++] = *wanted;
    return true;
}

/* ---- sizes ---- */

static struct size_case filled(const struct size_case *dims, weft_precision precision,
                               int megabytes)
{
    struct size_case result = *dims;
    int64_t batch = ((int64_t)megabytes << 20) / (int64_t)size_case_bytes(dims, precision);
    if (!dims->batched && batch > 1) result.batch = batch;
    return result;
}

static bool add_sizes(const struct bench_wish *wish, weft_kind kind, weft_precision precision,
                      int megabytes, struct bench_results *results)
{
    for (int64_t i = 0; i < wish->sizes->count; i++) {
        struct bench_result wanted = {.precision = precision, .threads = wish->threads};
        wanted.dims = wish->sizes->cases[i];
        wanted.dims.kind = kind;
        wanted.dims = filled(&wanted.dims, precision, megabytes);
        wanted.anchor.standing = NAN;
        if (!add_case(results, &wanted)) return false;
    }
    return true;
}

bool bench_list_cases(const struct bench_wish *wish, int megabytes, struct bench_results *results)
{
    for (int k = WEFT_C2C; k <= WEFT_DHT; k++) {
        for (int p = 0; p < OPTIONS_PRECISIONS_END; p++) {
            if (!(wish->kinds >> k & 1) || !(wish->precisions >> p & 1)) continue;
            if (!add_sizes(wish, (weft_kind)k, (weft_precision)p, megabytes, results)) return false;
        }
    }
    return true;
}

/* ---- tables ---- */

enum { MOST_COLUMNS = 64, LINE_CAPACITY = 4096 };

static const char base_name[] = "fftw_debian_measure";

enum { KIND, PRECISION, DIMS, BATCH, THREADS, BASE, NAMED_COLUMNS };
static const char *const column_names[NAMED_COLUMNS] = {"kind",  "precision", "dims",
                                                        "batch", "threads",   base_name};

struct table {
    const char *called_as, *path;
    int line;
    char heading[LINE_CAPACITY];
    int columns;
    char *name[MOST_COLUMNS];
    int named[NAMED_COLUMNS]; /* which column is of that name */
};

/* In the line read last; in none, if none was. */
static const char *complain(const struct table *table, const char *what)
{
    static char text[512];
    char place[32] = "";
    if (table->line) snprintf(place, sizeof place, "line %d: ", table->line);
    snprintf(text, sizeof text, "%s: %s%s", table->path, place, what);
    return text;
}

/* Cuts the line at its tabs. Returns the number of cells. */
static int cut(char *line, char *cell[MOST_COLUMNS])
{
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at && count < MOST_COLUMNS;) {
        char *tab = strchr(at, '\t');
        if (tab) *tab++ = '\0';
        cell[count++] = at;
        at = tab;
    }
    return count;
}

static const char *read_heading(struct table *table, const char *line)
{
    snprintf(table->heading, sizeof table->heading, "%s", line);
    table->columns = cut(table->heading, table->name);
    for (int i = 0; i < NAMED_COLUMNS; i++) {
        int at = 0;
        while (at < table->columns && strcmp(table->name[at], column_names[i]) != 0)
            at++;
        table->named[i] = at;
        if (at == table->columns)
            return complain(table, "expected columns kind, precision, dims, batch, threads, "
                                   "fftw_debian_measure and other libraries, with tabs between");
    }
    return NULL;
}

/* A positive rate, or not a number. */
static double read_rate(const char *text)
{
    char *end;
    double rate = strtod(text, &end);
    return end != text && *end == '\0' && rate > 0.0 ? rate : NAN;
}

static bool is_rate(const struct table *table, int column)
{
    for (int i = 0; i < BASE; i++)
        if (table->named[i] == column) return false;
    return true;
}

/* The fastest of all libraries, over FFTW; a ratio of 0: there is no rate of FFTW's. */
static struct bench_anchor find_best(const struct table *table, char *const cell[])
{
    struct bench_anchor anchor = {.standing = NAN};
    const double base = read_rate(cell[table->named[BASE]]);
    for (int i = 0; i < table->columns; i++) {
        if (!is_rate(table, i)) continue;
        const double ratio = read_rate(cell[i]) / base;
        if (!(ratio > anchor.ratio)) continue; /* nor is it if one of them is not a number */
        anchor.ratio = ratio;
        snprintf(anchor.best, sizeof anchor.best, "%s", table->name[i]);
    }
    return anchor;
}

static bool read_precision(const char *text, weft_precision *precision)
{
    *precision = strcmp(text, "double") == 0 ? WEFT_F64 : WEFT_F32;
    return *precision == WEFT_F64 || strcmp(text, "single") == 0;
}

static bool read_dims(const char *dims, const char *batch, struct size_case *result)
{
    char text[SIZE_TEXT_CAPACITY];
    struct size_list list = {0};
    snprintf(text, sizeof text, "%s@%s", dims, batch);
    const bool read = size_list_add(&list, text) == SIZES_OK && list.count == 1;
    if (read) *result = list.cases[0];
    size_list_free(&list);
    return read;
}

/* NULL, or why the row means nothing here. */
static const char *read_row(const struct table *table, char *const cell[],
                            struct bench_result *wanted)
{
    const int *named = table->named;
    struct size_kinds kinds;
    if (!read_dims(cell[named[DIMS]], cell[named[BATCH]], &wanted->dims))
        return "dims and batch are no size";
    if (!options_axis_kinds(cell[named[KIND]], &kinds) || kinds.count > 1)
        return "no kind of weft's";
    if (!read_precision(cell[named[PRECISION]], &wanted->precision))
        return "a precision is single or double";
    wanted->dims.kind = kinds.kind[0];
    if (!options_thread_count(cell[named[THREADS]], 1, &wanted->threads))
        return "threads are 1 to 4096 or all";
    wanted->anchor = find_best(table, cell);
    return wanted->anchor.ratio > 0.0 ? NULL : "no rate of FFTW's to compare with";
}

static bool same_dims(const struct size_case *a, const struct size_case *b)
{
    return a->rank == b->rank && memcmp(a->size, b->size, sizeof a->size) == 0;
}

static bool is_wished(const struct bench_wish *wish, const struct bench_result *row)
{
    bool listed = wish->sizes->count == 0;
    for (int64_t i = 0; i < wish->sizes->count && !listed; i++) {
        const struct size_case *dims = &wish->sizes->cases[i];
        listed = same_dims(dims, &row->dims) && (!dims->batched || dims->batch == row->dims.batch);
    }
    return listed && wish->kinds >> row->dims.kind & 1 && wish->precisions >> row->precision & 1 &&
           (wish->threads == 0 || wish->threads == row->threads);
}

static bool has_too_many_threads(const struct bench_result *row)
{
    int processors = 0;
    options_threads(&processors);
    return row->threads > processors;
}

static const char *take_line(struct table *table, char *line, const struct bench_wish *wish,
                             struct bench_results *results)
{
    char *cell[MOST_COLUMNS];
    struct bench_result wanted = {.measured = false};
    if (line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0') return NULL;
    if (table->columns == 0) return read_heading(table, line);
    if (cut(line, cell) != table->columns) return complain(table, "not as many cells as columns");
    const char *problem = read_row(table, cell, &wanted);
    if (!problem && !is_wished(wish, &wanted)) return NULL;
    if (!problem && has_too_many_threads(&wanted)) problem = "more threads than processors here";
    if (!problem) return add_case(results, &wanted) ? NULL : "out of memory";
    command_note(table->called_as, "%s", complain(table, problem));
    return NULL;
}

const char *bench_read_table(const char *called_as, const char *path, const struct bench_wish *wish,
                             struct bench_results *results)
{
    struct table table = {.called_as = called_as, .path = path};
    char line[LINE_CAPACITY];
    const char *problem = NULL;
    FILE *file = fopen(path, "r");
    if (!file) return complain(&table, strerror(errno));
    while (!problem && fgets(line, sizeof line, file)) {
        table.line++;
        problem = take_line(&table, line, wish, results);
    }
    if (!problem && table.columns == 0) problem = complain(&table, "a table without a heading");
    fclose(file);
    return problem;
}
