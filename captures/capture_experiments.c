#include "captures/capture_experiments.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "captures/capture_files.h"
#include "captures/captured_constants.h"
#include "captures/lua_text.h"
#include "gpu/protocol/record.h"

enum {
	NAME_MAX_LENGTH = 44 /* of an experiment, which ends with "-10000" at most */
};

static const json_t *get_launches(const json_t *capture)
{
	return json_object_get(capture, "launches");
}

static double get_seconds(const json_t *launch)
{
	return json_number_value(json_object_get(launch, "duration"));
}

static json_int_t get_number(const json_t *launch)
{
	return json_integer_value(json_object_get(launch, "number"));
}

/* --- kernels --- */
/* "sum" of "void ns::sum<float, 4>(float*)". */
static void name_experiment(const char *name, char *out, size_t size)
{
	size_t end = strcspn(name, "<("), start = end, n = 0;
	while (start && (isalnum((unsigned char)name[start - 1]) || name[start - 1] == '_'))
		start--;
	for (size_t i = start; i < end && n + 1 < size; i++)
		out[n++] = name[i];
	out[n] = 0;
	if (!n)
		snprintf(out, size, "kernel");
}

/* Whether the id is the name, or "NAME-2". */
static bool has_name(const char *id, const char *name, size_t length)
{
	return !strncmp(id, name, length) && (!id[length] || id[length] == '-');
}

/* Names have no '-'. */
static void make_id_unique(struct captured_kernel *list, int i)
{
	size_t length = strlen(list[i].id);
	int same = 0;
	for (int k = 0; k < i; k++)
		same += has_name(list[k].id, list[i].id, length);
	if (same)
		snprintf(list[i].id + length, sizeof list[i].id - length, "-%d", same + 1);
}

const char *capture_why_not_again(const json_t *launch)
{
	const char *reason = record_get_text(launch, "reason");
	return *reason ? reason : *record_get_text(launch, "code_object") ? "" : "its code object was not found";
}

static struct captured_kernel *find_kernel(struct captured_kernel *list, int count, const json_t *launch)
{
	const char *symbol = record_get_text(launch, "kernel"), *model = record_get_text(launch, "model");
	for (int i = 0; i < count; i++)
		if (!strcmp(list[i].symbol, symbol) && !strcmp(list[i].model, model))
			return &list[i];
	return NULL;
}

/* One that can run again goes first, then the slowest. */
static void add_launch(struct captured_kernel *k, const json_t *launch)
{
	const char *reason = capture_why_not_again(launch);
	bool first = !k->launch, better = first || (*k->reason && !*reason),
	     equal = !first && !*k->reason == !*reason && get_seconds(launch) > get_seconds(k->launch);
	k->launches++;
	k->seconds += get_seconds(launch);
	if (better || equal) {
		k->launch = launch;
		k->reason = reason;
	}
}

static int compare_kernels(const void *a, const void *b)
{
	double x = get_seconds(((const struct captured_kernel *)a)->launch),
	       y = get_seconds(((const struct captured_kernel *)b)->launch);
	return (x < y) - (x > y);
}

struct captured_kernel *capture_list_kernels(const json_t *capture, int *count)
{
	const json_t *launches = get_launches(capture);
	struct captured_kernel *list = xcalloc(json_array_size(launches) + 1, sizeof *list);
	*count = 0;
	for (size_t i = 0; i < json_array_size(launches); i++) {
		const json_t *launch = json_array_get(launches, i);
		struct captured_kernel *k = find_kernel(list, *count, launch);
		if (!k) {
			k = &list[(*count)++];
			k->symbol = record_get_text(launch, "kernel");
			k->name = record_get_text(launch, "readable_name");
			k->model = record_get_text(launch, "model");
		}
		add_launch(k, launch);
	}
	qsort(list, (size_t)*count, sizeof *list, compare_kernels);
	for (int i = 0; i < *count; i++) {
		name_experiment(list[i].name, list[i].id, NAME_MAX_LENGTH + 1);
		make_id_unique(list, i);
	}
	return list;
}

/* --- a definition --- */
static void put_field(struct buf *b, const char *name, const char *text, size_t most)
{
	buf_printf(b, "  %s = ", name);
	lua_text_put(b, text, most);
	buf_puts(b, ",\n");
}

