/* Finds the functions of softgpu/probe.h at run time and converts their results to JSON. */
#include "gpu/softgpu-link/softprobe.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "base/buf.h"

enum { COUNTERS = 256 };

static void *find_probe(const char *name)
{
	return dlsym(RTLD_DEFAULT, name);
}

bool softprobe_is_present(void)
{
	return find_probe("softgpu_version") != NULL;
}

void softprobe_select(unsigned pci_bus)
{
	softgpu_select_fn *f = (softgpu_select_fn *)find_probe("softgpu_select");
	if (f)
		f(pci_bus);
}

void softprobe_stop(void)
{
	softgpu_stop_fn *f = (softgpu_stop_fn *)find_probe("softgpu_stop");
	if (f)
		f();
}

bool softprobe_progress(struct softgpu_progress *out)
{
	softgpu_progress_fn *f = (softgpu_progress_fn *)find_probe("softgpu_progress");
	if (f)
		f(out);
	return f != NULL;
}

bool softprobe_last_launch(struct softgpu_launch *out)
{
	softgpu_last_launch_fn *f = (softgpu_last_launch_fn *)find_probe("softgpu_last_launch");
	*out = (struct softgpu_launch){.size = sizeof *out};
	return f && f(out) == 0;
}

bool softprobe_counter(const char *name, double *out)
{
	softgpu_counters_fn *f = (softgpu_counters_fn *)find_probe("softgpu_counters");
	struct softgpu_counter list[COUNTERS];
	size_t n = f ? f(list, COUNTERS) : 0;
	for (size_t i = 0; i < n && i < COUNTERS; i++)
		if (!strcmp(list[i].name, name)) {
			*out = (double)list[i].value;
			return true;
		}
	return false;
}

json_t *softprobe_counter_units(void)
{
	softgpu_counter_names_fn *f = (softgpu_counter_names_fn *)find_probe("softgpu_counter_names");
	struct softgpu_counter list[COUNTERS];
	size_t n = f ? f(list, COUNTERS) : 0;
	json_t *o = f ? json_object() : NULL;
	for (size_t i = 0; i < n && i < COUNTERS; i++)
		json_object_set_new(o, list[i].name, json_string(list[i].unit));
	return o;
}

bool softprobe_enable_profiling(unsigned what)
{
	softgpu_look_fn *f = (softgpu_look_fn *)find_probe("softgpu_look");
	if (f)
		f(what);
	return f != NULL;
}

/* "DRAM" from the counter name "CYCLES_DRAM". */
static const char *stall_reason_name(const char *name)
{
	return strncmp(name, "CYCLES_", 7) ? name : name + 7;
}

static json_t *instruction_json(const struct softgpu_instruction *i, const struct softgpu_cycles *names)
{
	json_t *stall = json_object();
	for (int c = 0; c < SOFTGPU_STALL_REASONS; c++)
		if (i->stall[c])
			json_object_set_new(
				stall, stall_reason_name(names[c].name), json_integer((json_int_t)i->stall[c]));
	return json_pack("{s:I,s:s,s:I,s:I,s:o}", "offset", (json_int_t)i->offset, "text", i->text, "count",
		(json_int_t)i->count, "issue", (json_int_t)i->issue, "stall", stall);
}

json_t *softprobe_profile(void)
{
	softgpu_account_fn *account = (softgpu_account_fn *)find_probe("softgpu_account");
	softgpu_profile_fn *profile = (softgpu_profile_fn *)find_probe("softgpu_profile");
	struct softgpu_cycles cycles[SOFTGPU_STALL_REASONS];
	if (!account || !profile || account(cycles, SOFTGPU_STALL_REASONS) != SOFTGPU_STALL_REASONS)
		return NULL;
	size_t n = profile(NULL, 0);
	struct softgpu_instruction *list = xcalloc(n + 1, sizeof *list);
	json_t *total = json_object(), *instructions = json_array();
	n = profile(list, n);
	for (int c = 0; c < SOFTGPU_STALL_REASONS; c++)
		json_object_set_new(
			total, stall_reason_name(cycles[c].name), json_integer((json_int_t)cycles[c].cycles));
	for (size_t i = 0; i < n; i++)
		json_array_append_new(instructions, instruction_json(&list[i], cycles));
	free(list);
	return json_pack("{s:o,s:o}", "account", total, "instructions", instructions);
}

