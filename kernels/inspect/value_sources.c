#include "kernels/inspect/value_sources.h"

#include <string.h>

#include "softgpu/isa/register_effects.h"

static void add_value_source(struct value_sources *s, const struct isa_inst *in, struct isa_span span)
{
	struct value_source *v = &s->list[s->count++];
	v->vector = span.first >= ISA_VGPR0;
	if (v->vector)
		span.count = 1;
	v->first = span.first;
	v->count = span.count;
	isa_span_text(span, (enum isa_target)in->target, v->name, sizeof v->name);
}

/* All lanes that execute an instruction read EXEC, which says nothing about a value. */
static void add_operands_read(struct value_sources *s, const struct isa_inst *in)
{
	struct isa_effects e;
	isa_effects(in, &e);
	for (unsigned i = 0; i < e.read_count; i++)
		if (e.reads[i].first != ISA_EXEC || e.read_count == 1)
			add_value_source(s, in, e.reads[i]);
}

void value_sources_find(const struct isa_inst *in, struct value_sources *out)
{
	struct isa_span span[ISA_ADDRESS_SPANS];
	memset(out, 0, sizeof *out);
	unsigned count = isa_address_registers(in, span);
	for (unsigned i = 0; i < count; i++)
		add_value_source(out, in, span[i]);
	if (!count)
		add_operands_read(out, in);
}

bool value_source_is_written(const struct isa_inst *in, const struct value_source *s)
{
	struct isa_effects e;
	isa_effects(in, &e);
	for (unsigned i = 0; i < e.write_count; i++)
		if (e.writes[i].first < s->first + s->count && s->first < e.writes[i].first + e.writes[i].count)
			return true;
	return false;
}
