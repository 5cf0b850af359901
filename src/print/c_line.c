#include "print/c_line.h"

#include "base/arena.h"
#include "base/error.h"
#include "print/c_arithmetic.h"
#include "print/c_route.h"

struct printer {
    struct text *text;
    const struct c_vector_target *target;
    const struct ir *kernel;
    struct c_router router;
    int vectors;                    /* of all threads */
    int *name;                      /* of real node n in vector v, at [n * vectors + v]; -1: none */
    int64_t extent[IR_MAX_BUFFERS]; /* elements from 0 that are accessed */
    struct c_route_place *content[IR_MAX_BUFFERS]; /* of an element; of what is only read, once it
                                                    * was loaded */
    ir_value row[IR_MAX_BUFFERS]; /* the term of addresses that all threads share; IR_NONE: none */
};

static const struct ir_node *node_of(const struct printer *p, ir_value n)
{
    return &p->kernel->node[n];
}

static void refuse(struct printer *p, const char *what)
{
    error_set(WEFT_ERROR_UNSUPPORTED, "line codelet %s: %s", p->kernel->name, what);
    p->text->failed = true;
}

/* ---- integers ---- */

static bool depends_on_row(const struct printer *p, ir_value n)
{
    if (n == IR_NONE) return false;
    const struct ir_node *node = node_of(p, n);
    return node->op == IR_BLOCK || node->op == IR_PARAM || depends_on_row(p, node->a) ||
           depends_on_row(p, node->b);
}

/* The value for a thread, where the row's term is 0. */
static int64_t value_at(struct printer *p, ir_value n, int64_t thread)
{
    const struct ir_node *node = node_of(p, n);
    if (node->op == IR_INT_CONSTANT) return node->integer;
    if (node->op == IR_THREAD) return thread;
    if (node->op != IR_INT_ADD && depends_on_row(p, n)) return 0;
    if (node->a == IR_NONE || node->b == IR_NONE) {
        refuse(p, "an address");
        return 0;
    }
    const int64_t a = value_at(p, node->a, thread), b = value_at(p, node->b, thread);
    switch (node->op) {
    case IR_INT_ADD:
        return a + b;
    case IR_INT_SUB:
        return a - b;
    case IR_INT_MUL:
        return a * b;
    case IR_INT_DIV:
        return a / b;
    case IR_INT_MOD:
        return a % b;
    case IR_LESS:
        return a < b;
    default:
        break;
    }
    refuse(p, "an integer operation");
    return 0;
}

static int64_t address(struct printer *p, ir_value access, int64_t thread)
{
    const struct ir_node *node = node_of(p, access);
    return value_at(p, node->b, thread) + node->offset;
}

/* The term of a sum that depends on the row. */
static ir_value row_term(const struct printer *p, ir_value n)
{
    while (n != IR_NONE && node_of(p, n)->op == IR_INT_ADD) {
        const struct ir_node *node = node_of(p, n);
        n = depends_on_row(p, node->a) ? node->a : node->b;
    }
    return n != IR_NONE && depends_on_row(p, n) ? n : IR_NONE;
}

static void print_integer(struct printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    if (node->op == IR_INT_CONSTANT) {
        text_append(p->text, "%lld", (long long)node->integer);
    } else if (node->op == IR_BLOCK) {
        text_append(p->text, "row");
    } else if (node->op == IR_PARAM) {
        text_append(p->text, "shape->%s", p->kernel->param_name[node->integer]);
    } else if (node->op == IR_INT_MUL) {
        print_integer(p, node->a);
        text_append(p->text, " * ");
        print_integer(p, node->b);
    } else {
        refuse(p, "a row's address");
    }
}

/* ---- segments: from barrier to barrier ---- */

struct segment {
    ir_value first, end;
    int64_t threads; /* that take part, from 0 */
};

