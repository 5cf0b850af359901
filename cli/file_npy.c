#include "input.h"
#include "npy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    PREFIX_BYTES = 8,         /* the magic and the version */
    LONGEST_HEADER = 1 << 16, /* numpy itself refuses more than 10,000 by default */
    ELEMENTS_A_TIME = 4096,
    LARGEST_ELEMENT = 32,
    HEADER_ALIGNMENT = 64
};

static bool cut_short(failure *why)
{
    return failure_set(why, "the file ends before its header does");
}

/* Reads the little-endian length of the header's text; its width depends on the version. */
static bool read_header_length(FILE *file, size_t *length, failure *why)
{
    unsigned char prefix[PREFIX_BYTES], bytes[4] = {0};
    if (fread(prefix, 1, sizeof prefix, file) != sizeof prefix) return cut_short(why);
    if (memcmp(prefix, "\x93NUMPY", 6) != 0) return failure_set(why, "not a .npy file");
    int version = prefix[6];
    if (version < 1 || version > 3) {
        return failure_set(why, "version %d of the .npy format is not known; 1 to 3 are", version);
    }
    size_t width = version == 1 ? 2 : 4;
    if (fread(bytes, 1, width, file) != width) return cut_short(why);
    *length =
        (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    if (*length <= LONGEST_HEADER) return true;
    return failure_set(why, "the header claims %zu bytes; at most %d are accepted", *length,
                       LONGEST_HEADER);
}

static bool read_header(FILE *file, npy_header *header, failure *why)
{
    size_t length = 0;
    if (!read_header_length(file, &length, why)) return false;
    char *text = malloc(length + 1);
    if (!text) return failure_memory(why, length + 1);
    size_t got = fread(text, 1, length, file);
    text[got] = 0;
    bool good = got == length ? npy_header_parse(text, header, why) : cut_short(why);
    free(text);
    return good;
}

/* Before memory is asked for: are there as many bytes as the shape needs? */
static bool check_length(const npy_header *header, int64_t available, failure *why)
{
    int64_t needed = header->type->bytes;
    for (int i = 0; i < header->rank; i++) {
        if (header->size[i] == 0) return true; /* array_create tells of empty arrays */
        if (__builtin_mul_overflow(needed, header->size[i], &needed)) {
            return failure_set(why, "the header claims more elements than any file can hold");
        }
    }
    if (needed <= available) return true;
    return failure_set(why,
                       "the file is cut short: its header claims %lld bytes of data, %lld follow",
                       (long long)needed, (long long)available);
}

/* Steps through an array in Fortran order and keeps the C-order index of the element it is at. */
typedef struct walker {
    int rank;
    int64_t size[WEFT_MAX_RANK], stride[WEFT_MAX_RANK], place[WEFT_MAX_RANK];
    int64_t index;
} walker;

static walker walker_start(const npy_header *header)
{
    walker w = {.rank = header->rank};
    int64_t stride = 1;
    for (int i = w.rank - 1; i >= 0; i--) {
        w.size[i] = header->size[i];
        w.stride[i] = stride;
        stride *= w.size[i];
    }
    return w;
}

static void walker_step(walker *w)
{
    for (int i = 0; i < w->rank; i++) {
        w->index += w->stride[i];
        if (++w->place[i] < w->size[i]) return;
        w->index -= w->stride[i] * w->size[i];
        w->place[i] = 0;
    }
}

static bool read_elements(FILE *file, const npy_header *header, array *a, failure *why)
{
    unsigned char bytes[ELEMENTS_A_TIME * LARGEST_ELEMENT];
    const npy_target target = {array_storage(a), false};
    const size_t width = (size_t)header->type->bytes, element = npy_target_bytes(&target);
    walker w = walker_start(header);
    for (int64_t done = 0; done < a->count;) {
        int64_t left = a->count - done;
        size_t count = left < ELEMENTS_A_TIME ? (size_t)left : ELEMENTS_A_TIME;
        if (fread(bytes, width, count, file) != count) {
            return failure_set(why, "the data could not be read to its end");
        }
        for (size_t i = 0; i < count; i++, done++) {
            const int64_t place = header->fortran_order ? w.index : done;
            npy_element_convert(header, bytes + i * width, &target,
                                (char *)a->data + (size_t)place * element);
            walker_step(&w);
        }
    }
    return true;
}

weft_precision npy_precision(const npy_header *header, precision_choice choice)
{
    if (choice != PRECISION_AUTOMATIC) return (weft_precision)choice;
    return header->type->wide ? WEFT_F64 : WEFT_F32;
}

weft_storage npy_storage(const npy_header *header, weft_precision precision)
{
    const weft_storage storage = header->type->storage, computed = number_computed(precision);
    if (!storage || number_bytes(storage) >= number_bytes(computed)) return WEFT_STORED_AS_COMPUTED;
    return storage;
}

bool npy_open(FILE *file, npy_header *header, failure *why)
{
    struct stat about;
    if (fstat(fileno(file), &about) != 0) return failure_set(why, "%s", strerror(errno));
    if (!S_ISREG(about.st_mode)) return failure_set(why, "not a regular file");
    return read_header(file, header, why) && check_length(header, about.st_size - ftell(file), why);
}

bool input_read_npy(FILE *file, int64_t bytes, precision_choice precision, array *a, failure *why)
{
    npy_header header;
    *a = (array){0};
    if (!read_header(file, &header, why)) return false;
    if (!check_length(&header, bytes - ftell(file), why)) return false;
    weft_precision chosen = npy_precision(&header, precision);
    if (!array_describe(a, header.rank, header.size, chosen, why)) return false;
    a->storage = npy_storage(&header, chosen);
    if (!array_allocate(a, why)) return false;
    a->is_real = header.type->kind != 'c';
    if (read_elements(file, &header, a, why)) return true;
    array_destroy(a);
    return false;
}

/* Appends the shape as Python writes a tuple: "(3,)", "(2, 3)". */
static int print_shape(char *text, size_t capacity, const array *a)
{
    int length = snprintf(text, capacity, "(");
    for (int i = 0; i < a->rank; i++) {
        length += snprintf(text + length, capacity - (size_t)length, i ? ", %lld" : "%lld",
                           (long long)a->size[i]);
    }
    length += snprintf(text + length, capacity - (size_t)length, a->rank == 1 ? ",)" : ")");
    return length;
}

/* Of an element in the file. */
static size_t written_bytes(const array *a)
{
    return array_element_bytes(a) / (a->is_real ? 2 : 1);
}

static void write_elements(FILE *file, const array *a)
{
    const size_t step = array_element_bytes(a);
    if (!a->is_real) fwrite(a->data, step, (size_t)a->count, file);
    for (int64_t i = 0; a->is_real && i < a->count; i++)
        fwrite((const char *)a->data + (size_t)i * step, written_bytes(a), 1, file);
}

size_t npy_data_bytes(const array *a)
{
    return (size_t)a->count * written_bytes(a);
}

bool npy_write_header(FILE *file, const array *a, failure *why)
{
    char shape[WEFT_MAX_RANK * 24], header[2 * HEADER_ALIGNMENT + sizeof shape];
    print_shape(shape, sizeof shape, a);
    /* The number's own byte order is the host's, which '=' would not tell another host. */
    const uint16_t one = 1;
    const char host = *(const unsigned char *)&one ? '<' : '>';
    const char order = written_bytes(a) == 1 ? '|' : host;
    int length = snprintf(header, sizeof header,
                          "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': %s, }", order,
                          a->is_real ? number_letter(array_storage(a)) : 'c', written_bytes(a),
                          shape);
    int fixed = PREFIX_BYTES + 2;
    int padded = (fixed + length + 1 + HEADER_ALIGNMENT - 1) / HEADER_ALIGNMENT * HEADER_ALIGNMENT;
    int text = padded - fixed; /* with its final newline */
    unsigned char prefix[] = {0x93,
                              'N',
                              'U',
                              'M',
                              'P',
                              'Y',
                              1,
                              0,
                              (unsigned char)(text & 255),
                              (unsigned char)(text >> 8)};
    fwrite(prefix, 1, sizeof prefix, file);
    fprintf(file, "%-*s\n", text - 1, header);
    return ferror(file) ? failure_set(why, "could not be written") : true;
}

bool npy_write(FILE *file, const array *a, failure *why)
{
    if (!npy_write_header(file, a, why)) return false;
    write_elements(file, a);
    return ferror(file) ? failure_set(why, "could not be written") : true;
}
