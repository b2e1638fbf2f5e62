/* Models and their constants by name: defaults from constants.def, changes from a device name such as
 * "mi25,l1_bytes=65536". */
#include "softgpu/core/model_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static const struct model_name models[MODEL_COUNT] = {
#define MODEL(name, arch, chip, marketing, ...) {#name, arch, marketing},
#include "softgpu/models/models.def"
#undef MODEL
};

static const struct row {
	const char *name, *unit;
	int64_t value[MODEL_COUNT], low, high;
	const char *source[MODEL_COUNT], *help;
	size_t offset;
} rows[] = {
#define CONSTANT(name, unit, mi25, mi60, mi100, low, high, source25, source60, source100, help) \
	{#name, unit, {mi25, mi60, mi100}, low, high, {source25, source60, source100}, help,    \
		offsetof(struct model, name)},
#include "softgpu/models/constants.def"
#undef CONSTANT
};

static int64_t *slot(struct model *m, const struct row *r)
{
	return (int64_t *)((char *)m + r->offset);
}

/* Edit distance, for the nearest name; longer words than the table's are cut. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[64], n = min_u64(strlen(b), COUNT_OF(row) - 1);

	for (unsigned j = 0; j <= n; j++)
		row[j] = j;
	for (unsigned i = 1; a[i - 1]; i++) {
		unsigned diagonal = row[0];
		row[0] = i;
		for (unsigned j = 1; j <= n; j++) {
			unsigned change = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			row[j] = min_u64(change, min_u64(row[j], row[j - 1]) + 1);
		}
	}
	return row[n];
}

/* NULL when nothing is near: more than a third of its letters are others. */
static const struct row *nearest(const char *name)
{
	const struct row *best = rows;

	for (size_t k = 1; k < COUNT_OF(rows); k++)
		if (distance(name, rows[k].name) < distance(name, best->name))
			best = &rows[k];
	return 3 * distance(name, best->name) <= strlen(best->name) ? best : NULL;
}

static const char *nearest_model(const char *name)
{
	const char *best = models[0].name;

	for (size_t k = 1; k < MODEL_COUNT; k++)
		if (distance(name, models[k].name) < distance(name, best))
			best = models[k].name;
	return 2 * distance(name, best) <= strlen(best) ? best : NULL;
}

static const struct row *find(const char *name)
{
	for (size_t k = 0; k < COUNT_OF(rows); k++)
		if (!strcmp(rows[k].name, name))
			return &rows[k];
	return NULL;
}

static bool power_of_two(int64_t v)
{
	return v > 0 && !(v & (v - 1));
}

/* Sets that a cache of this shape, with lines of 64 bytes, has; 0 when they do not come out as a power of two. */
static int64_t cache_sets(int64_t bytes, int64_t ways, int64_t parts)
{
	int64_t sets = bytes / (64 * ways * parts);

	return sets * 64 * ways * parts == bytes && power_of_two(sets) ? sets : 0;
}

/* What no range of a single constant can say. */
static bool consistent(const struct model *m, char *why, size_t size)
{
	static const char *const shapes[] = {"l1_bytes / (64 * l1_ways)",
		"l2_bytes / (l2_line_bytes * l2_ways * l2_channels)", "scalar_bytes / (64 * scalar_ways)",
		"icache_bytes / (64 * icache_ways)"};
	const int64_t sets[] = {cache_sets(m->l1_bytes, m->l1_ways, 1),
		cache_sets(m->l2_bytes / (m->l2_line_bytes / 64), m->l2_ways, m->l2_channels),
		cache_sets(m->scalar_bytes, m->scalar_ways, 1), cache_sets(m->icache_bytes, m->icache_ways, 1)};

	for (unsigned k = 0; k < COUNT_OF(sets); k++)
		if (!sets[k]) {
			snprintf(why, size, "%s must be a power of two: the cache would have no whole sets", shapes[k]);
			return false;
		}
	const struct {
		const char *name;
		int64_t value;
	} whole[] = {{"l2_interleave_bytes", m->l2_interleave_bytes}, {"l2_line_bytes", m->l2_line_bytes},
		{"l2_channels", m->l2_channels}, {"lds_banks", m->lds_banks}, {"fetch_bytes", m->fetch_bytes},
		{"dram_row_bytes", m->dram_row_bytes}, {"dram_banks", m->dram_banks}};
	for (unsigned k = 0; k < COUNT_OF(whole); k++)
		if (!power_of_two(whole[k].value)) {
			snprintf(why, size, "%s must be a power of two, not %lld", whole[k].name,
				(long long)whole[k].value);
			return false;
		}
	if (m->compute_units % m->shader_engines) {
		snprintf(why, size, "compute_units (%lld) must be a multiple of shader_engines (%lld)",
			(long long)m->compute_units, (long long)m->shader_engines);
		return false;
	}
	if (m->compute_units / m->shader_engines > MODEL_CUS_PER_ENGINE) {
		snprintf(why, size, "compute_units (%lld) may be at most %d to each of shader_engines (%lld)",
			(long long)m->compute_units, MODEL_CUS_PER_ENGINE, (long long)m->shader_engines);
		return false;
	}
	return true;
}

