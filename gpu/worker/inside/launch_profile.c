/* Requests and collects what a job asks to record inside a launch: waves, cache sets, steps of a wave. */
#include "gpu/worker/inside/launch_profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static uint64_t read_natural(const json_t *o, const char *key, uint64_t fallback)
{
	const json_t *v = json_object_get(o, key);
	return json_is_integer(v) && json_integer_value(v) >= 0 ? (uint64_t)json_integer_value(v) : fallback;
}

/* --- before the launch --- */
/* Buffers have other addresses in each launch. */
static uint64_t watched_address(const json_t *want, const struct buffers *b)
{
	const char *name = json_string_value(json_object_get(want, "buffer"));
	for (int i = 0; name && i < b->job->buffer_count; i++)
		if (!strcmp(b->job->buffers[i].name, name))
			return (uintptr_t)b->in_kernel[i] + read_natural(want, "offset", 0);
	return read_natural(want, "at", 0);
}

static void watch_memory(const json_t *want, const struct buffers *b, struct softgpu_follow *f)
{
	f->watched = watched_address(want, b);
	if (want)
		f->watch = json_is_true(json_object_get(want, "lds")) ? SOFTGPU_WATCH_LDS : SOFTGPU_WATCH_MEMORY;
}

static void follow_wave(const json_t *want, const struct buffers *b)
{
	struct softgpu_follow f = {.size = sizeof f, .offset = -1};
	f.wave = (uint32_t)read_natural(want, "wave", 0);
	f.nth = read_natural(want, "nth", 0);
	f.from = read_natural(want, "from", 0);
	f.cycle = read_natural(want, "cycle", 0);
	f.steps = (uint32_t)read_natural(want, "steps", 1);
	f.steps = f.steps < PROFILE_STEPS_MAX ? f.steps : PROFILE_STEPS_MAX;
	if (json_is_integer(json_object_get(want, "offset")))
		f.offset = json_integer_value(json_object_get(want, "offset"));
	watch_memory(json_object_get(want, "memory"), b, &f);
	softprobe_follow_wave(want ? &f : NULL);
}

static uint64_t window_end(const json_t *want)
{
	uint64_t to = read_natural(want, "to", 0);
	return to ? to : UINT64_MAX;
}

static void set_timeline_window(const json_t *want)
{
	struct softgpu_window w = {sizeof w, (uint32_t)read_natural(want, "cu", SOFTGPU_EVERY_CU),
		read_natural(want, "from", 0), window_end(want)};
	softprobe_set_window(want ? &w : NULL);
}

unsigned launch_profile_begin(const json_t *inside, const struct buffers *b)
{
	const json_t *waves = json_object_get(inside, "waves"), *trace = json_object_get(inside, "trace");
	set_timeline_window(waves);
	follow_wave(trace, b);
	if (!json_is_object(inside))
		return 0;
	return SOFTGPU_PROFILE_CYCLES | (waves ? SOFTGPU_PROFILE_WAVES : 0) |
		(json_object_get(inside, "sets") ? SOFTGPU_PROFILE_SETS : 0);
}

void launch_profile_end(void)
{
	softprobe_set_window(NULL);
	softprobe_follow_wave(NULL);
}

/* --- after the launch --- */
static json_t *waves_by_cu(void)
{
	uint32_t by_cu[1024];
	json_t *list = json_array();
	size_t n = softprobe_waves_by_cu(by_cu, 1024);
	for (size_t k = 0; k < n && k < 1024; k++)
		json_array_append_new(list, json_integer(by_cu[k]));
	return list;
}

static json_t *waves_json(const json_t *want, uint64_t cycles)
{
	uint64_t dropped = 0, grain = 0, from = read_natural(want, "from", 0), to = window_end(want);
	size_t n = softprobe_timeline(NULL, 0, &dropped);
	struct softgpu_span *s = xcalloc(n + 1, sizeof *s);
	n = softprobe_timeline(s, n, &dropped);
	to = to < cycles ? to : cycles;
	uint64_t most = read_natural(want, "most", PROFILE_SPANS_DEFAULT);
	json_t *spans =
		launch_profile_spans(s, n, most < PROFILE_SPANS_MAX ? most : PROFILE_SPANS_MAX, from, to, &grain);
	free(s);
	grain = grain > softprobe_timeline_grain() ? grain : softprobe_timeline_grain();
	json_t *o = json_pack("{s:I,s:I,s:I,s:I,s:o,s:o}", "from", (json_int_t)from, "to", (json_int_t)to, "grain",
		(json_int_t)grain, "dropped", (json_int_t)dropped, "by_cu", waves_by_cu(), "spans", spans);
	json_object_set(o, "cu", json_object_get(want, "cu"));
	return o;
}

