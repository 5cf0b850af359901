/* The store: what is put can be got, and whatever becomes of its files, nobody gets anything else
 * or notices more than that it is gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/folder.h"
#include "store/store.h"
#include "store/sweep.h"

static const char key[] = "weft 0.1, opencl, a device, __kernel void f(void) {}";
static const char value[] = "not really a binary";

/* ---- a folder for every test ---- */

static int make_folder(void **state)
{
    static char folder[64];
    snprintf(folder, sizeof folder, "/tmp/weft-test-store-XXXXXX");
    *state = mkdtemp(folder);
    return *state ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", (char *)*state,
             (char *)*state);
    return system(command);
}

static int count_files(const char *folder, char *last, size_t capacity)
{
    int count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry = open ? readdir(open) : NULL; entry; entry = readdir(open)) {
        if (entry->d_name[0] == '.') continue;
        if (last) snprintf(last, capacity, "%s/%s", folder, entry->d_name);
        count++;
    }
    if (open) closedir(open);
    return count;
}

static void write_file(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static struct store *open_store(const char *folder)
{
    struct store *store = NULL;
    assert_int_equal(store_open(folder, &store), WEFT_OK);
    return store;
}

/* Whether the store has the value under the key; it must have nothing else. */
static bool has(struct store *store, const void *k, size_t k_bytes, const void *v, size_t v_bytes)
{
    void *data = NULL;
    size_t bytes = 0;
    if (!store_get(store, k, k_bytes, &data, &bytes)) return false;
    assert_int_equal(bytes, v_bytes);
    assert_memory_equal(data, v, v_bytes);
    memory_free(data);
    return true;
}

/* Whether a fresh store, that has nothing in memory yet, has it. */
static bool folder_has(const char *folder, const char *k, const char *v)
{
    struct store *store = open_store(folder);
    const bool found = has(store, k, strlen(k), v, strlen(v));
    store_close(&store);
    return found;
}

static void put_in_folder(const char *folder, const char *k, const char *v)
{
    struct store *store = open_store(folder);
    store_put(store, k, strlen(k), v, strlen(v));
    store_close(&store);
}

/* ---- round trips ---- */

static void what_is_put_can_be_got(void **state)
{
    char folder[128];
    snprintf(folder, sizeof folder, "%s/made/when/needed", (char *)*state);
    struct store *store = open_store(folder);
    assert_false(has(store, key, sizeof key, value, sizeof value));
    store_put(store, key, sizeof key, value, sizeof value);
    assert_true(has(store, key, sizeof key, value, sizeof value));
    assert_false(has(store, key, sizeof key - 1, value, sizeof value));
    store_put(store, "", 0, "", 0);
    assert_true(has(store, "", 0, "", 0));
    store_put(store, key, sizeof key, "other", 5);
    assert_true(has(store, key, sizeof key, "other", 5));
    store_close(&store);
    assert_null(store);
    store = open_store(folder);
    assert_true(has(store, key, sizeof key, "other", 5));
    assert_true(has(store, "", 0, "", 0));
    store_close(&store);
    assert_int_equal(count_files(folder, NULL, 0), 2);
}

static void what_is_large_goes_to_disk_alone(void **state)
{
    const size_t bytes = (size_t)20 << 20;
    char *large = calloc(1, bytes);
    assert_non_null(large);
    large[bytes / 2] = 1;
    struct store *store = open_store(*state);
    store_put(store, key, sizeof key, large, bytes);
    assert_true(has(store, key, sizeof key, large, bytes));
    free(large);
    store_close(&store);
}

static void memory_is_bounded(void **state)
{
    (void)state;
    const size_t bytes = (size_t)1 << 20;
    char *data = calloc(1, bytes);
    assert_non_null(data);
    struct store *store = open_store("");
    for (int i = 0; i < 100; i++) {
        store_put(store, &i, sizeof i, data, bytes);
        const int first = 0; /* used all the time, so it stays */
        assert_true(has(store, &first, sizeof first, data, bytes));
    }
    int kept = 0;
    for (int i = 0; i < 100; i++)
        kept += has(store, &i, sizeof i, data, bytes);
    assert_in_range(kept, 8, 64);
    free(data);
    store_close(&store);
}

/* ---- damage ---- */

static void a_damaged_file_is_noticed_and_removed(void **state)
{
    char path[300];
    put_in_folder(*state, key, value);
    assert_int_equal(count_files(*state, path, sizeof path), 1);
    size_t bytes;
    char *file = folder_read(path, 4096, &bytes);
    assert_non_null(file);
    for (size_t i = 0; i < bytes; i++) {
        write_file(path, file, i);
        assert_false(folder_has(*state, key, value));
        assert_int_equal(count_files(*state, NULL, 0), 0);
    }
    for (size_t bit = 0; bit < 8 * bytes; bit++) {
        file[bit / 8] ^= (char)(1 << bit % 8);
        write_file(path, file, bytes);
        assert_false(folder_has(*state, key, value));
        assert_int_equal(count_files(*state, NULL, 0), 0);
        file[bit / 8] ^= (char)(1 << bit % 8);
    }
    write_file(path, file, bytes + 1); /* folder_read() puts a 0 behind it */
    assert_false(folder_has(*state, key, value));
    write_file(path, file, bytes);
    assert_true(folder_has(*state, key, value));
    memory_free(file);
}

static void a_foreign_file_is_replaced(void **state)
{
    char path[300];
    put_in_folder(*state, key, value);
    assert_int_equal(count_files(*state, path, sizeof path), 1);
    char large[5000];
    memset(large, 'x', sizeof large);
    write_file(path, large, sizeof large);
    assert_false(folder_has(*state, key, value));
    put_in_folder(*state, key, value);
    assert_true(folder_has(*state, key, value));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0); /* must not be waited for */
    assert_false(folder_has(*state, key, value));
    put_in_folder(*state, key, value);
    assert_true(folder_has(*state, key, value));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    put_in_folder(*state, key, value);
    assert_false(folder_has(*state, key, value));
    assert_int_equal(count_files(*state, NULL, 0), 1);
}

