/* What the subcommands of `weft` share: their table's type, their exit codes and their messages. */
#ifndef WEFT_CLI_COMMAND_H
#define WEFT_CLI_COMMAND_H

/* Exit codes. A check that runs and finds an error above the policy also exits COMMAND_FAILED. */
enum { COMMAND_OK = 0, COMMAND_FAILED = 1, COMMAND_MISUSED = 2 };

/* A subcommand. argv[0] is how it was called, for messages ("weft transform"); its own arguments
 * follow. Returns the exit code. */
typedef int command_function(int argc, const char **argv);

typedef struct command {
    const char *name;
    const char *summary; /* one line for `weft --help` */
    command_function *run;
} command;

command_function command_transform;
command_function command_filter;
command_function command_convolve;
command_function command_devices;
command_function command_plan;
command_function command_kernel;
command_function command_tune;
command_function command_check;
command_function command_bench;

/* Prints "CALLED_AS: message" as one line to stderr, and returns COMMAND_FAILED or COMMAND_MISUSED.
 * called_as is the subcommand's argv[0]. Control characters of the message (names of files may
 * hold some) are printed as '?', so that it stays one line. */
int command_fail(const char *called_as, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int command_misuse(const char *called_as, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Likewise, of what is no failure. */
void command_note(const char *called_as, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
