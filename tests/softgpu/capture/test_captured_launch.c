/* The file of a captured launch: what is written is read again; anything else is refused in one line, or runs to an
 * end. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>

#include <cmocka.h>

#include "softgpu/capture/captured_launch.h"
#include "softgpu/capture/launch_replay.h"
#include "softgpu/core/state/host_fault.h"
#include "softgpu/core/launch/saved_state.h"
#include "tests/softgpu/core/device.h"

enum { WORDS = 1024 };

static struct device d;
static uint32_t *buffer; /* and its address of the GPU */
static uint64_t buffer_va;
static char *file;
static size_t file_bytes;

/* A launch of a kernel, as the driver would keep it. */
static void keep_launch(struct captured_launch *c, const char *kernel, uint32_t work_items)
{
	struct gpu_mapping mappings[64];
	const size_t count = gpu_list_mappings(d.gpu, mappings, 64);

	memset(c, 0, sizeof *c);
	strcpy(c->model, "mi25,compute_units=4");
	strcpy(c->kernel, kernel);
	c->dispatch =
		device_dispatch(&d, kernel, (const uint32_t[]){work_items, 1, 1}, (const uint16_t[]){64, 1, 1}, 0);
	c->state = gpu_save_state(d.gpu, &c->state_bytes);
	c->mappings = calloc(count, sizeof *c->mappings);
	c->pages = calloc(count, sizeof *c->pages);
	for (size_t i = 0; i < count; i++) {
		const struct gpu_mapping *m = &mappings[i];
		const uint64_t at = i << 32;
		c->mappings[c->mapping_count++] = (struct captured_mapping){m->va, m->size, m->phys, at, m->access};
		if (m->size > 1 << 24)
			continue; /* scratch, which the kernel does not use */
		struct captured_page *p = &c->pages[c->page_count++];
		*p = (struct captured_page){
			.at = at, .bytes = m->size, .before = malloc(m->size), .written = m->va == buffer_va};
		memcpy(p->before, m->host, m->size);
	}
	gpu_launch(d.gpu, &c->dispatch, &c->result);
	for (size_t i = 0; i < c->page_count; i++)
		if (c->pages[i].written)
			c->digest = capture_digest(c->digest, c->pages[i].at, buffer, c->pages[i].bytes);
}

static int open_file(void **state)
{
	static struct captured_launch c;

	(void)state;
	device_open(&d, "mi25,compute_units=4", "../capture/stores.s", ASSEMBLE);
	device_args(&d);
	buffer_va = d.next;
	buffer = push_buffer(&d, WORDS * sizeof(uint32_t), 5);
	keep_launch(&c, "store", WORDS);
	assert_int_equal(c.result.status, LAUNCH_OK);
	FILE *out = open_memstream(&file, &file_bytes);
	assert_true(captured_launch_write(&c, out));
	fclose(out);
	captured_launch_clear(&c);
	return 0;
}

static int close_file(void **state)
{
	(void)state;
	free(file);
	device_close(&d);
	return 0;
}

/* 0: refused; 1: ran, and something differed; 2: ran, and all was the same. */
static int replay_bytes(const char *data, size_t bytes, char *why, size_t size)
{
	struct captured_launch c;
	struct launch_result now;
	struct replay_memory memory;
	int same = 0;

	if (captured_launch_read(&c, (const uint8_t *)data, bytes, why, size)) {
		struct launch_replay *r = launch_replay_open(&c, c.model, why, size);
		if (r) {
			launch_replay_run(r, REPLAY_CACHES_CAPTURED, &now, &memory);
			same = 1 + launch_replay_compare(&c, &now, &memory, why, size);
			launch_replay_close(r);
		}
	}
	captured_launch_clear(&c);
	return same;
}

static void a_written_launch_runs_the_same(void **state)
{
	char why[512];

	(void)state;
	assert_int_equal(replay_bytes(file, file_bytes, why, sizeof why), 2);
}