/* --- spans, sets, steps --- */
void softprobe_follow_wave(const struct softgpu_follow *what)
{
	softgpu_follow_fn *f = (softgpu_follow_fn *)find_probe("softgpu_follow");
	if (f)
		f(what);
}

void softprobe_set_window(const struct softgpu_window *what)
{
	softgpu_window_fn *f = (softgpu_window_fn *)find_probe("softgpu_window");
	if (f)
		f(what);
}

const struct softgpu_trace *softprobe_trace(void)
{
	softgpu_trace_fn *f = (softgpu_trace_fn *)find_probe("softgpu_trace");
	return f ? f() : NULL;
}

uint64_t softprobe_timeline_grain(void)
{
	softgpu_grain_fn *f = (softgpu_grain_fn *)find_probe("softgpu_grain");
	return f ? f() : 0;
}

size_t softprobe_waves_by_cu(uint32_t *out, size_t max)
{
	softgpu_waves_fn *f = (softgpu_waves_fn *)find_probe("softgpu_waves");
	return f ? f(out, max) : 0;
}

size_t softprobe_timeline(struct softgpu_span *out, size_t max, uint64_t *dropped)
{
	softgpu_timeline_fn *f = (softgpu_timeline_fn *)find_probe("softgpu_timeline");
	return f ? f(out, max, dropped) : 0;
}

size_t softprobe_cache_sets(struct softgpu_set *out, size_t max)
{
	softgpu_sets_fn *f = (softgpu_sets_fn *)find_probe("softgpu_sets");
	return f ? f(out, max) : 0;
}

json_t *softprobe_stall_reasons(void)
{
	softgpu_account_fn *account = (softgpu_account_fn *)find_probe("softgpu_account");
	struct softgpu_cycles cycles[SOFTGPU_STALL_REASONS];
	if (!account || account(cycles, SOFTGPU_STALL_REASONS) != SOFTGPU_STALL_REASONS)
		return NULL;
	json_t *list = json_array();
	for (int c = 0; c < SOFTGPU_STALL_REASONS; c++)
		json_array_append_new(list, json_string(stall_reason_name(cycles[c].name)));
	return list;
}

static uint64_t instruction_cycles(const struct softgpu_instruction *i)
{
	uint64_t cycles = i->issue;
	for (unsigned k = 0; k < SOFTGPU_STALL_REASONS; k++)
		cycles += i->stall[k];
	return cycles;
}

json_t *softprobe_instructions(void)
{
	softgpu_profile_fn *profile = (softgpu_profile_fn *)find_probe("softgpu_profile");
	size_t n = profile ? profile(NULL, 0) : 0;
	struct softgpu_instruction *list = xcalloc(n + 1, sizeof *list);
	json_t *out = json_array();
	n = n ? profile(list, n) : 0;
	for (size_t i = 0; i < n; i++)
		json_array_append_new(out,
			json_pack("[I,s,I,I]", (json_int_t)list[i].offset, list[i].text, (json_int_t)list[i].count,
				(json_int_t)instruction_cycles(&list[i])));
	free(list);
	return out;
}

void softprobe_overlap_queues(bool on)
{
	softgpu_together_fn *f = (softgpu_together_fn *)find_probe("softgpu_together");
	if (f)
		f(on);
}

bool softprobe_wait(uint32_t *seen, double us)
{
	softgpu_wait_fn *f = (softgpu_wait_fn *)find_probe("softgpu_wait");
	if (f)
		*seen = f(*seen, (uint64_t)(us * 1e3));
	return f != NULL;
}