/* Two keys of one hash would share a file: it is the other key's, and not damaged. */
static void the_file_of_another_key_is_none_of_ours(void **state)
{
    char path[300], other[320];
    put_in_folder(*state, "another key", value);
    assert_int_equal(count_files(*state, path, sizeof path), 1);
    snprintf(other, sizeof other, "%s/%016llx", (char *)*state,
             (unsigned long long)hash_bytes(HASH_START, key, strlen(key)));
    assert_int_equal(rename(path, other), 0);
    assert_false(folder_has(*state, key, value));
    assert_int_equal(count_files(*state, NULL, 0), 1);
    put_in_folder(*state, key, value);
    assert_true(folder_has(*state, key, value));
}

static void a_folder_that_cannot_be_made_leaves_memory(void **state)
{
    char folder[128];
    snprintf(folder, sizeof folder, "%s/file", (char *)*state);
    write_file(folder, "x", 1);
    struct store *store = open_store(folder);
    store_put(store, key, sizeof key, value, sizeof value);
    assert_true(has(store, key, sizeof key, value, sizeof value));
    store_close(&store);
    store = open_store("/proc/weft-cannot-be-here");
    store_put(store, key, sizeof key, value, sizeof value);
    assert_true(has(store, key, sizeof key, value, sizeof value));
    store_close(&store);
    assert_false(folder_has(folder, key, value));
}

/* ---- where ---- */

static void set(const char *name, const char *folder)
{
    if (folder)
        setenv(name, folder, 1);
    else
        unsetenv(name);
}

static void assert_path(const char *weft, const char *xdg, const char *home, const char *expected)
{
    struct text path = TEXT_EMPTY;
    set("WEFT_CACHE_DIR", weft);
    set("XDG_CACHE_HOME", xdg);
    set("HOME", home);
    assert_int_equal(folder_path(&path), expected != NULL);
    assert_string_equal(text_chars(&path), expected ? expected : "");
    text_free(&path);
}