static bool number(const char *text, int64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoll(text, &end, 0);
	return end != text && !*end && !errno;
}

/* One "name=value"; the text is cut at the sign. */
static bool set(struct model *m, char *text, char *why, size_t size)
{
	char *value = strchr(text, '=');
	int64_t v;

	if (!value) {
		snprintf(why, size, "'%s' needs a value: NAME=NUMBER", text);
		return false;
	}
	*value++ = 0;
	const struct row *r = find(text);
	if (!r) {
		const struct row *near = nearest(text);
		snprintf(why, size, "the model has no constant '%.40s'%s%s%s", text, near ? "; did you mean '" : "",
			near ? near->name : "", near ? "'?" : "; `wavedeck devices --model` lists them");
		return false;
	}
	if (!number(value, &v)) {
		snprintf(why, size, "%s wants a whole number%s%s, not '%s'", r->name, *r->unit ? " of " : "", r->unit,
			value);
		return false;
	}
	if (v < r->low || v > r->high) {
		snprintf(why, size, "%s must be %lld to %lld%s%s, not %lld", r->name, (long long)r->low,
			(long long)r->high, *r->unit ? " " : "", r->unit, (long long)v);
		return false;
	}
	*slot(m, r) = v;
	return true;
}

static void no_model(const char *name, char *why, size_t size)
{
	const char *near = nearest_model(name);
	int n = snprintf(why, size, "no model '%.40s'%s%s%s There are:", name, near ? "; did you mean '" : ".",
		near ? near : "", near ? "'?" : "");

	for (size_t k = 0; k < MODEL_COUNT && n > 0 && (size_t)n < size; k++)
		n += snprintf(why + n, size - n, "%s %s", k ? "," : "", models[k].name);
}

/* The model's defaults; false when there is none of that name. */
static bool begin(struct model *m, const char *name)
{
	size_t id = 0;

	while (id < MODEL_COUNT && strcmp(name, models[id].name))
		id++;
	if (id == MODEL_COUNT)
		return false;
	m->id = id;
	snprintf(m->name, sizeof m->name, "%s", models[id].name);
	snprintf(m->arch, sizeof m->arch, "%s", models[id].arch);
	for (size_t k = 0; k < COUNT_OF(rows); k++)
		*slot(m, &rows[k]) = rows[k].value[id];
	return true;
}

bool model_parse(struct model *m, const char *text, char *why, size_t why_size)
{
	char copy[1024], *save = NULL;

	if (strlen(text) >= sizeof copy) {
		snprintf(why, why_size, "the device name is longer than %zu characters", sizeof copy - 1);
		return false;
	}
	strcpy(copy, text);
	memset(m, 0, sizeof *m);
	const char *name = strtok_r(copy, ",", &save);
	if (!name || !begin(m, name)) {
		no_model(name ? name : "", why, why_size);
		return false;
	}
	for (char *part; (part = strtok_r(NULL, ",", &save));)
		if (!set(m, part, why, why_size))
			return false;
	return consistent(m, why, why_size);
}

struct model_name model_name(enum model_id id)
{
	return models[id];
}

size_t model_constants(const struct model *m, struct model_constant *out, size_t max)
{
	for (size_t k = 0; k < COUNT_OF(rows) && k < max; k++) {
		const struct row *r = &rows[k];
		const char *source = *r->source[m->id] ? r->source[m->id] : r->source[MODEL_mi25];
		out[k] = (struct model_constant){r->name, r->unit, *slot((struct model *)m, r), r->low, r->high, source,
			source != r->source[m->id], r->help};
	}
	return COUNT_OF(rows);
}
