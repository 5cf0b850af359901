#include "support/spirv_tools.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "print/spirv_words.h"
#include "support/kernels.h"

enum { BINARY, ASSEMBLY, AGAIN, LOG, FILES, MOST_PATH = 1024 };
static char file[FILES][MOST_PATH];
static bool tools; /* are installed */

void spirv_tools_open(const char *test)
{
    static const char *const ending[FILES] = {"spv", "spvasm", "again.spv", "log"};
    for (int i = 0; i < FILES; i++)
        snprintf(file[i], sizeof file[i], WEFT_BINARY_DIR "/tests/%s.%s", test, ending[i]);
    tools =
        system("spirv-val --version >/dev/null 2>&1 && spirv-as --version >/dev/null 2>&1") == 0;
    if (!tools) print_message("spirv-val and spirv-as (spirv-tools) are missing: not asked\n");
}

static void write_file(const char *path, const struct text *t)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text_chars(t), 1, t->length, f), t->length);
    assert_int_equal(fclose(f), 0);
}

static void read_file(const char *path, struct text *t)
{
    char part[4096];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (size_t bytes; (bytes = fread(part, 1, sizeof part, f)) > 0;)
        text_append_bytes(t, part, bytes);
    fclose(f);
}

static void ask(const char *command, const struct text *assembly)
{
    if (system(command) == 0) return;
    struct text log = TEXT_EMPTY;
    read_file(file[LOG], &log);
    fail_msg("%s\n%s\n%s", command, text_chars(&log), text_chars(assembly));
}

/* The generator's number in the header is the assembler's own. */
static void assert_same_module(const struct text *binary)
{
    enum { GENERATOR = 2 * sizeof(uint32_t) };
    struct text again = TEXT_EMPTY;
    read_file(file[AGAIN], &again);
    assert_int_equal(again.length, binary->length);
    memcpy(again.data + GENERATOR, binary->data + GENERATOR, sizeof(uint32_t));
    assert_memory_equal(again.data, binary->data, binary->length);
    text_free(&again);
}

void spirv_assert_valid(const struct text *binary)
{
    struct text assembly = TEXT_EMPTY;
    char command[4 * MOST_PATH];
    if (!tools) return;
    spirv_disassemble(&assembly, text_chars(binary), binary->length);
    write_file(file[BINARY], binary);
    write_file(file[ASSEMBLY], &assembly);
    snprintf(command, sizeof command, "spirv-val --target-env vulkan1.0 '%s' >'%s' 2>&1",
             file[BINARY], file[LOG]);
    ask(command, &assembly);
    snprintf(command, sizeof command,
             "spirv-as --preserve-numeric-ids --target-env vulkan1.0 -o '%s' '%s' >'%s' 2>&1",
             file[AGAIN], file[ASSEMBLY], file[LOG]);
    ask(command, &assembly);
    assert_same_module(binary);
    text_free(&assembly);
}

struct text spirv_words_of(const struct ir *kernel, const struct spirv_target *target)
{
    struct text binary = TEXT_EMPTY, t = TEXT_EMPTY;
    if (spirv_print(&binary, target, kernel)) fail_msg("%s", error_last());
    spirv_assert_valid(&binary);
    spirv_disassemble(&t, text_chars(&binary), binary.length);
    text_free(&binary);
    return t;
}

void spirv_assert_has(const struct ir *kernel, const struct spirv_target *target,
                      const char *const *words)
{
    struct text t = spirv_words_of(kernel, target);
    assert_text_has(&t, words);
    text_free(&t);
}

void spirv_assert_lacks(const struct ir *kernel, const struct spirv_target *target,
                        const char *words)
{
    struct text t = spirv_words_of(kernel, target);
    if (strstr(text_chars(&t), words)) fail_msg("\"%s\" in:\n%s", words, text_chars(&t));
    text_free(&t);
}