/* Of instructions that waves have executed ahead at the fault, a profiled launch has executed none. */
static void a_fault_is_the_same_when_profiled(void **state)
{
	struct captured_launch c;
	struct launch_result now;
	struct replay_memory memory;
	char why[256];

	(void)state;
	keep_launch(&c, "load", 2 * WORDS);
	struct launch_replay *r = launch_replay_open(&c, c.model, why, sizeof why);
	assert_non_null(r);
	gpu_set_profiling(launch_replay_gpu(r), SOFTGPU_PROFILE_CYCLES);
	assert_int_equal(launch_replay_run(r, REPLAY_CACHES_CAPTURED, &now, &memory), LAUNCH_MEMORY_FAULT);
	assert_true(now.instructions < c.result.instructions);
	if (!launch_replay_compare(&c, &now, &memory, why, sizeof why))
		fail_msg("%s", why);
	c.result.cycles++;
	assert_false(launch_replay_compare(&c, &now, &memory, why, sizeof why));
	launch_replay_close(r);
	captured_launch_clear(&c);
}

static void a_cut_file_is_refused(void **state)
{
	char why[512];

	(void)state;
	for (size_t n = 0; n < file_bytes; n += 1 + n / 64) {
		*why = 0;
		assert_int_equal(replay_bytes(file, n, why, sizeof why), 0);
		assert_true(*why);
		assert_null(strchr(why, '\n'));
	}
}

/* Memory without content is protected. */
static void take_fault(int number, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;

	gpu_take_host_fault(info->si_addr, c->uc_mcontext.gregs[REG_ERR] & 2);
	signal(number, SIG_DFL);
}