static struct segment segment_at(struct printer *p, ir_value first)
{
    struct segment segment = {first, first, p->kernel->threads};
    while (segment.end < p->kernel->count && node_of(p, segment.end)->op != IR_BARRIER) {
        const struct ir_node *node = node_of(p, segment.end++);
        if (node->op != IR_IF) continue;
        while (segment.threads > 0 && !value_at(p, node->a, segment.threads - 1))
            segment.threads--;
    }
    return segment;
}

static int64_t threads_in(const struct printer *p, const struct segment *segment, int v)
{
    const int64_t left = segment->threads - (int64_t)v * p->target->lanes;
    return left < 0 ? 0 : left < p->target->lanes ? left : p->target->lanes;
}

/* ---- accesses ---- */

/* Whether vectors of the buffer are read as they lie. */
static bool is_table(struct printer *p, ir_value load, const struct segment *segment)
{
    const struct ir_buffer *buffer = &p->kernel->buffer[node_of(p, load)->buffer];
    if (buffer->kind != IR_GLOBAL || buffer->writable) return false;
    return segment->threads < 2 || address(p, load, 1) == address(p, load, 0) + 1;
}

static void survey(struct printer *p, const struct segment *segment)
{
    for (ir_value n = segment->first; n < segment->end; n++) {
        const struct ir_node *node = node_of(p, n);
        if (node->op != IR_LOAD && node->op != IR_STORE) continue;
        p->row[node->buffer] = row_term(p, node->b);
        if (node->op == IR_LOAD && is_table(p, n, segment)) continue;
        for (int64_t thread = 0; thread < segment->threads; thread++) {
            const int64_t end = address(p, n, thread) + 1;
            if (end > p->extent[node->buffer]) p->extent[node->buffer] = end;
        }
    }
}

/* Memory is accessed in vectors from element 0 on, of which the last may overlap the one before. */
static int64_t vector_start(const struct printer *p, int buffer, int64_t element)
{
    const int64_t lanes = p->target->lanes, start = element / lanes * lanes;
    return start + lanes > p->extent[buffer] ? p->extent[buffer] - lanes : start;
}

/* The place of an element; what the caller gave is loaded when it is first asked for. */
static struct c_route_place place_of(struct printer *p, int buffer, int64_t element)
{
    struct c_route_place *content = p->content[buffer];
    if (content[element].vector < 0) {
        const int64_t start = vector_start(p, buffer, element);
        if (p->kernel->buffer[buffer].kind == IR_SHARED || start < 0) refuse(p, "an element");
        text_append(p->text, "const vec v%d = LOAD(b%d + %lld);\n", p->router.next, buffer,
                    (long long)start);
        for (int i = 0; i < p->target->lanes && start >= 0; i++) {
            if (content[start + i].vector < 0) {
                content[start + i] = (struct c_route_place){p->router.next, i};
            }
        }
        p->router.next++;
    }
    return content[element];
}

static void print_table_load(struct printer *p, ir_value n, int v)
{
    text_append(p->text, "const vec v%d = LOAD(b%d + %lld);\n", p->router.next,
                node_of(p, n)->buffer, (long long)address(p, n, (int64_t)v * p->target->lanes));
    p->name[n * p->vectors + v] = p->router.next++;
}

/* What the threads of vector v load. */
static void aim(struct printer *p, const struct segment *segment, ir_value n, int v,
                struct c_route_target *target)
{
    for (int i = 0; i < C_ROUTE_MAX_LANES; i++) {
        target->lane[i] = (struct c_route_place){-1, 0};
        if (i >= threads_in(p, segment, v)) continue;
        target->lane[i] =
            place_of(p, node_of(p, n)->buffer, address(p, n, (int64_t)v * p->target->lanes + i));
    }
}

static bool is_routed(struct printer *p, ir_value n, const struct segment *segment)
{
    return node_of(p, n)->op == IR_LOAD && !is_table(p, n, segment);
}

