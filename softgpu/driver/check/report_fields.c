#include "softgpu/driver/check/report_fields.h"

#include "softgpu/driver/check/allocations.h"
#include "softgpu/driver/check/device_variables.h"
#include "softgpu/driver/check/host_stack.h"
#include "softgpu/driver/interpose/strbuf.h"
#include "softgpu/driver/probe/bounded_buffers.h"

static const char *const kind_names[] = {
#define CHECK_KIND(id, check, name, text) name,
#include "softgpu/check_kinds.def"
#undef CHECK_KIND
};
static const char *const space_names[] = {"global", "lds", "scratch", "arguments"};

void report_append_string(struct strbuf *t, const char *name, const char *text)
{
	strbuf_printf(t, ",\"%s\":\"", name);
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == '"' || *text == '\\')
			strbuf_printf(t, "\\u%04x", (unsigned char)*text);
		else
			strbuf_append(t, text, 1);
	strbuf_append(t, "\"", 1);
}

/* Addresses are signed: readers of JSON have no larger integers, and a wild pointer may be any number. */
static void append_side(struct strbuf *t, const char *name, const struct check_side *s)
{
	static const char *const accesses[] = {"", "read", "write", "atomic"};

	strbuf_printf(t,
		",\"%s\":{\"offset\":%lld,\"address\":%lld,\"bytes\":%u,\"access\":\"%s\",\"group\":[%u,%u,%u],"
		"\"item\":[%u,%u,%u],\"wave\":%u,\"lane\":%u",
		name, (long long)s->offset, (long long)s->address, s->bytes, accesses[s->access & 3], s->group[0],
		s->group[1], s->group[2], s->item[0], s->item[1], s->item[2], s->wave, s->lane);
	if (s->launch_wave != CHECK_WAVE_UNKNOWN)
		strbuf_printf(t, ",\"launch_wave\":%u", s->launch_wave);
	strbuf_printf(t, ",\"cycle\":%llu}", (unsigned long long)s->cycle);
}

/* "name":[{"module":"/tmp/app","offset":4711,"symbol":"main"}] */
static void append_stack(struct strbuf *t, const char *name, uint32_t stack)
{
	const struct host_frame *frames;
	const size_t count = host_stack_frames(stack, &frames);

	strbuf_printf(t, ",\"%s\":[", name);
	for (size_t k = 0; k < count; k++) {
		strbuf_printf(t, "%s{\"offset\":%llu", k ? "," : "", (unsigned long long)frames[k].offset);
		report_append_string(t, "module", frames[k].module);
		report_append_string(t, "symbol", frames[k].symbol ? frames[k].symbol : "");
		strbuf_append(t, "}", 1);
	}
	strbuf_append(t, "]", 1);
}

static void append_variable(struct strbuf *t, uint32_t number, const struct device_variable *v)
{
	strbuf_printf(t, ",\"allocation\":{\"number\":%u,\"address\":%llu,\"bytes\":%llu,\"how\":\"\"", number,
		(unsigned long long)v->address, (unsigned long long)v->bytes);
	report_append_string(t, "variable", v->symbol);
	strbuf_append(t, "}", 1);
}

static void append_allocation(struct strbuf *t, uint32_t number)
{
	struct device_variable v;
	struct allocation a;

	if (device_variables_get(number, &v))
		append_variable(t, number, &v);
	if (!allocations_get(number, &a))
		return;
	strbuf_printf(t, ",\"allocation\":{\"number\":%u,\"address\":%llu,\"bytes\":%llu", number,
		(unsigned long long)a.address, (unsigned long long)a.bytes);
	report_append_string(t, "how", a.how);
	append_stack(t, "allocated", a.allocated_by);
	if (a.freed)
		append_stack(t, "freed", a.freed_by);
	strbuf_append(t, "}", 1);
}

static void append_sizes(struct strbuf *t, const struct dispatch *d)
{
	strbuf_printf(t, ",\"grid\":[%u,%u,%u],\"workgroup\":[%u,%u,%u]", d->grid[0], d->grid[1], d->grid[2],
		d->workgroup[0], d->workgroup[1], d->workgroup[2]);
}

/* Where the memory begins that the access belongs to, and its bytes. */
static void append_room(struct strbuf *t, const struct check_report *f)
{
	struct allocation a = {.address = f->start, .bytes = f->room};
	struct device_variable v;

	if (device_variables_get(f->allocation, &v))
		a = (struct allocation){.address = v.address, .bytes = v.bytes};
	else if (!allocations_get(f->allocation, &a))
		bounded_buffers_get(f->allocation, &a.address, &a.bytes);
	strbuf_printf(t, ",\"space\":\"%s\",\"start\":%llu,\"room\":%llu", space_names[f->space],
		(unsigned long long)a.address, (unsigned long long)a.bytes);
	append_allocation(t, f->allocation);
}

void report_append_fields(struct strbuf *t, const char *kernel, const struct dispatch *d, const struct check_report *f)
{
	strbuf_printf(t, "\"kind\":\"%s\",\"count\":%llu", kind_names[f->kind], (unsigned long long)f->count);
	report_append_string(t, "kernel", kernel);
	append_sizes(t, d);
	append_room(t, f);
	append_side(t, "at", &f->at);
	if (f->has_other)
		append_side(t, "other", &f->other);
	if (f->read_by)
		append_stack(t, "read", f->read_by);
}

void report_append_leak(struct strbuf *t, uint32_t allocation, uint64_t count, uint64_t bytes)
{
	const struct check_side none = {0};

	strbuf_printf(t,
		"\"kind\":\"%s\",\"launch\":0,\"count\":%llu,\"kernel\":\"\",\"code\":\"\","
		"\"space\":\"global\",\"start\":0,\"room\":%llu",
		kind_names[CHECK_KIND_LEAK], (unsigned long long)count, (unsigned long long)bytes);
	append_allocation(t, allocation);
	append_side(t, "at", &none);
}
