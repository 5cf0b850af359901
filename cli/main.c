/* The command `weft`: a table of subcommands. */
#include "command.h"

#include <weft/weft.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const command commands[] = {
    {"transform", "transform an array, a picture or a recording", command_transform},
    {"filter", "keep a band of a picture's frequencies", command_filter},
    {"convolve", "convolve or correlate with a kernel", command_convolve},
    {"devices", "list the devices that transforms can run on", command_devices},
    {"plan", "explain how a transform would be done", command_plan},
    {"kernel", "print the source of what a transform runs", command_kernel},
    {"tune", "find the fastest plans and keep them", command_tune},
    {"check", "compare transforms with an exact reference", command_check},
    {"bench", "measure the speed of transforms", command_bench},
};

enum { COMMANDS = sizeof commands / sizeof commands[0], CALLED_AS_CAPACITY = 32 };

static void print_help(void)
{
    printf("Usage: weft COMMAND [OPTION...] [ARGUMENT...]\n\n"
           "Fast Fourier transforms of any size and layout.\n\nCommands:\n");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    printf("\nOptions:\n  --help     print this\n  --version  print the version\n\n"
           "`weft COMMAND --help` tells more about a command.\n");
}

static const command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    }
    return NULL;
}

/* Whatever was printed must have arrived: a full disk is a failure too. */
static int flush_output(int code)
{
    bool lost = ferror(stdout) != 0;
    lost = fflush(stdout) != 0 || lost;
    if (!lost) return code;
    int failed = command_fail("weft", "could not write to the standard output");
    return code == COMMAND_OK ? failed : code;
}

static int run_command(const command *chosen, int argc, char **argv)
{
    char called_as[CALLED_AS_CAPACITY];
    snprintf(called_as, sizeof called_as, "weft %s", chosen->name);
    argv[0] = called_as;
    int code = chosen->run(argc, (const char **)argv);
    return flush_output(code);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help();
        return flush_output(COMMAND_OK);
    }
    if (strcmp(name, "--version") == 0) {
        printf("weft %s\n", weft_version());
        return flush_output(COMMAND_OK);
    }
    const command *chosen = find_command(name);
    if (chosen) return run_command(chosen, argc - 1, argv + 1);
    return command_misuse("weft", "expected a command: transform, filter, convolve, devices, plan, "
                                  "kernel, tune, check or bench; `weft --help` explains them");
}
