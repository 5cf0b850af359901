#include "print/c_like.h"

#include "base/error.h"
#include "print/c_like_value.h"
#include "print/c_storage.h"

#define SHARED_ALIGNMENT 16

/* ---- shared memory ---- */

/* Padded so that whatever follows is aligned. */
static int64_t buffer_bytes(const struct c_like_target *target, const struct ir_buffer *buffer)
{
    int64_t bytes = buffer->count * (buffer->pairs ? 2 : 1) * (target->single ? 4 : 8);
    return (bytes + SHARED_ALIGNMENT - 1) / SHARED_ALIGNMENT * SHARED_ALIGNMENT;
}

int64_t c_like_shared_bytes(const struct c_like_target *target, const struct ir *kernel)
{
    int64_t bytes = 0;
    for (int i = 0; i < kernel->buffer_count; i++) {
        if (kernel->buffer[i].kind == IR_SHARED) bytes += buffer_bytes(target, &kernel->buffer[i]);
    }
    return bytes;
}

int64_t c_like_dynamic_bytes(const struct c_like_target *target, const struct ir *kernel)
{
    int64_t bytes = c_like_shared_bytes(target, kernel);
    return bytes > target->dialect->most_static_shared ? bytes : 0;
}

static void print_static_shared(struct c_like_printer *p, const struct ir_buffer *buffer)
{
    text_append(p->text, "    %s%s %s[%lld];\n", p->target->dialect->shared,
                c_like_element_type(p->target, buffer), buffer->name, (long long)buffer->count);
}

static void print_dynamic_shared(struct c_like_printer *p, const struct ir_buffer *buffer,
                                 int64_t offset)
{
    const char *type = c_like_element_type(p->target, buffer);
    text_append(p->text, "    %s *const %s = (%s *)(%s + %lld);\n", type, buffer->name, type,
                p->target->dialect->dynamic_shared_name, (long long)offset);
}

static void print_shared(struct c_like_printer *p)
{
    bool dynamic = c_like_dynamic_bytes(p->target, p->kernel) > 0;
    int64_t offset = 0;
    if (dynamic) text_append(p->text, "    %s;\n", p->target->dialect->dynamic_shared);
    for (int i = 0; i < p->kernel->buffer_count; i++) {
        const struct ir_buffer *buffer = &p->kernel->buffer[i];
        if (buffer->kind != IR_SHARED) continue;
        if (dynamic)
            print_dynamic_shared(p, buffer, offset);
        else
            print_static_shared(p, buffer);
        offset += buffer_bytes(p->target, buffer);
    }
}

static void print_private(struct c_like_printer *p)
{
    for (int i = 0; i < p->kernel->buffer_count; i++) {
        const struct ir_buffer *buffer = &p->kernel->buffer[i];
        if (buffer->kind != IR_PRIVATE || !ir_buffer_used(p->kernel, i)) continue;
        text_append(p->text, "    %s %s[%lld];\n", c_like_element_type(p->target, buffer),
                    buffer->name, (long long)buffer->count);
    }
}

/* ---- the head ---- */

static void print_buffer_argument(struct c_like_printer *p, const struct ir_buffer *buffer)
{
    const struct c_dialect *dialect = p->target->dialect;
    bool table = !buffer->writable && buffer->base == IR_NONE;
    text_append(p->text, "%s%s%s *%s%s", dialect->global, buffer->writable ? "" : "const ",
                c_like_element_type(p->target, buffer), table ? dialect->restricted : "",
                buffer->name);
}

static void print_arguments(struct c_like_printer *p)
{
    const struct ir *kernel = p->kernel;
    const char *comma = "";
    for (int i = 0; i < kernel->buffer_count; i++) {
        if (!ir_is_bound(&kernel->buffer[i]) || !ir_buffer_used(kernel, i)) continue;
        text_append(p->text, "%s\n    ", comma);
        print_buffer_argument(p, &kernel->buffer[i]);
        comma = ",";
    }
    for (int i = 0; i < kernel->param_count; i++) {
        text_append(p->text, "%s\n    %s %s", comma, p->target->dialect->wide,
                    kernel->param_name[i]);
        comma = ",";
    }
}