static void add_to(struct softgpu_set *sum, const struct softgpu_set *s)
{
	sum->hits += s->hits;
	sum->misses += s->misses;
	sum->evictions += s->evictions;
}

static json_t *cache_total(const struct softgpu_set *s)
{
	return json_pack("{s:s,s:i,s:I,s:I,s:I}", "cache", s->cache, "instance", (int)s->instance, "hits",
		(json_int_t)s->hits, "misses", (json_int_t)s->misses, "evictions", (json_int_t)s->evictions);
}

/* The sets are ordered by cache and by instance. */
static json_t *cache_totals(const struct softgpu_set *s, size_t n)
{
	json_t *list = json_array();
	for (size_t k = 0; k < n;) {
		struct softgpu_set sum = {.cache = s[k].cache, .instance = s[k].instance};
		for (; k < n && !strcmp(s[k].cache, sum.cache) && s[k].instance == sum.instance; k++)
			add_to(&sum, &s[k]);
		json_array_append_new(list, cache_total(&sum));
	}
	return list;
}

static json_t *set_rows(const json_t *want, const struct softgpu_set *s, size_t n, bool *cut)
{
	const char *cache = json_string_value(json_object_get(want, "cache"));
	uint64_t instance = read_natural(want, "instance", UINT64_MAX);
	json_t *list = json_array();
	*cut = false;
	for (size_t k = 0; k < n; k++) {
		if (!cache || strcmp(s[k].cache, cache) || (instance != UINT64_MAX && s[k].instance != instance))
			continue;
		*cut = json_array_size(list) >= PROFILE_SETS_MAX;
		if (*cut)
			break;
		json_array_append_new(list,
			json_pack("[i,i,I,I,I]", (int)s[k].instance, (int)s[k].set, (json_int_t)s[k].hits,
				(json_int_t)s[k].misses, (json_int_t)s[k].evictions));
	}
	return list;
}

static json_t *cache_sets_json(const json_t *want)
{
	size_t n = softprobe_cache_sets(NULL, 0);
	struct softgpu_set *s = xcalloc(n + 1, sizeof *s);
	bool cut;
	n = softprobe_cache_sets(s, n);
	json_t *list = set_rows(want, s, n, &cut),
	       *o = json_pack("{s:o,s:b,s:o}", "totals", cache_totals(s, n), "cut", cut, "sets", list);
	json_object_set(o, "cache", json_object_get(want, "cache"));
	free(s);
	return o;
}

static json_t *buffer_addresses(const struct buffers *b)
{
	json_t *list = json_array();
	for (int i = 0; i < b->job->buffer_count; i++)
		json_array_append_new(list,
			json_pack("[s,I,I]", b->job->buffers[i].name, (json_int_t)(uintptr_t)b->in_kernel[i],
				(json_int_t)b->job->buffers[i].bytes));
	return list;
}

json_t *launch_profile_record(const json_t *inside, uint64_t cycles, const struct buffers *b)
{
	json_t *causes = softprobe_stall_reasons();
	const json_t *want;
	if (!json_is_object(inside) || !causes) {
		json_decref(causes);
		return NULL;
	}
	json_t *o = json_pack("{s:I,s:o,s:o,s:o}", "cycles", (json_int_t)cycles, "causes", causes, "instructions",
		softprobe_instructions(), "buffers", buffer_addresses(b));
	if ((want = json_object_get(inside, "waves")))
		json_object_set_new(o, "waves", waves_json(want, cycles));
	if ((want = json_object_get(inside, "sets")))
		json_object_set_new(o, "sets", cache_sets_json(want));
	if (json_object_get(inside, "trace"))
		json_object_set_new(
			o, "trace", softprobe_trace() ? launch_profile_trace(softprobe_trace(), causes) : json_null());
	return o;
}