static void put_command(struct buf *b, const json_t *capture, const char *model)
{
	const json_t *words = json_object_get(capture, "command");
	struct buf text = {0};
	buf_puts(&text, "captured from");
	for (size_t i = 0; i < json_array_size(words); i++)
		buf_printf(&text, " %s", json_string_value(json_array_get(words, i)));
	buf_printf(&text, " on %s, %.10s", model, record_get_text(capture, "utc"));
	put_field(b, "source", text.data, 190);
	buf_free(&text);
}

static void put_kernel(struct buf *b, const struct captured_kernel *k)
{
	const char *source = record_get_text(k->launch, "source");
	char *code = xasprintf("code/%s", record_get_text(k->launch, "code_object"));
	buf_puts(b, "  kernel = { file = ");
	lua_text_put(b, code, 250);
	free(code);
	buf_puts(b, ", entry = ");
	lua_text_put(b, k->symbol, 1023);
	if (*source) {
		buf_puts(b, ", source = ");
		lua_text_put(b, source, 250);
	}
	buf_puts(b, " },\n");
}

static void put_shape(struct buf *b, const char *name, const json_t *launch, bool in_groups)
{
	const json_t *grid = json_object_get(launch, "grid"), *group = json_object_get(launch, "workgroup");
	buf_printf(b, "%s = {", name);
	for (size_t i = 0; i < 3; i++) {
		json_int_t items = json_integer_value(json_array_get(grid, i)),
			   size = json_integer_value(json_array_get(group, i));
		size = size > 0 ? size : 1;
		buf_printf(b, "%s %lld", i ? "," : "", (long long)(in_groups ? (items + size - 1) / size : size));
	}
	buf_puts(b, " }");
}

/* The launches of the kernel with the code and the shape of the slowest one, which the definition has once. */
static bool is_alternative(const struct captured_kernel *k, const json_t *launch)
{
	return !strcmp(record_get_text(launch, "kernel"), k->symbol) &&
		!strcmp(record_get_text(launch, "model"), k->model) && !*capture_why_not_again(launch) &&
		!strcmp(record_get_text(launch, "code_object"), record_get_text(k->launch, "code_object"));
}

/* The alternatives of a parameter, and its default. */
struct launch_choices {
	const json_t *launch[CAPTURE_CHOICES_MAX];
	char name[CAPTURE_CHOICES_MAX][CAPTURE_CHOICE_NAME];
	int count, chosen;
};

/* Its number, and "3-2" for the launch 3 of a second process. */
static void name_launch(struct launch_choices *c, int i)
{
	int same = 1;
	for (int k = 0; k < i; k++)
		same += get_number(c->launch[k]) == get_number(c->launch[i]);
	snprintf(c->name[i], sizeof c->name[i], same > 1 ? "%lld-%d" : "%lld", (long long)get_number(c->launch[i]),
		same);
}

/* The first ones, and in any case the kernel's slowest. */
static void choose_launches(struct launch_choices *c, const json_t *capture, const struct captured_kernel *k)
{
	const json_t *launches = get_launches(capture);
	c->count = c->chosen = 0;
	for (size_t i = 0; i < json_array_size(launches) && c->count < CAPTURE_CHOICES_MAX; i++)
		if (is_alternative(k, json_array_get(launches, i)))
			c->launch[c->count++] = json_array_get(launches, i);
	while (c->chosen < c->count && c->launch[c->chosen] != k->launch)
		c->chosen++;
	if (c->chosen == c->count)
		c->launch[--c->chosen] = k->launch;
	for (int i = 0; i < c->count; i++)
		name_launch(c, i);
}

bool capture_find_choice(
	const json_t *capture, const struct captured_kernel *k, const json_t *launch, char name[CAPTURE_CHOICE_NAME])
{
	struct launch_choices choices;
	int i = 0;
	choose_launches(&choices, capture, k);
	while (i < choices.count && choices.launch[i] != launch)
		i++;
	snprintf(name, CAPTURE_CHOICE_NAME, "%s", i < choices.count && choices.count > 1 ? choices.name[i] : "");
	return i < choices.count;
}

static void put_launch_param(struct buf *b, const struct launch_choices *c)
{
	buf_puts(b, "    { \"launch\", choices = {");
	for (int i = 0; i < c->count; i++)
		buf_printf(b, "%s \"%s\"", i ? "," : "", c->name[i]);
	buf_printf(b, " }, default = \"%s\", help = \"its number in the program, from 0\" },\n", c->name[c->chosen]);
}

static void put_params(struct buf *b, const struct captured_kernel *k, const struct launch_choices *c)
{
	buf_puts(b,
		"  params = {\n"
		"    { \"caches\", choices = { \"captured\", \"warm\" }, default = \"warm\", sweep = true,\n"
		"      help = \"captured: as the launch found them, unless a constant is changed; warm: after a launch of its own\" },\n");
	captured_constants_put_params(b, k->model);
	if (c->count > 1)
		put_launch_param(b, c);
	buf_puts(b, "  },\n");
}

