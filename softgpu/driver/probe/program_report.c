#include "softgpu/driver/probe/program_report.h"
#include "softgpu/driver/check/launch_checks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "softgpu/core/softgpu.h"
#include "softgpu/driver/interpose/strbuf.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/probe/kernel_name.h"
#include "softgpu/driver/probe/kernel_table.h"
#include "softgpu/driver/probe/launch_progress.h"
#include "softgpu/driver/probe/program_journal.h"
#include "softgpu/driver/probe/program_timeline.h"
#include "softgpu/driver/probe/statistics.h"
#include "softgpu/driver/queues/launch_slots.h"
#include "softgpu/probe.h"

#define NAME_WIDTH 48

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool printed;

bool program_report_has_profile(void)
{
	static int wanted = -1;

	if (wanted < 0) {
		const char *text = getenv("SOFTGPU_PROFILE");
		wanted = text && atoi(text) > 0;
	}
	return wanted > 0;
}

bool program_report_is_on(void)
{
	return program_report_has_profile() || program_timeline_is_on() || statistics_are_on() ||
		kernel_table_has_file();
}

/* --- collecting --- */
static void read_stalls(struct gpu *gpu, struct kernel_sums *out)
{
	struct softgpu_cycles parts[KERNEL_VALUES];
	size_t n = gpu_read_breakdown(gpu, parts, KERNEL_VALUES);

	for (size_t i = 0; i < n && i < KERNEL_VALUES; i++)
		out->stalls[i] = (struct kernel_value){parts[i].name, parts[i].cycles};
}

static void read_counters(struct gpu *gpu, struct kernel_sums *out)
{
	struct gpu_counter list[KERNEL_VALUES];
	size_t n = gpu_read_counters(gpu, list, KERNEL_VALUES), used = 0;

	for (size_t i = 0; i < n && i < KERNEL_VALUES; i++)
		if (strncmp(list[i].name, "CYCLES_", 7))
			out->counters[used++] = (struct kernel_value){list[i].name, list[i].value};
}

void program_report_add_launch(struct gpu *gpu, uint32_t queue, const struct active_launch *r)
{
	const struct launch_result *l = &r->result;
	struct kernel_sums launch = {.launches = 1,
		.ps = l->ps,
		.cycles = l->cycles,
		.waves = l->added_waves,
		.instructions = l->added_instructions,
		.host_ns = r->host_ns};

	if (!program_report_is_on())
		return;
	/* The runtime's own kernels have no symbols; their addresses differ in every run. */
	snprintf(launch.name, sizeof launch.name, "%s", strncmp(r->kernel, "0x", 2) ? r->kernel : NAMELESS_KERNEL);
	if (program_report_has_profile())
		read_stalls(gpu, &launch);
	if (program_report_has_profile() || kernel_table_has_file())
		read_counters(gpu, &launch);
	pthread_mutex_lock(&lock);
	kernel_table_add(&launch);
	pthread_mutex_unlock(&lock);
	program_timeline_add_kernel(r->device->index, queue, r);
}

/* --- texts --- */
static void append_name(struct strbuf *t, const char *symbol)
{
	char name[NAME_WIDTH + 1];

	strbuf_printf(t, "%-*s", NAME_WIDTH, kernel_name_text(name, sizeof name, symbol));
}

/* Three digits, without floating point, whose text depends on the program's locale. */
static void append_time(struct strbuf *t, uint64_t ps)
{
	static const struct {
		uint64_t ps;
		const char *name;
	} units[] = {{1000000000000, "s"}, {1000000000, "ms"}, {1000000, "us"}, {1000, "ns"}};
	unsigned u = 0;
	char text[32];

	while (u < 3 && ps < units[u].ps)
		u++;
	uint64_t whole = ps / units[u].ps, rest = ps % units[u].ps;
	if (whole >= 100)
		snprintf(text, sizeof text, "%lu %s", (unsigned long)whole, units[u].name);
	else if (whole >= 10)
		snprintf(text, sizeof text, "%lu.%lu %s", (unsigned long)whole,
			(unsigned long)(rest / (units[u].ps / 10)), units[u].name);
	else
		snprintf(text, sizeof text, "%lu.%02lu %s", (unsigned long)whole,
			(unsigned long)(rest / (units[u].ps / 100)), units[u].name);
	strbuf_printf(t, "%10s", text);
}

