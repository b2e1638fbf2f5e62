/* Finds models and constants by name and parses device names such as "mi25,l1_bytes=65536". */
#include "softgpu/core/model_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/ideal_parts.h"
#include "softgpu/core/model_constants.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

#define MODEL(name) extern const struct gpu_model gpu_model_##name;
#include "softgpu/models/models.def"
#undef MODEL

static const struct gpu_model *const models[] = {
#define MODEL(name) &gpu_model_##name,
#include "softgpu/models/models.def"
#undef MODEL
};

const struct gpu_model *model_at(size_t i)
{
	return i < COUNT_OF(models) ? models[i] : NULL;
}

/* The model that gives the defaults of a family. */
static const struct gpu_model *first_model_of(const struct gpu_family *f)
{
	size_t i = 0;

	while (models[i]->target->family != f)
		i++;
	return models[i];
}

uint32_t model_cus_per_processor(const struct model *m)
{
	return m->gpu->target->family->cus_per_processor;
}

uint32_t model_wave_lanes(const struct model *m, uint16_t properties)
{
	enum { WAVEFRONT_SIZE32 = 10 };

	return m->gpu->target->family->wave_lanes == 32 && properties >> WAVEFRONT_SIZE32 & 1 ? 32 : 64;
}

/* --- names --- */
/* Edit distance. Cuts `b` at 63 characters, more than any name has. */
static unsigned name_distance(const char *a, const char *b)
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

static const struct constant_row *find_constant(const struct gpu_family *f, const char *name)
{
	size_t count;
	const struct constant_row *rows = family_constants(f, &count);

	for (size_t k = 0; k < count; k++)
		if (!strcmp(rows[k].name, name))
			return &rows[k];
	return NULL;
}

/* NULL if more than a third of the letters differ. */
static const struct constant_row *find_similar_constant(const struct gpu_family *f, const char *name)
{
	size_t count;
	const struct constant_row *rows = family_constants(f, &count), *best = rows;

	for (size_t k = 1; k < count; k++)
		if (name_distance(name, rows[k].name) < name_distance(name, best->name))
			best = &rows[k];
	return 3 * name_distance(name, best->name) <= strlen(best->name) ? best : NULL;
}

/* NULL if more than half of the letters differ. */
static const char *find_similar_model(const char *name)
{
	const char *best = models[0]->name;

	for (size_t k = 1; k < COUNT_OF(models); k++)
		if (name_distance(name, models[k]->name) < name_distance(name, best))
			best = models[k]->name;
	return 2 * name_distance(name, best) <= strlen(best) ? best : NULL;
}

static void explain_unknown_model(const char *name, char *why, size_t size)
{
	const char *near = find_similar_model(name);
	int n = snprintf(why, size, "unknown model '%.40s'; %s%s%s", name, near ? "did you mean '" : "",
		near ? near : "", near ? "'? Models: " : "models: ");

	for (size_t k = 0; k < COUNT_OF(models) && n > 0 && (size_t)n < size; k++)
		n += snprintf(why + n, size - n, "%s%s", k ? ", " : "", models[k]->name);
}

/* --- consistency --- */
static bool is_pow2(int64_t v)
{
	return v > 0 && !(v & (v - 1));
}

/* Whether a cache of this shape, with lines of 64 bytes, has a power of two of sets. */
static bool has_whole_sets(int64_t bytes, int64_t ways, int64_t parts)
{
	int64_t sets = bytes / (64 * ways * parts);

	return sets * 64 * ways * parts == bytes && is_pow2(sets);
}

/* The name of a constant in the model's family. */
static const char *name_of_constant(const struct model *m, enum constant_id id)
{
	size_t count;
	const struct constant_row *rows = family_constants(m->gpu->target->family, &count);

	for (size_t k = 0; k < count; k++)
		if (rows[k].id == id)
			return rows[k].name;
	return "";
}