/* A byte of the parts before the pages. */
static void a_changed_file_is_refused_or_ends(void **state)
{
	const struct sigaction act = {.sa_sigaction = take_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
	char why[512];
	unsigned refused = 0, ran = 0;

	(void)state;
	sigaction(SIGSEGV, &act, NULL); /* cmocka's is in place until the end of the test */
	srand(1);
	for (unsigned i = 0; i < 300; i++) {
		const size_t at = (size_t)rand() % (i % 2 ? 1500 : file_bytes);
		const char old = file[at];
		file[at] = (char)(old ^ (1 << rand() % 8));
		if (replay_bytes(file, file_bytes, why, sizeof why))
			ran++;
		else
			refused++;
		file[at] = old;
	}
	assert_true(refused > 10 && ran > 10);
}

static void memory_that_was_not_kept_ends_it(void **state)
{
	struct captured_launch c;
	struct launch_result now;
	struct replay_memory memory;
	char why[256];

	(void)state;
	assert_true(captured_launch_read(&c, (const uint8_t *)file, file_bytes, why, sizeof why));
	for (size_t i = 0; i < c.mapping_count; i++)
		if (c.dispatch.kernel_object - c.mappings[i].va < c.mappings[i].size)
			for (size_t k = 0; k < c.page_count; k++)
				if (c.pages[k].at == c.mappings[i].at)
					c.pages[k].at = UINT64_C(1) << 47; /* the kernel's descriptor and code */
	struct launch_replay *r = launch_replay_open(&c, c.model, why, sizeof why);
	if (!r)
		fail_msg("%s", why);
	assert_int_equal(launch_replay_run(r, REPLAY_CACHES_CAPTURED, &now, &memory), LAUNCH_MEMORY_FAULT);
	assert_non_null(strstr(now.message, "memory that the captured launch did not touch"));
	launch_replay_close(r);
	captured_launch_clear(&c);
}

/* The caller clears it. */
static struct captured_launch read_launch(void)
{
	struct captured_launch c;
	char why[256];

	if (!captured_launch_read(&c, (const uint8_t *)file, file_bytes, why, sizeof why))
		fail_msg("%s", why);
	return c;
}

static void a_launch_that_takes_too_long_is_refused(void **state)
{
	struct captured_launch c = read_launch();
	char why[256];

	(void)state;
	c.result.cycles = UINT64_MAX;
	assert_null(launch_replay_open(&c, c.model, why, sizeof why));
	assert_string_equal(why,
		"it took 18446744073709551615 cycles and 144 instructions; a replay may take "
		"68719476736 cycles and 34359738368 instructions");
	c.result.cycles = 1;
	c.result.instructions = REPLAY_INSTRUCTIONS_MAX + 1;
	assert_null(launch_replay_open(&c, c.model, why, sizeof why));
	captured_launch_clear(&c);
}

/* The host's address of an address of the GPU in the page that has it. */
static uint8_t *find_kept(struct captured_launch *c, uint64_t va)
{
	for (size_t i = 0; i < c->mapping_count; i++)
		for (size_t k = 0; k < c->page_count && va - c->mappings[i].va < c->mappings[i].size; k++)
			if (c->pages[k].at == c->mappings[i].at)
				return c->pages[k].before + (va - c->mappings[i].va);
	fail_msg("0x%llx is in no page", (unsigned long long)va);
	return NULL;
}

/* A file may claim so many cycles that it never gets there. */
static void an_endless_launch_ends_by_its_instructions(void **state)
{
	const uint32_t branch_to_itself = 0xbf82ffff;
	struct captured_launch c = read_launch();
	struct launch_result now;
	struct replay_memory memory;
	char why[256];
	int64_t entry;

	(void)state;
	memcpy(&entry, find_kept(&c, c.dispatch.kernel_object + 16), sizeof entry); /* kernel_code_entry_byte_offset */
	memcpy(find_kept(&c, c.dispatch.kernel_object + (uint64_t)entry), &branch_to_itself, sizeof branch_to_itself);
	c.result.cycles = REPLAY_CYCLES_MAX;
	struct launch_replay *r = launch_replay_open(&c, c.model, why, sizeof why);
	assert_non_null(r);
	assert_int_equal(launch_replay_run(r, REPLAY_CACHES_CAPTURED, &now, &memory), LAUNCH_STOPPED);
	assert_string_equal(
		now.message, "it waits for its program: it has executed 16777504 instructions, and executed 144 then");
	launch_replay_close(r);
	captured_launch_clear(&c);
}

/* Pages of zeros are a few bytes in a file. */
static void zeros_take_no_memory(void **state)
{
	const uint64_t zeros = UINT64_C(1) << 31;
	struct captured_launch c = read_launch();
	struct launch_result now;
	struct replay_memory memory;
	struct rusage before, after;
	char why[256];

	(void)state;
	c.pages = realloc(c.pages, (c.page_count + 1) * sizeof *c.pages);
	struct captured_page *last = &c.pages[c.page_count++];
	*last = (struct captured_page){.at = last[-1].at + (UINT64_C(1) << 32), .bytes = zeros};
	struct launch_replay *r = launch_replay_open(&c, c.model, why, sizeof why);
	assert_non_null(r);
	getrusage(RUSAGE_SELF, &before);
	assert_int_equal(launch_replay_run(r, REPLAY_CACHES_CAPTURED, &now, &memory), LAUNCH_OK);
	getrusage(RUSAGE_SELF, &after);
	assert_true((uint64_t)(after.ru_maxrss - before.ru_maxrss) * 1024 < zeros / 2);
	launch_replay_close(r);
	captured_launch_clear(&c);
}

static void more_pages_than_a_launch_has_are_damage(void **state)
{
	struct captured_launch c = read_launch();
	char *data, why[256];
	size_t bytes;

	(void)state;
	struct captured_page *last = &c.pages[c.page_count - 1];
	free(last->before);
	*last = (struct captured_page){.at = last->at, .bytes = CAPTURE_MEMORY_MAX};
	FILE *out = open_memstream(&data, &bytes);
	assert_true(captured_launch_write(&c, out));
	fclose(out);
	assert_int_equal(replay_bytes(data, bytes, why, sizeof why), 0);
	assert_string_equal(why, "the captured launch is damaged");
	free(data);
	captured_launch_clear(&c);
}

/* --- allocations --- */
static size_t write_allocations(const struct captured_allocation *list, size_t count, char **data)
{
	struct captured_launch c = read_launch();
	size_t bytes;

	c.allocations = calloc(count + 1, sizeof *list);
	memcpy(c.allocations, list, count * sizeof *list);
	c.allocation_count = count;
	FILE *out = open_memstream(data, &bytes);
	assert_true(captured_launch_write(&c, out));
	fclose(out);
	captured_launch_clear(&c);
	return bytes;
}

static void allocations_come_back(void **state)
{
	const struct captured_allocation list[] = {{buffer_va, 64, "hipMalloc"}, {buffer_va + 64, 3, ""}};
	struct captured_launch c;
	char *data, why[256];
	const size_t bytes = write_allocations(list, 2, &data);

	(void)state;
	assert_true(captured_launch_read(&c, (const uint8_t *)data, bytes, why, sizeof why));
	assert_int_equal(c.allocation_count, 2);
	assert_memory_equal(c.allocations, list, sizeof list);
	captured_launch_clear(&c);
	assert_int_equal(replay_bytes(data, bytes, why, sizeof why), 2);
	free(data);
}

static void wrong_allocations_are_damage(void **state)
{
	const struct captured_allocation lists[][2] = {
		{{4096, 64, "hipMalloc"}, {4096 + 63, 64, "hipMalloc"}}, /* they overlap */
		{{8192, 64, "hipMalloc"}, {4096, 64, "hipMalloc"}}, {{4096, 0, "hipMalloc"}, {8192, 64, "hipMalloc"}},
		{{4096, UINT64_MAX, "hipMalloc"}, {8192, 64, "hipMalloc"}},
		{{4096, 64, "\033[2J"}, {8192, 64, "hipMalloc"}},
		{{4096, 64, "hipMalloc_hipMalloc_hipMalloc_hipMalloc_hipMallo"}, {8192, 64, ""}}, /* has no end */
	};

	(void)state;
	for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
		char *data, why[256];
		const size_t bytes = write_allocations(lists[k], 2, &data);
		assert_int_equal(replay_bytes(data, bytes, why, sizeof why), 0);
		assert_string_equal(why, "the captured launch is damaged");
		free(data);
	}
}