static bool needs_doubles(const struct c_like_printer *p)
{
    bool needs = !p->target->single;
    for (int i = 0; i < p->kernel->buffer_count; i++)
        needs |= p->kernel->buffer[i].storage == WEFT_STORED_F64;
    return needs;
}

static void print_head(struct c_like_printer *p)
{
    const struct c_dialect *dialect = p->target->dialect;
    const struct ir *kernel = p->kernel;
    const bool cluster = kernel->cluster > 1;
    if (cluster && !dialect->clusters) {
        error_set(WEFT_ERROR_UNSUPPORTED, "kernel %s: clusters have no words", kernel->name);
        p->text->failed = true;
        return;
    }
    text_append(p->text, "%s%s", dialect->prologue[needs_doubles(p)],
                cluster ? dialect->clusters : "");
    c_storage_print_functions(p);
    text_append(p->text, "%s%d", dialect->before_threads, kernel->threads);
    if (kernel->resident > 0 && dialect->resident)
        text_append(p->text, "%s%d", dialect->resident, kernel->resident);
    text_string(p->text, dialect->after_threads);
    if (cluster)
        text_append(p->text, "%s%d%s", dialect->before_cluster, kernel->cluster,
                    dialect->after_cluster);
    text_append(p->text, "weft_%s(", kernel->name);
    print_arguments(p);
    text_append(p->text, ")\n{\n");
}

/* A buffer's base moves its pointer once. */
static void print_bases(struct c_like_printer *p)
{
    for (int i = 0; i < p->kernel->buffer_count; i++) {
        const struct ir_buffer *buffer = &p->kernel->buffer[i];
        if (buffer->base == IR_NONE || !ir_buffer_used(p->kernel, i)) continue;
        text_append(p->text, "    %s += %s;\n", buffer->name, p->kernel->param_name[buffer->base]);
    }
}

static bool sends_to(const struct ir *kernel, int buffer, int peer)
{
    for (ir_value v = 0; v < kernel->count; v++) {
        const struct ir_node *node = &kernel->node[v];
        if (ir_is_store(node->op) && node->peer == peer && node->buffer == buffer) return true;
    }
    return false;
}

/* Where other blocks' shared memory is. */
static void print_peers(struct c_like_printer *p)
{
    const struct c_dialect *dialect = p->target->dialect;
    for (int i = 0; p->kernel->cluster > 1 && i < p->kernel->buffer_count; i++) {
        for (int peer = 1; peer <= p->kernel->cluster; peer++) {
            if (!sends_to(p->kernel, i, peer)) continue;
            const char *name = p->kernel->buffer[i].name;
            text_append(p->text, "    %s %s_%d = %s(%s, %d);\n", dialect->place, name, peer,
                        dialect->find_place, name, peer - 1);
        }
    }
}

/* ---- statements ---- */

static void refuse(struct c_like_printer *p, const struct ir_node *node)
{
    error_set(WEFT_ERROR_UNSUPPORTED, "kernel %s: operation %d has no words", p->kernel->name,
              (int)node->op);
    p->text->failed = true;
}

static void indent(struct c_like_printer *p, const struct ir_node *node)
{
    for (ir_value scope = node->scope; scope != IR_NONE; scope = p->kernel->node[scope].scope)
        text_string(p->text, "    ");
    text_string(p->text, "    ");
}

static void print_for(struct c_like_printer *p, ir_value v)
{
    text_string(p->text, "for (");
    c_like_print_type(p, &p->kernel->node[v]);
    text_append(p->text, " v%d = 0; v%d < ", (int)v, (int)v);
    c_like_print_operand(p, p->kernel->node[v].a);
    text_append(p->text, "; v%d++) {\n", (int)v);
}

static void print_if(struct c_like_printer *p, const struct ir_node *node)
{
    text_string(p->text, "if (");
    c_like_print_operand(p, node->a);
    text_string(p->text, ") {\n");
}