static void the_folder_is_where_the_user_wants_it(void **state)
{
    assert_path("/a", "/b", "/c", "/a");
    assert_path("relative", "/b", "/c", "relative");
    assert_path("", "/b", "/c", NULL);
    assert_path(NULL, "/b", "/c", "/b/weft");
    assert_path(NULL, "relative", "/c", "/c/.cache/weft");
    assert_path(NULL, "", "/c", "/c/.cache/weft");
    assert_path(NULL, NULL, "/c", "/c/.cache/weft");
    assert_path(NULL, NULL, "relative", NULL);
    assert_path(NULL, NULL, NULL, NULL);
    set("WEFT_CACHE_DIR", *state);
    put_in_folder(NULL, key, value);
    assert_true(folder_has(NULL, key, value));
    set("WEFT_CACHE_DIR", "");
    put_in_folder(NULL, key, value);
    assert_false(folder_has(NULL, key, value));
}

static void a_folder_that_grows_too_large_loses_its_oldest(void **state)
{
    char path[128], data[1000] = "";
    for (int i = 0; i < 10; i++) {
        snprintf(path, sizeof path, "%s/%d", (char *)*state, i);
        write_file(path, data, sizeof data);
        const struct timespec times[2] = {{1000000 + i, 0}, {1000000 + i, 0}};
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    snprintf(path, sizeof path, "%s/5" FOLDER_TEMPORARY "abcdef", (char *)*state);
    write_file(path, data, sizeof data);
    const struct timespec times[2] = {{1000000, 0}, {1000000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    sweep_folder(*state, 10000);
    assert_int_equal(count_files(*state, NULL, 0), 10);
    sweep_folder(*state, 9999);
    assert_int_equal(count_files(*state, NULL, 0), 4);
    for (int i = 6; i < 10; i++) {
        snprintf(path, sizeof path, "%s/%d", (char *)*state, i);
        assert_int_equal(access(path, F_OK), 0);
    }
}

/* ---- processes and memory ---- */

/* What the i-th key holds, of a length of its own. */
static size_t fill(int i, char *data)
{
    const size_t bytes = (size_t)(1 + i * 997 % 5000);
    for (size_t b = 0; b < bytes; b++)
        data[b] = (char)(i + (int)b);
    return bytes;
}

static void work(const char *folder, unsigned seed)
{
    enum { KEYS = 7, ROUNDS = 300 };
    char data[5000];
    for (int round = 0; round < ROUNDS; round++) {
        seed = seed * 1103515245u + 12345u;
        const int i = (int)(seed >> 16) % KEYS;
        struct store *store = open_store(folder);
        const size_t bytes = fill(i, data);
        if (!has(store, &i, sizeof i, data, bytes) || round % 3 == 0)
            store_put(store, &i, sizeof i, data, bytes);
        store_close(&store);
    }
}

static void processes_share_a_folder(void **state)
{
    pid_t child[4];
    for (unsigned c = 0; c < 4; c++) {
        child[c] = fork();
        assert_true(child[c] >= 0);
        if (child[c] > 0) continue;
        work(*state, c);
        _exit(0);
    }
    for (int c = 0; c < 4; c++) {
        int status;
        assert_int_equal(waitpid(child[c], &status, 0), child[c]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_int_equal(count_files(*state, NULL, 0), 7); /* and none half written */
}

static void no_memory_is_no_failure(void **state)
{
    const int64_t live = memory_live_blocks();
    bool opened = false;
    for (int n = 0; n < 40; n++) {
        struct store *store = NULL;
        memory_fail_after(n);
        if (store_open(*state, &store) == WEFT_OK) {
            store_put(store, key, sizeof key, value, sizeof value);
            has(store, key, sizeof key, value, sizeof value);
            opened = true;
        }
        store_close(&store);
        memory_fail_after(-1);
        assert_int_equal(memory_live_blocks(), live);
    }
    assert_true(opened);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(what_is_put_can_be_got),
        IN_A_FOLDER(what_is_large_goes_to_disk_alone),
        cmocka_unit_test(memory_is_bounded),
        IN_A_FOLDER(a_damaged_file_is_noticed_and_removed),
        IN_A_FOLDER(a_foreign_file_is_replaced),
        IN_A_FOLDER(the_file_of_another_key_is_none_of_ours),
        IN_A_FOLDER(a_folder_that_cannot_be_made_leaves_memory),
        IN_A_FOLDER(the_folder_is_where_the_user_wants_it),
        IN_A_FOLDER(a_folder_that_grows_too_large_loses_its_oldest),
        IN_A_FOLDER(processes_share_a_folder),
        IN_A_FOLDER(no_memory_is_no_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