static void append_count(struct strbuf *t, uint64_t count)
{
	char text[32];

	strbuf_printf(t, "%10s", progress_count_text(text, sizeof text, count));
}

static void append_row(struct strbuf *t, const struct kernel_sums *k)
{
	append_name(t, k->name);
	append_count(t, k->launches);
	append_time(t, k->ps);
	append_count(t, k->instructions);
	append_time(t, k->host_ns * 1000);
	strbuf_append(t, "\n", 1);
}

static void append_table_head(struct strbuf *t)
{
	strbuf_printf(t, "%-*s%10s%10s%10s%10s\n", NAME_WIDTH, "kernel", "launches", "GPU", "wave inst", "simulated");
}

/* Parts of at least 1 %, the largest first. */
static void append_stalls(struct strbuf *t, const struct kernel_sums *k)
{
	bool shown[KERNEL_VALUES] = {0};

	strbuf_printf(t, "  cycles %lu:", (unsigned long)k->cycles);
	for (;;) {
		int best = -1;
		for (int i = 0; i < KERNEL_VALUES && k->stalls[i].name; i++)
			if (!shown[i] && k->stalls[i].value * 100 >= k->cycles &&
				(best < 0 || k->stalls[i].value > k->stalls[best].value))
				best = i;
		if (best < 0 || !k->cycles)
			break;
		shown[best] = true;
		strbuf_printf(t, "  %s %lu %%", k->stalls[best].name + strlen("CYCLES_"),
			(unsigned long)((k->stalls[best].value * 100 + k->cycles / 2) / k->cycles));
	}
	strbuf_append(t, "\n", 1);
}

static void append_counters(struct strbuf *t, const struct kernel_sums *k)
{
	enum { IN_LINE = 3 };
	unsigned printed_values = 0;

	for (unsigned i = 0; i < KERNEL_VALUES && k->counters[i].name; i++) {
		if (!k->counters[i].value)
			continue;
		strbuf_printf(t, "%s%-20s %14lu", printed_values % IN_LINE ? "   " : "  ", k->counters[i].name,
			(unsigned long)k->counters[i].value);
		if (++printed_values % IN_LINE == 0)
			strbuf_append(t, "\n", 1);
	}
	if (printed_values % IN_LINE)
		strbuf_append(t, "\n", 1);
}

static void append_table(struct strbuf *t, bool profile)
{
	struct kernel_sums all;
	const struct kernel_sums *k;

	append_table_head(t);
	for (size_t i = 0; (k = kernel_table_at(i)); i++) {
		append_row(t, k);
		if (!profile)
			continue;
		append_stalls(t, k);
		append_counters(t, k);
	}
	kernel_table_sum(&all);
	snprintf(all.name, sizeof all.name, "all");
	append_row(t, &all);
	if (profile)
		strbuf_printf(t, "the code, waves and stall reasons of each kernel: wavedeck PROGRAM ARGUMENTS\n");
}

/* Not through stdio, whose buffers belong to the program. */
static void write_text(const char *text, size_t length)
{
	while (length) {
		ssize_t n = write(STDERR_FILENO, text, length);
		if (n <= 0)
			return;
		text += n;
		length -= (size_t)n;
	}
}

void program_report_print(void)
{
	struct strbuf text = {0};

	if (!program_report_is_on() || atomic_exchange(&printed, true))
		return;
	pthread_mutex_lock(&lock);
	if (kernel_table_has_file())
		kernel_table_write();
	else if (kernel_table_at(0)) {
		statistics_print();
		if (statistics_are_on() || program_report_has_profile())
			append_table(&text, program_report_has_profile());
	}
	if (text.data)
		write_text(text.data, text.length);
	strbuf_free(&text);
	pthread_mutex_unlock(&lock);
	program_timeline_write();
}

void program_report_reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	printed = false;
	kernel_table_clear();
	program_timeline_reset_in_child();
	program_journal_reset_in_child();
	launch_checks_reset_in_child();
}
