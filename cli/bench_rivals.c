/* Which libraries take part in `weft bench`. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "command.h"
#include "options.h"

/* Who is to be found, and what for. */
struct search {
    const char *called_as;
    const struct bench_wish *wish;
    int threads; /* the most of any case */
    bool named;  /* the user named them: one that is missing is a failure */
};

static const char *usual_rival(const struct bench_settings *settings)
{
    const struct place *place = settings->place;
    if (settings->order != WEFT_NATURAL) return "none";
    return place->host ? "fftw" : place == &place_cuda ? "cufft" : "none";
}

/* Returns OPTIONS_PROCEED or the exit code. */
static int add_rival(const struct search *search, const char *name, struct bench_settings *settings)
{
    const char *called_as = search->called_as;
    const struct rival *rival = rival_find(name, settings->place);
    if (!rival) return command_misuse(called_as, "--vs accepts %s or none", rival_names());
    if (settings->rivals == BENCH_MOST_RIVALS)
        return command_misuse(called_as, "--vs accepts at most %d rivals", BENCH_MOST_RIVALS);
    if (rival->place != settings->place)
        return command_misuse(called_as, "%s cannot work where %s does", rival->title,
                              settings->device_name);
    if (!(rival->kinds & search->wish->kinds))
        command_note(called_as, "%s has no transform of that --kind", rival->title);
    const char *problem = rival->open(search->threads);
    if (problem && search->named) return command_fail(called_as, "%s", problem);
    if (problem)
        command_note(called_as, "%s", problem);
    else
        settings->rival[settings->rivals++] = rival;
    return OPTIONS_PROCEED;
}

static int add_rivals(const struct search *search, char *names, struct bench_settings *settings)
{
    int code = OPTIONS_PROCEED;
    char *rest = NULL;
    for (char *name = strtok_r(names, ",", &rest); name && code == OPTIONS_PROCEED;
         name = strtok_r(NULL, ",", &rest))
        code = add_rival(search, name, settings);
    return code;
}

static bool has_fftw(const struct bench_settings *settings)
{
    bool found = false;
    for (int i = 0; i < settings->rivals; i++)
        found = found || settings->rival[i] == &rival_fftw;
    return found;
}

int bench_choose_rivals(const char *called_as, const char *names, const struct bench_wish *wish,
                        const struct bench_results *results, struct bench_settings *settings)
{
    struct search search = {called_as, wish, 1, names != NULL || settings->table};
    char copy[64];
    int length = snprintf(copy, sizeof copy, "%s", names ? names : usual_rival(settings));
    if (length >= (int)sizeof copy)
        return command_misuse(called_as, "--vs accepts %s or none", rival_names());
    for (int64_t i = 0; i < results->count; i++)
        if (results->result[i].threads > search.threads)
            search.threads = results->result[i].threads;
    int code = OPTIONS_PROCEED;
    if (strcmp(copy, "none") != 0 && settings->order != WEFT_NATURAL)
        return command_misuse(called_as, "--order transposed is compared with nobody: --vs accepts "
                                         "none");
    if (strcmp(copy, "none") != 0) code = add_rivals(&search, copy, settings);
    if (code == OPTIONS_PROCEED && settings->table && !has_fftw(settings))
        return command_misuse(called_as, "--table compares by FFTW: --vs must name fftw");
    return code;
}