static bool check_caches(const struct model *m, char *why, size_t size)
{
	const struct {
		enum constant_id bytes, ways;
		const char *parts; /* other factors of the number of sets */
		bool ok;
	} caches[] = {
		{CONSTANT_l1_bytes, CONSTANT_l1_ways, m->l0_line_bytes ? "l0_line_bytes" : "64",
			has_whole_sets(m->l1_bytes / (m->l0_line_bytes ? m->l0_line_bytes / 64 : 1), m->l1_ways, 1)},
		{CONSTANT_l2_bytes, CONSTANT_l2_ways, "l2_line_bytes * l2_channels",
			has_whole_sets(m->l2_bytes / (m->l2_line_bytes / 64), m->l2_ways, m->l2_channels)},
		{CONSTANT_gl1_bytes, CONSTANT_gl1_ways, "l2_line_bytes",
			!m->gl1_bytes || has_whole_sets(m->gl1_bytes / (m->l2_line_bytes / 64), m->gl1_ways, 1)},
		{CONSTANT_l3_bytes, CONSTANT_l3_ways, "l2_line_bytes * l2_channels",
			!m->l3_bytes ||
				has_whole_sets(m->l3_bytes / (m->l2_line_bytes / 64), m->l3_ways, m->l2_channels)},
		{CONSTANT_scalar_bytes, CONSTANT_scalar_ways, "64", has_whole_sets(m->scalar_bytes, m->scalar_ways, 1)},
		{CONSTANT_icache_bytes, CONSTANT_icache_ways, "64", has_whole_sets(m->icache_bytes, m->icache_ways, 1)},
	};

	for (unsigned k = 0; k < COUNT_OF(caches); k++)
		if (!caches[k].ok) {
			snprintf(why, size, "the number of cache sets, %s / (%s * %s), must be a power of two",
				name_of_constant(m, caches[k].bytes), caches[k].parts,
				name_of_constant(m, caches[k].ways));
			return false;
		}
	return true;
}

static bool check_powers_of_two(const struct model *m, char *why, size_t size)
{
	const struct {
		const char *name;
		int64_t value;
	} list[] = {{"l2_interleave_bytes", m->l2_interleave_bytes}, {"l2_line_bytes", m->l2_line_bytes},
		{"lds_banks", m->lds_banks}, {"fetch_bytes", m->fetch_bytes}, {"dram_row_bytes", m->dram_row_bytes},
		{"dram_banks", m->dram_banks}, {"tlb_entries", m->l3_bytes ? m->tlb_entries : 1}};

	for (unsigned k = 0; k < COUNT_OF(list); k++)
		if (!is_pow2(list[k].value)) {
			snprintf(why, size, "%s must be a power of two, not %lld", list[k].name,
				(long long)list[k].value);
			return false;
		}
	return true;
}

static bool check_shader_array(const struct model *m, char *why, size_t size)
{
	const uint32_t arrays = m->gpu->target->family->arrays_per_engine, together = model_cus_per_processor(m);

	if (m->compute_units % (m->shader_engines * arrays * together)) {
		if (arrays * together == 1)
			snprintf(why, size, "compute_units (%lld) must be a multiple of shader_engines (%lld)",
				(long long)m->compute_units, (long long)m->shader_engines);
		else
			snprintf(why, size,
				"compute_units (%lld) must be a multiple of shader_engines * %u: %u arrays of pairs of CUs",
				(long long)m->compute_units, arrays * together, arrays);
		return false;
	}
	if (m->compute_units / m->shader_engines > MODEL_CUS_PER_ENGINE) {
		snprintf(why, size, "a shader engine has at most %d CUs: compute_units is %lld, shader_engines %lld",
			MODEL_CUS_PER_ENGINE, (long long)m->compute_units, (long long)m->shader_engines);
		return false;
	}
	return true;
}

/* A family has targets with different numbers. */
static bool check_wave_slots(const struct model *m, char *why, size_t size)
{
	const uint32_t slots = m->gpu->target->wave_slots;

	if (m->waves_per_simd <= slots)
		return true;
	snprintf(why, size, "waves_per_simd must be 1 to %u waves, not %lld; a SIMD of %s has %u wave slots", slots,
		(long long)m->waves_per_simd, m->arch, slots);
	return false;
}

/* --- parsing --- */
static bool parse_whole_number(const char *text, int64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoll(text, &end, 0);
	return end != text && !*end && !errno;
}