void softprobe_reset_state(void)
{
	softgpu_reset_state_fn *f = (softgpu_reset_state_fn *)find_probe("softgpu_reset_state");
	if (f)
		f();
}

bool softprobe_flush_l2(void)
{
	softgpu_flush_l2_fn *f = (softgpu_flush_l2_fn *)find_probe("softgpu_flush_l2");
	return f && !f();
}

uint64_t softprobe_bound(uint64_t va, uint64_t bytes)
{
	softgpu_bound_fn *f = (softgpu_bound_fn *)find_probe("softgpu_bound");
	return f ? f(va, bytes) : 0;
}

void softprobe_unbound(uint64_t address)
{
	softgpu_unbound_fn *f = (softgpu_unbound_fn *)find_probe("softgpu_unbound");
	if (f)
		f(address);
}

bool softprobe_take_out_of_bounds(struct softgpu_out_of_bounds *out)
{
	softgpu_take_out_of_bounds_fn *f = (softgpu_take_out_of_bounds_fn *)find_probe("softgpu_take_out_of_bounds");
	return f && f(out) == 0;
}

json_t *softprobe_constants(void)
{
	softgpu_constants_fn *f = (softgpu_constants_fn *)find_probe("softgpu_constants");
	if (!f)
		return NULL;
	size_t need = f(NULL, 0) + 1;
	char *text = xcalloc(1, need), *rest = text;
	f(text, need);
	json_t *o = json_object();
	for (char *line; (line = strsep(&rest, "\n"));) {
		char *value = strchr(line, '=');
		if (!value)
			continue;
		*value++ = 0;
		json_object_set_new(o, line, json_integer(strtoll(value, NULL, 10)));
	}
	free(text);
	return o;
}

uint64_t softprobe_memory_budget(void)
{
	struct sysinfo info;
	json_t *constants = softprobe_constants();
	uint64_t percent = (uint64_t)json_integer_value(json_object_get(constants, "host_memory_percent"));
	json_decref(constants);
	return sysinfo(&info) ? 0 : (uint64_t)info.totalram * info.mem_unit / 100 * percent;
}

bool softprobe_open_captured(const char *file, const char *constants, uint32_t *alike, struct err *e)
{
	softgpu_open_captured_fn *f = (softgpu_open_captured_fn *)find_probe("softgpu_open_captured");
	char why[300];
	*alike = SOFTGPU_OTHER_DEVICE;
	if (!f)
		return err_set(
			e, ST_REQUEST, "captured launches run on a software GPU; use a device such as soft:mi25");
	if (f(file, constants, alike, why, sizeof why))
		return err_set(e, ST_FAILED, "%s: %s", file, why);
	return true;
}

bool softprobe_run_captured(int caches, struct softgpu_replayed *out)
{
	softgpu_run_captured_fn *f = (softgpu_run_captured_fn *)find_probe("softgpu_run_captured");
	*out = (struct softgpu_replayed){.size = sizeof *out};
	return f && !f(caches, out);
}

/* --- checks --- */
bool softprobe_request_checks(const char *list, struct err *e)
{
	softgpu_request_checks_fn *f = (softgpu_request_checks_fn *)find_probe("softgpu_request_checks");
	char why[200];
	if (!f)
		return err_set(e, ST_REQUEST, "only a software GPU checks kernels; use a device such as soft:mi25");
	return !f(list, why, sizeof why) || err_set(e, ST_REQUEST, "%s", why);
}

json_t *softprobe_check_reports(void)
{
	softgpu_check_reports_fn *f = (softgpu_check_reports_fn *)find_probe("softgpu_check_reports");
	size_t length = f ? f(NULL, 0) : 0;
	char *text = xcalloc(1, length + 1);
	if (length)
		f(text, length + 1);
	json_t *found = length ? json_loads(text, 0, NULL) : NULL;
	free(text);
	return found;
}
