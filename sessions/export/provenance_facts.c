#include "sessions/export/provenance_facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "sessions/load/session_columns.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

static void append_fact(struct provenance_facts *f, const char *name, const char *value)
{
	if (!*value)
		return;
	f->list = xrealloc(f->list, (size_t)(f->count + 1) * sizeof *f->list);
	f->list[f->count++] = (struct provenance_fact){xstrdup(name), xstrdup(value)};
}

static void append_json_value(struct buf *b, const json_t *v)
{
	char number[40];
	if (json_is_string(v))
		buf_puts(b, json_string_value(v));
	else if (json_is_number(v))
		buf_puts(b, number_format_exact(number, sizeof number, json_number_value(v)));
	else if (json_is_boolean(v))
		buf_puts(b, json_is_true(v) ? "yes" : "no");
	else if (json_is_array(v)) {
		size_t i;
		json_t *e;
		json_array_foreach(v, i, e)
		{
			buf_puts(b, i ? " " : "");
			if (!json_is_array(e) && !json_is_object(e))
				append_json_value(b, e);
		}
	}
}

/* An object as "name=value name=value"; a scalar as it is. */
static void append_object_fact(struct provenance_facts *out, const char *name, const json_t *v)
{
	struct buf b = {0};
	const char *key;
	json_t *member;
	buf_puts(&b, "");
	if (!json_is_object(v))
		append_json_value(&b, v);
	json_object_foreach((json_t *)v, key, member)
	{
		buf_printf(&b, "%s%s=", b.len ? " " : "", key);
		append_json_value(&b, member);
	}
	append_fact(out, name, b.data);
	buf_free(&b);
}

static void append_device_facts(const json_t *device, struct provenance_facts *out)
{
	if (!json_is_object(device))
		return;
	char *text = xasprintf("%s  %s %s", device_get_id(device), device_get_name(device), device_get_arch(device));
	append_fact(out, "device", text);
	free(text);
	append_object_fact(out, "versions", device_get_versions(device));
	append_object_fact(out, "constants", json_object_get(device, "constants"));
}

static void append_units_fact(const struct session_columns *c, struct provenance_facts *out)
{
	struct buf b = {0};
	buf_puts(&b, "");
	for (int i = 0; i < c->param_count; i++)
		if (*c->params[i].unit)
			buf_printf(&b, "%s=%s ", c->params[i].id, c->params[i].unit);
	for (int i = 0; i < c->metric_count; i++)
		if (*c->metrics[i].unit)
			buf_printf(&b, "%s=%s ", c->metrics[i].id, c->metrics[i].unit);
	buf_puts(&b, "sclk_mhz=MHz mclk_mhz=MHz temp_c=C power_w=W");
	for (int i = 0; i < c->counter_count; i++)
		if (*c->counters[i].unit)
			buf_printf(&b, " %s=%s", c->counters[i].id, c->counters[i].unit);
	append_fact(out, "units", b.data);
	buf_free(&b);
}

static void append_sweep_fact(const json_t *sweep, struct provenance_facts *out)
{
	const char *param = record_get_text(sweep, "param");
	if (!*param)
		return;
	struct buf b = {0};
	buf_printf(&b, "%s=", param);
	append_json_value(&b, json_object_get(sweep, "values"));
	append_fact(out, "sweep", b.data);
	buf_free(&b);
}

void provenance_facts_read(const json_t *header, struct provenance_facts *out)
{
	static const char *const facts[] = {"program", "experiment", "title", "question", "source", "time"};
	struct session_columns c;
	*out = (struct provenance_facts){0};
	columns_read(header, &c);
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		append_fact(out, facts[i], record_get_text(header, facts[i]));
	append_device_facts(header_get_device(header), out);
	append_object_fact(out, "kernel", json_object_get(header, "kernel"));
	append_object_fact(out, "params", record_get_params(header));
	const json_t *sweep = header_get_sweep(header);
	size_t i;
	json_t *v;
	append_object_fact(out, "sampling", header_get_sampling(header));
	append_sweep_fact(sweep, out);
	json_array_foreach(sweep, i, v) append_sweep_fact(v, out);
	append_units_fact(&c, out);
}

void provenance_facts_make(const struct session_output *o, struct provenance_facts *out)
{
	provenance_facts_read(o->header, out);
	if (o->extras)
		append_fact(out, "published", o->extras->sources);
}

void provenance_facts_free(struct provenance_facts *f)
{
	for (int i = 0; i < f->count; i++) {
		free(f->list[i].name);
		free(f->list[i].value);
	}
	free(f->list);
	*f = (struct provenance_facts){0};
}

const char *provenance_facts_find(const struct provenance_facts *f, const char *name)
{
	for (int i = 0; i < f->count; i++)
		if (!strcmp(f->list[i].name, name))
			return f->list[i].value;
	return "";
}
