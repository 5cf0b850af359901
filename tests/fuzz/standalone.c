/* Runs a fuzz target where there is no libFuzzer: every file of the folders given, then a bounded
 * number of random mutations of them. Takes libFuzzer's arguments: `-runs=N` (mutations),
 * `-max_total_time=SECONDS` and `-seed=N`; other options are ignored, folders follow.
 * An input that crashes the target is left in ./crash-standalone. */
#include "target.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_INPUTS = 4096, MOST_BYTES = 1 << 16, PATH_CAPACITY = 4096, MOST_EDITS = 8 };

typedef struct input {
    uint8_t *data;
    size_t size;
} input;

typedef struct settings {
    long runs, seconds;
    uint64_t seed;
} settings;

static input corpus[MOST_INPUTS];
static size_t corpus_size;

/* The input being tried, for the report of a crash. */
static uint8_t current[MOST_BYTES];
static size_t current_size;

static uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t random_below(uint64_t *state, size_t bound)
{
    return bound ? (size_t)(next_random(state) % bound) : 0;
}

/* Saves the input that ended the program, by calls that a signal handler may make. */
static void report_crash(int number)
{
    static const char message[] = "the target crashed; its input is in ./crash-standalone\n";
    int file = open("crash-standalone", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    bool saved = file >= 0 && write(file, current, current_size) == (ssize_t)current_size;
    if (saved && write(STDERR_FILENO, message, sizeof message - 1) < 0) _exit(2);
    signal(number, SIG_DFL);
    raise(number);
}

static void add_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || corpus_size == MOST_INPUTS) {
        if (file) fclose(file);
        return;
    }
    uint8_t *data = malloc(MOST_BYTES);
    if (data) {
        size_t size = fread(data, 1, MOST_BYTES, file);
        corpus[corpus_size++] = (input){data, size};
    }
    fclose(file);
}

static void add_folder(const char *folder)
{
    DIR *listing = opendir(folder);
    if (!listing) return;
    for (struct dirent *entry; (entry = readdir(listing));) {
        char path[PATH_CAPACITY];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) add_file(path);
    }
    closedir(listing);
}

static void set_current(const input *from)
{
    current_size = from->size;
    if (from->size) memcpy(current, from->data, from->size);
}

static void flip_bit(uint64_t *state)
{
    current[random_below(state, current_size)] ^= (uint8_t)(1u << random_below(state, 8));
}

/* Numbers at the edges are what headers are broken with. */
static void write_edge(uint64_t *state)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x7fff,
                                     0xffff,
                                     0x7fffffff,
                                     0xffffffff,
                                     UINT64_C(1) << 60,
                                     UINT64_MAX >> 1,
                                     UINT64_MAX};
    uint64_t value = edges[random_below(state, sizeof edges / sizeof edges[0])];
    size_t width = (size_t)1 << random_below(state, 4);
    if (width > current_size) return;
    memcpy(current + random_below(state, current_size - width + 1), &value, width);
}

static void set_byte(uint64_t *state)
{
    current[random_below(state, current_size)] = (uint8_t)next_random(state);
}

static void cut_end(uint64_t *state)
{
    current_size = random_below(state, current_size + 1);
}

static void remove_piece(uint64_t *state)
{
    size_t start = random_below(state, current_size);
    size_t length = random_below(state, current_size - start) + 1;
    memmove(current + start, current + start + length, current_size - start - length);
    current_size -= length;
}

static void repeat_piece(uint64_t *state)
{
    size_t start = random_below(state, current_size);
    size_t length = random_below(state, current_size - start) + 1;
    if (current_size + length > MOST_BYTES) return;
    memmove(current + start + length, current + start, current_size - start);
    current_size += length;
}

/* Takes the end of another input. */
static void splice(uint64_t *state)
{
    const input *other = &corpus[random_below(state, corpus_size)];
    size_t start = random_below(state, other->size);
    size_t place = random_below(state, current_size);
    if (other->size == 0 || place + other->size - start > MOST_BYTES) return;
    memcpy(current + place, other->data + start, other->size - start);
    current_size = place + other->size - start;
}

static void mutate(uint64_t *state)
{
    static void (*const edits[])(uint64_t *) = {flip_bit,     write_edge,   set_byte, cut_end,
                                                remove_piece, repeat_piece, splice};
    size_t count = random_below(state, MOST_EDITS) + 1;
    for (size_t i = 0; i < count; i++) {
        if (current_size == 0) current[current_size++] = (uint8_t)next_random(state);
        edits[random_below(state, sizeof edits / sizeof edits[0])](state);
    }
}

static void run_current(void)
{
    /* A copy of its own size, so that a checker sees reads beyond the end. */
    uint8_t *data = malloc(current_size ? current_size : 1);
    if (!data) abort();
    memcpy(data, current, current_size);
    LLVMFuzzerTestOneInput(data, current_size);
    free(data);
}

static settings read_arguments(int argc, char **argv)
{
    settings chosen = {.runs = 1000, .seconds = 30, .seed = 1};
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-runs=", 6) == 0)
            chosen.runs = strtol(argv[i] + 6, NULL, 10);
        else if (strncmp(argv[i], "-max_total_time=", 16) == 0)
            chosen.seconds = strtol(argv[i] + 16, NULL, 10);
        else if (strncmp(argv[i], "-seed=", 6) == 0)
            chosen.seed = strtoull(argv[i] + 6, NULL, 10);
        else if (argv[i][0] != '-')
            add_folder(argv[i]);
    }
    return chosen;
}

int main(int argc, char **argv)
{
    settings chosen = read_arguments(argc, argv);
    const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        signal(fatal[i], report_crash);

    size_t replayed = corpus_size;
    for (size_t i = 0; i < corpus_size; i++) {
        set_current(&corpus[i]);
        run_current();
    }
    if (corpus_size == 0) corpus[corpus_size++] = (input){NULL, 0};

    time_t end = time(NULL) + chosen.seconds;
    uint64_t state = chosen.seed;
    long run = 0;
    for (; run < chosen.runs && time(NULL) < end; run++) {
        set_current(&corpus[random_below(&state, corpus_size)]);
        mutate(&state);
        run_current();
    }
    for (size_t i = 0; i < corpus_size; i++)
        free(corpus[i].data);
    printf("%zu inputs replayed, %ld mutated\n", replayed, run);
    return 0;
}