/* Everything a segment loads but tables: the first one from the caller. */
static void print_loads(struct printer *p, const struct segment *segment)
{
    const enum c_shuffle_end end = segment->first == 0 ? C_SHUFFLE_LOADED : C_SHUFFLE_INSIDE;
    const size_t most = (size_t)(segment->end - segment->first) * (size_t)p->vectors + 1;
    struct c_route_target *target = arena_array(p->router.arena, most, sizeof *target);
    int targets = 0;
    if (!target) return;
    for (int v = 0; v < p->vectors && threads_in(p, segment, v); v++) {
        for (ir_value n = segment->first; n < segment->end; n++) {
            if (is_routed(p, n, segment)) aim(p, segment, n, v, &target[targets++]);
        }
    }
    const int groups = c_route_groups(&p->router, target, targets);
    for (int g = 0; g < groups; g++)
        c_route_print(&p->router, target, targets, g, end);
    targets = 0;
    for (int v = 0; v < p->vectors && threads_in(p, segment, v); v++) {
        for (ir_value n = segment->first; n < segment->end; n++) {
            if (is_routed(p, n, segment)) p->name[n * p->vectors + v] = target[targets++].vector;
        }
    }
}

static void note_store(struct printer *p, const struct segment *segment, ir_value n, int v)
{
    const struct ir_node *node = node_of(p, n);
    const int vector = p->name[node->a * p->vectors + v];
    for (int i = 0; i < threads_in(p, segment, v); i++) {
        const int64_t at = address(p, n, (int64_t)v * p->target->lanes + i);
        p->content[node->buffer][at] = (struct c_route_place){vector, i};
    }
}

/* ---- arithmetic ---- */

static void print_operand(struct printer *p, ir_value n, int v)
{
    const struct ir_node *node = node_of(p, n);
    if (node->op != IR_REAL_CONSTANT) {
        text_append(p->text, "v%d", p->name[n * p->vectors + v]);
        return;
    }
    text_append(p->text, "SPLAT((real)");
    text_real(p->text, p->target->single ? (double)(float)node->hi : node->hi);
    text_append(p->text, ")");
}

static void print_arithmetic(struct printer *p, ir_value n, int v)
{
    const struct ir_node *node = node_of(p, n);
    const struct c_arithmetic *form = &c_arithmetic[node->op];
    const ir_value operand[3] = {node->a, node->b, node->c};
    if (form->operands == 0) {
        refuse(p, "an operation");
        return;
    }
    text_append(p->text, "const vec v%d = %s", p->router.next, form->before);
    for (int i = 0; i < form->operands; i++) {
        if (i > 0) text_append(p->text, "%s", form->between);
        print_operand(p, operand[i], v);
    }
    text_append(p->text, "%s;\n", form->after);
    p->name[n * p->vectors + v] = p->router.next++;
}

static void print_node(struct printer *p, const struct segment *segment, ir_value n, int v)
{
    const struct ir_node *node = node_of(p, n);
    if (node->op == IR_LOAD) {
        if (is_table(p, n, segment)) print_table_load(p, n, v);
    } else if (node->op == IR_STORE) {
        note_store(p, segment, n, v);
    } else if (node->type == IR_REAL && node->op != IR_REAL_CONSTANT) {
        print_arithmetic(p, n, v);
    }
}

static void print_segment(struct printer *p, const struct segment *segment)
{
    print_loads(p, segment);
    for (int v = 0; v < p->vectors && threads_in(p, segment, v); v++) {
        for (ir_value n = segment->first; n < segment->end; n++)
            print_node(p, segment, n, v);
    }
}

/* ---- functions ---- */

/* What was stored to a buffer of the caller's. */
static void print_stores(struct printer *p, int buffer)
{
    const int64_t lanes = p->target->lanes, extent = p->extent[buffer];
    const int targets = (int)((extent + lanes - 1) / lanes);
    struct c_route_target *target =
        arena_array(p->router.arena, (size_t)targets + 1, sizeof *target);
    if (!target || extent < lanes) return;
    for (int t = 0; t < targets; t++) {
        const int64_t start = vector_start(p, buffer, t * lanes);
        for (int i = 0; i < lanes; i++)
            target[t].lane[i] = p->content[buffer][start + i];
    }
    const int groups = c_route_groups(&p->router, target, targets);
    for (int g = 0; g < groups; g++) {
        c_route_print(&p->router, target, targets, g, C_SHUFFLE_STORED);
        for (int t = 0; t < targets; t++) {
            if (target[t].group != g) continue;
            text_append(p->text, "STORE(b%d + %lld, v%d);\n", buffer,
                        (long long)vector_start(p, buffer, t * lanes), target[t].vector);
        }
    }
}