static void explain_unknown_constant(const struct model *m, const char *name, char *why, size_t size)
{
	const struct constant_row *near = find_similar_constant(m->gpu->target->family, name);

	if (near)
		snprintf(why, size, "unknown constant '%.40s'; did you mean '%s'?", name, near->name);
	else
		snprintf(why, size, "unknown constant '%.40s'; `wavedeck devices --model` lists them", name);
}

/* Applies "name=value"; modifies the text. */
static bool set_constant(struct model *m, char *text, char *why, size_t size)
{
	char *value = strchr(text, '=');
	int64_t v;

	if (!strncmp(text, "ideal=", strlen("ideal=")))
		return ideal_parts_parse(text + strlen("ideal="), &m->ideal, why, size);
	if (!value) {
		snprintf(why, size, "'%s' needs a value: NAME=NUMBER", text);
		return false;
	}
	*value++ = 0;
	const struct constant_row *row = find_constant(m->gpu->target->family, text);
	if (!row) {
		explain_unknown_constant(m, text, why, size);
		return false;
	}
	if (!parse_whole_number(value, &v)) {
		snprintf(why, size, "%s must be a whole number%s%s, not '%s'", row->name, *row->unit ? " of " : "",
			row->unit, value);
		return false;
	}
	if (v < row->low || v > row->high) {
		snprintf(why, size, "%s must be %lld to %lld%s%s, not %lld", row->name, (long long)row->low,
			(long long)row->high, *row->unit ? " " : "", row->unit, (long long)v);
		return false;
	}
	*constant_in_model(m, row) = v;
	return true;
}

/* Fills in the defaults of the model; false if the name is unknown. */
static bool load_defaults(struct model *m, const char *name)
{
	size_t i = 0;

	while (i < COUNT_OF(models) && strcmp(name, models[i]->name))
		i++;
	if (i == COUNT_OF(models))
		return false;
	m->gpu = models[i];
	snprintf(m->name, sizeof m->name, "%s", m->gpu->name);
	snprintf(m->arch, sizeof m->arch, "%s", m->gpu->target->name);
	size_t count;
	const struct constant_row *rows = family_constants(m->gpu->target->family, &count);
	for (size_t k = 0; k < count; k++) {
		const struct constant_override *o = &m->gpu->overrides[rows[k].id];
		*constant_in_model(m, &rows[k]) = o->source ? o->value : rows[k].value;
	}
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
	if (!name || !load_defaults(m, name)) {
		explain_unknown_model(name ? name : "", why, why_size);
		return false;
	}
	for (char *part; (part = strtok_r(NULL, ",", &save));)
		if (!set_constant(m, part, why, why_size))
			return false;
	return check_caches(m, why, why_size) && check_powers_of_two(m, why, why_size) &&
		check_shader_array(m, why, why_size) && check_wave_slots(m, why, why_size);
}

size_t model_constants(const struct model *m, struct model_constant *out, size_t max)
{
	const char *first = first_model_of(m->gpu->target->family)->name;
	size_t count;
	const struct constant_row *rows = family_constants(m->gpu->target->family, &count);

	for (size_t k = 0; k < count && k < max; k++) {
		const struct constant_row *row = &rows[k];
		const char *source = m->gpu->overrides[row->id].source;
		out[k] = (struct model_constant){row->name, row->unit, *constant_in_model((struct model *)m, row),
			row->low, row->high, source ? source : row->source,
			source || !strcmp(first, m->name) ? NULL : first, row->help};
	}
	return count;
}

bool model_format(const struct model *m, char *out, size_t size)
{
	struct model plain;
	size_t count, n = (size_t)snprintf(out, size, "%s", m->name);
	const struct constant_row *rows = family_constants(m->gpu->target->family, &count);

	memset(&plain, 0, sizeof plain);
	if (!load_defaults(&plain, m->name))
		return false;
	for (size_t k = 0; k < count && n < size; k++) {
		const int64_t value = *constant_in_model((struct model *)m, &rows[k]);
		if (value != *constant_in_model(&plain, &rows[k]))
			n += (size_t)snprintf(out + n, size - n, ",%s=%lld", rows[k].name, (long long)value);
	}
	if (n < size && m->ideal)
		n += ideal_parts_format(m->ideal, out + n, size - n);
	return n < size;
}