static void print_send(struct c_like_printer *p, const struct ir_node *node)
{
    const struct c_dialect *dialect = p->target->dialect;
    const bool pair = node->op == IR_STORE_PAIR;
    text_append(p->text, "%s(%s_%d, ", pair ? dialect->send_pair : dialect->send,
                p->kernel->buffer[node->buffer].name, node->peer);
    c_like_print_operand(p, node->b);
    text_string(p->text, ", ");
    c_like_print_operand(p, node->a);
    if (pair) {
        text_string(p->text, ", ");
        c_like_print_operand(p, node->c);
    }
    text_string(p->text, ");\n");
}

static void print_store(struct c_like_printer *p, const struct ir_node *node)
{
    const struct c_dialect *dialect = p->target->dialect;
    const struct ir_buffer *buffer = &p->kernel->buffer[node->buffer];
    const bool pair = node->op == IR_STORE_PAIR;
    if (node->peer > 0) {
        print_send(p, node);
        return;
    }
    text_string(p->text, buffer->name);
    text_string(p->text, "[");
    c_like_print_operand(p, node->b);
    text_string(p->text, "] = ");
    if (buffer->storage) c_storage_print_store(p, buffer);
    else if (pair) text_append(p->text, "%s(", dialect->pair[!p->target->single]);
    c_like_print_operand(p, node->a);
    if (pair) {
        text_string(p->text, ", ");
        c_like_print_operand(p, node->c);
    }
    text_string(p->text, pair || buffer->storage ? ");\n" : ";\n");
}

static void print_thread_anew(struct c_like_printer *p, ir_value v)
{
    const char *const *around = p->target->dialect->thread_anew;
    text_append(p->text, "int v%d; %sv%d%s;\n", (int)v, around[0], (int)v, around[1]);
}

static void print_value(struct c_like_printer *p, ir_value v)
{
    const struct ir_node *node = &p->kernel->node[v];
    if (node->op == IR_THREAD && node->integer == IR_ANEW && p->target->dialect->thread_anew[0]) {
        print_thread_anew(p, v);
        return;
    }
    text_string(p->text, "const ");
    c_like_print_type(p, node);
    text_string(p->text, " ");
    c_like_print_name(p, v);
    text_string(p->text, " = ");
    if (!c_like_print_expression(p, node)) refuse(p, node);
    text_string(p->text, ";\n");
}

static void print_statement(struct c_like_printer *p, ir_value v)
{
    const struct ir_node *node = &p->kernel->node[v];
    if (node->op == IR_REAL_CONSTANT || node->op == IR_INT_CONSTANT) return;
    if (node->lane_stride || node->offset) refuse(p, node);
    if (node->op == IR_FOR) text_append(p->text, "%s\n", p->target->dialect->rolled);
    indent(p, node->op == IR_END ? &p->kernel->node[node->a] : node);
    switch (node->op) {
    case IR_FOR:
        print_for(p, v);
        break;
    case IR_IF:
        print_if(p, node);
        break;
    case IR_END:
        text_string(p->text, "}\n");
        break;
    case IR_STORE:
    case IR_STORE_PAIR:
        print_store(p, node);
        break;
    case IR_ARRIVE:
        text_append(p->text, "%s;\n", p->target->dialect->arrive);
        break;
    case IR_WAIT:
        text_append(p->text, "%s;\n", p->target->dialect->wait);
        break;
    case IR_BARRIER:
        text_append(p->text, "%s;\n", p->target->dialect->barrier);
        break;
    default:
        print_value(p, v);
        break;
    }
}

void c_like_print(struct text *t, const struct c_like_target *target, const struct ir *kernel)
{
    struct c_like_printer p = {t, target, kernel};
    print_head(&p);
    print_shared(&p);
    print_private(&p);
    print_bases(&p);
    print_peers(&p);
    for (ir_value v = 0; v < kernel->count; v++)
        print_statement(&p, v);
    text_append(t, "}\n");
}