/* The part has another tag, as if it did not exist. */
static void a_file_without_allocations_opens(void **state)
{
	const struct captured_allocation list[] = {{buffer_va, 64, "hipMalloc"}};
	struct captured_launch c;
	char *data, why[256];
	const size_t bytes = write_allocations(list, 1, &data);

	(void)state;
	char *part = memmem(data, bytes, "aloc", 4);
	assert_non_null(part);
	*part = 'x';
	assert_true(captured_launch_read(&c, (const uint8_t *)data, bytes, why, sizeof why));
	assert_int_equal(c.allocation_count, 0);
	captured_launch_clear(&c);
	free(data);
}

static void another_version_is_refused(void **state)
{
	char why[512];

	(void)state;
	file[16]++;
	assert_int_equal(replay_bytes(file, file_bytes, why, sizeof why), 0);
	assert_string_equal(why, "a captured launch of version 2; this program reads version 1");
	file[16]--;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_written_launch_runs_the_same),
		cmocka_unit_test(a_fault_is_the_same_when_profiled),
		cmocka_unit_test(a_cut_file_is_refused),
		cmocka_unit_test(a_changed_file_is_refused_or_ends),
		cmocka_unit_test(memory_that_was_not_kept_ends_it),
		cmocka_unit_test(a_launch_that_takes_too_long_is_refused),
		cmocka_unit_test(an_endless_launch_ends_by_its_instructions),
		cmocka_unit_test(zeros_take_no_memory),
		cmocka_unit_test(more_pages_than_a_launch_has_are_damage),
		cmocka_unit_test(allocations_come_back),
		cmocka_unit_test(wrong_allocations_are_damage),
		cmocka_unit_test(a_file_without_allocations_opens),
		cmocka_unit_test(another_version_is_refused),
	};

	return cmocka_run_group_tests(tests, open_file, close_file);
}
