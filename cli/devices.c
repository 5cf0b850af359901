/* weft devices: what transforms can run on. */
#include "command.h"

#include <stdio.h>

#include "lines.h"
#include "options.h"

static const char explanation[] = "A name in the first column is what --device accepts; the first "
                                  "line is the default. Names may\n"
                                  "take options, e.g. null:shared=16384,threads=256.\n";

static json_t *precision_list(uint32_t precisions)
{
    json_t *array = json_array();
    for (int p = 0; p < OPTIONS_PRECISIONS_END; p++)
        if (precisions >> p & 1 && options_precision_name((weft_precision)p))
            json_array_append_new(array, json_string(options_precision_name((weft_precision)p)));
    return array;
}

static void print_json(const weft_device_info *info)
{
    line_print(json_pack("{s:s, s:s, s:o, s:I}", "name", info->name, "description",
                         info->description, "precisions", precision_list(info->precisions),
                         "memory_bytes", (json_int_t)info->memory_bytes));
}

static void print_row(const weft_device_info *info)
{
    char memory[32] = "unknown";
    if (info->memory_bytes)
        snprintf(memory, sizeof memory, "%.1f GiB", (double)info->memory_bytes / 0x1p30);
    char precisions[16] = "";
    snprintf(precisions, sizeof precisions, "%s%s%s",
             info->precisions >> WEFT_F32 & 1 ? "f32" : "",
             info->precisions >> WEFT_F64 & 1 ? " f64" : "",
             info->precisions >> WEFT_DD & 1 ? " dd" : "");
    printf("%-10s  %-10s  %10s  %s\n", info->name, precisions, memory, info->description);
}

static int list_devices(const char *called_as, int json)
{
    int count = weft_device_count();
    if (!json) printf("%-10s  %-10s  %10s  %s\n", "name", "types", "memory", "description");
    for (int i = 0; i < count; i++) {
        weft_device_info info;
        if (weft_device_describe(i, &info) != WEFT_OK)
            return command_fail(called_as, "%s", weft_last_error());
        (json ? print_json : print_row)(&info);
    }
    return COMMAND_OK;
}

int command_devices(int argc, const char **argv)
{
    int json = 0;
    const struct poptOption table[] = {OPTIONS_JSON(json), POPT_TABLEEND};
    struct options_reader reader = {argv[0], table, NULL, explanation};
    struct size_list none = {0};
    int code = options_read(&reader, argc, argv, &none);
    return code == OPTIONS_PROCEED ? list_devices(argv[0], json) : code;
}