static void print_pointers(struct printer *p)
{
    for (int i = 0; i < p->kernel->buffer_count; i++) {
        const struct ir_buffer *buffer = &p->kernel->buffer[i];
        const char *constant = buffer->writable ? "" : "const ";
        if (buffer->kind != IR_GLOBAL || !ir_buffer_used(p->kernel, i)) continue;
        text_append(p->text, "%sreal *const b%d = (%sreal *)%s", constant, i, constant,
                    buffer->name);
        if (p->row[i] != IR_NONE) {
            text_append(p->text, " + ");
            print_integer(p, p->row[i]);
        }
        text_append(p->text, ";\n");
    }
}

static void print_row(struct printer *p)
{
    print_pointers(p);
    for (ir_value first = 0; first < p->kernel->count && !p->text->failed;) {
        const struct segment segment = segment_at(p, first);
        print_segment(p, &segment);
        first = segment.end + 1;
    }
    for (int i = 0; i < p->kernel->buffer_count; i++) {
        const struct ir_buffer *buffer = &p->kernel->buffer[i];
        if (buffer->kind == IR_GLOBAL && buffer->writable && p->extent[i]) print_stores(p, i);
    }
}

/* What shuffles go by is loaded for each row: that of a long line does not fit the registers beside
 * it, and a lone row would store it again before it is used. */
static void print_body(struct printer *p)
{
    struct text *all = p->text, row = TEXT_EMPTY;
    p->text = p->router.shuffles.text = &row;
    print_row(p);
    text_append(all, "for (int64_t row = 0; row < shape->rows; row++) {\n");
    if (p->target->exchange) c_exchange_print(all, p->target->exchange);
    text_append(all, "%s}\n}\n", text_chars(&row));
    if (text_failed(&row)) all->failed = true;
    text_free(&row);
}

static bool printer_init(struct printer *p, arena *a)
{
    const int lanes = p->target->lanes;
    p->vectors = (p->kernel->threads + lanes - 1) / lanes;
    p->router = (struct c_router){.shuffles = {.text = p->text,
                                               .arena = a,
                                               .exchange = p->target->exchange,
                                               .lanes = lanes},
                                  .arena = a,
                                  .lanes = lanes};
    p->name = arena_array(a, (size_t)p->kernel->count * (size_t)p->vectors + 1, sizeof *p->name);
    for (int i = 0; i < IR_MAX_BUFFERS; i++)
        p->row[i] = IR_NONE;
    for (ir_value first = 0; first < p->kernel->count;) {
        const struct segment segment = segment_at(p, first);
        survey(p, &segment);
        first = segment.end + 1;
    }
    for (int i = 0; i < p->kernel->buffer_count; i++) {
        const size_t extent = (size_t)p->extent[i];
        p->content[i] = arena_array(a, extent + 1, sizeof *p->content[i]);
        for (size_t e = 0; e < extent && p->content[i]; e++)
            p->content[i][e].vector = -1;
    }
    return !arena_failed(a);
}

void c_line_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel)
{
    arena *a = arena_create();
    const struct ir *fused = a && target->fma ? ir_form_fma(a, kernel) : kernel;
    struct printer p = {.text = t, .target = target, .kernel = fused};
    if (!a || !fused || !printer_init(&p, a)) {
        t->failed = true;
    } else {
        c_vector_print_head(t, target, fused);
        print_body(&p);
        if (arena_failed(a)) t->failed = true;
    }
    arena_destroy(&a);
}