static void put_launch_files(struct buf *b, const struct launch_choices *c)
{
	buf_puts(b, "    local files = {");
	for (int i = 0; i < c->count; i++) {
		buf_printf(b, "%s [\"%s\"] = ", i ? "," : "", c->name[i]);
		lua_text_put(b, record_get_text(c->launch[i], "file"), 250);
	}
	buf_puts(b, " }\n    return { launch = files[p.launch]");
}

static void put_captured(struct buf *b, const struct captured_kernel *k, const struct launch_choices *c)
{
	buf_puts(b, "  captured = function(p)\n    local changed = {}\n");
	captured_constants_put_changes(b, k->model);
	if (c->count > 1)
		put_launch_files(b, c);
	else
		buf_puts(b, "    return { launch = "), lua_text_put(b, record_get_text(k->launch, "file"), 250);
	buf_puts(b, ", constants = changed, caches = p.caches }\n  end,\n");
}

static const char metrics[] =
	"  counters = { \"GRBM_GUI_ACTIVE\", \"FETCH_SIZE\", \"WRITE_SIZE\", \"TCP_HIT_sum\", \"TCP_MISS_sum\", "
	"\"TCC_HIT_sum\", \"TCC_MISS_sum\", \"SQ_LDS_BANK_CONFLICT\" },\n"
	"  metrics = {\n"
	"    { \"time\", unit = \"us\", axis = \"left\", help = \"time of the launch\",\n"
	"      function(m) return m.seconds * 1e6 end },\n"
	"    { \"bandwidth\", unit = \"GB/s\", axis = \"right\", help = \"device memory that L2 reads and writes\",\n"
	"      function(m) return (m.counters.FETCH_SIZE + m.counters.WRITE_SIZE) * 1024 / m.seconds / 1e9 end },\n"
	"    { \"cycles\", unit = \"cycles\", axis = \"none\", help = \"of the core clock\",\n"
	"      function(m) return m.counters.GRBM_GUI_ACTIVE end },\n"
	"    { \"l1_hits\", unit = \"%\", axis = \"none\", help = \"lines that the L1 of a CU had\",\n"
	"      function(m) local n = m.counters.TCP_HIT_sum + m.counters.TCP_MISS_sum\n"
	"        return n > 0 and 100 * m.counters.TCP_HIT_sum / n or nil end },\n"
	"    { \"l2_hits\", unit = \"%\", axis = \"none\", help = \"requests that L2 had\",\n"
	"      function(m) local n = m.counters.TCC_HIT_sum + m.counters.TCC_MISS_sum\n"
	"        return n > 0 and 100 * m.counters.TCC_HIT_sum / n or nil end },\n"
	"    { \"bank_conflicts\", unit = \"cycles\", axis = \"none\", help = \"of LDS, over all CUs\",\n"
	"      function(m) return m.counters.SQ_LDS_BANK_CONFLICT end },\n"
	"  },\n";

static void put_definition(struct buf *b, const json_t *capture, const struct captured_kernel *k)
{
	struct launch_choices choices;
	choose_launches(&choices, capture, k);
	buf_puts(b, "return {\n");
	put_field(b, "title", k->name, 90);
	put_field(
		b, "question", "Where does the time of this launch go, and which constant of the GPU changes it?", 190);
	put_command(b, capture, k->model);
	put_kernel(b, k);
	put_params(b, k, &choices);
	put_captured(b, k, &choices);
	buf_puts(b, "  launch = { ");
	put_shape(b, "grid", k->launch, true);
	buf_puts(b, ", ");
	put_shape(b, "block", k->launch, false);
	buf_puts(b, " },\n");
	buf_puts(b, metrics);
	buf_puts(b, "}\n");
}

bool capture_write_experiments(const char *folder, const json_t *capture, struct err *e)
{
	int count;
	struct captured_kernel *list = capture_list_kernels(capture, &count);
	bool ok = true;
	for (int i = 0; ok && i < count; i++) {
		struct buf b = {0};
		char *path = xasprintf("%s/%s.lua", folder, list[i].id);
		if (!*list[i].reason) {
			put_definition(&b, capture, &list[i]);
			ok = capture_write_file(path, b.data, b.len, e);
		}
		buf_free(&b);
		free(path);
	}
	free(list);
	return ok;
}
