/* A small definition with a kernel file in its own folder, and changed copies of it. */
#ifndef TESTS_EXPERIMENTS_ENGINE_FIXTURE_H
#define TESTS_EXPERIMENTS_ENGINE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "experiments/definition/experiment.h"
#include "tests/scratch.h"

static char fixture_folder[SCRATCH_PATH];

static const char fixture_text[] =
	"local function reads(p) return p.size // p.stride // 4 end\n" /* 1 */
	"return {\n"
	"  title    = \"Stride\",\n" /* 3 */
	"  question = \"How long?\",\n"
	"  source   = \"a document\",\n"
	"  kernel   = { file = \"chase.hip\", entry = \"chase\" },\n" /* 6 */
	"  variants = { { \"published\", entry = \"chase_published\" },\n"
	"               { \"compiled\", defines = function(p) return \"-DUNROLL=\" .. p.unroll end } },\n"
	"  params   = {\n" /* 9 */
	"    { \"stride\", unit = \"B\", min = 16, max = \"64 KiB\", step = \"x2\", default = 64, sweep = true },\n"
	"    { \"size\", unit = \"B\", min = \"1 MiB\", max = \"1 GiB\", step = \"x2\", default = \"1 GiB\", soft = \"64 MiB\" },\n"
	"    { \"unroll\", min = 1, max = 8, default = 1 },\n" /* 12 */
	"    { \"form\", choices = { \"near\", \"far\" }, default = \"far\" },\n"
	"  },\n"
	"  buffers  = { buf = { type = \"int\", count = function(p) return p.size / 4 end, fill = 1 },\n" /* 15 */
	"               out = { type = \"int\", count = 1 } },\n"
	"  args     = { \"const int *buf\", \"int stride\", \"unsigned int reads\", \"float scale\", \"int *out\" },\n" /* 17 */
	"  values   = function(p) return { stride = p.stride // 4, reads = reads(p), scale = 0.5 } end,\n"
	"  launch   = { grid = function(p) return { p.unroll, 2 } end, block = 64, lds = 0 },\n" /* 19 */
	"  bounds   = function(p, v) return { buf = v.stride * v.reads } end,\n"
	"  metrics  = {\n" /* 21 */
	"    { \"latency\", unit = \"cycles\", axis = \"left\", function(m, p, v) return m.seconds * m.sclk / v.reads end },\n"
	"    { \"rate\", unit = \"reads/s\", axis = \"right\", function(m, p, v) return v.reads / m.seconds end },\n"
	"    { \"waves\", axis = \"none\", function(m) return m.counters.SQ_WAVES end },\n" /* 24 */
	"  },\n"
	"  contract = { hot_loop = { { \"global_load_dword\", count = 1 }, { \"s_load_dword\", count = 0 } }, kernel = { \"s_endpgm\" } },\n" /* 26 */
	"  samples  = { min = 3, max = 9 },\n"
	"}\n";

static inline __attribute__((unused)) void fixture_write(const char *name, const char *text, size_t len)
{
	char path[200];
	snprintf(path, sizeof path, "%s/%s", fixture_folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fwrite(text, 1, len, f);
	fclose(f);
}

static inline __attribute__((unused)) int fixture_setup(void **state)
{
	(void)state;
	if (!mkdtemp(scratch_path(fixture_folder, "engine-XXXXXX")))
		return -1;
	fixture_write("chase.hip", "//\n", 3);
	return 0;
}

static inline __attribute__((unused)) int fixture_teardown(void **state)
{
	char command[SCRATCH_PATH + 8];
	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", fixture_folder);
	return system(command);
}

/* The metrics at the median time. */
static inline __attribute__((unused)) bool fixture_eval_metrics(
	struct experiment *x, const double *values, const json_t *point, struct reading *out, struct err *e)
{
	struct reading all[1][METRICS_MAX];
	struct stats times = point_sample_stats(point);
	double median = times.count ? times.median : NAN;
	bool ok = experiment_eval_metrics_at(x, values, point, &median, 1, all, e);
	memcpy(out, all[0], sizeof all[0]);
	return ok;
}

static inline __attribute__((unused)) struct experiment *fixture_load_bytes(const char *text, size_t len, struct err *e)
{
	char path[200];
	fixture_write("stride.lua", text, len);
	snprintf(path, sizeof path, "%s/stride.lua", fixture_folder);
	e->text[0] = 0;
	return experiment_load(path, e);
}

static inline __attribute__((unused)) struct experiment *fixture_load(const char *text)
{
	struct err e;
	struct experiment *x = fixture_load_bytes(text, strlen(text), &e);
	if (!x)
		fail_msg("%s", e.text);
	return x;
}

/* The definition with the first `from` replaced, which must exist. The caller frees it. */
static inline __attribute__((unused)) char *fixture_changed(const char *from, const char *to)
{
	const char *at = strstr(fixture_text, from);
	if (!at)
		fail_msg("the fixture has no '%s'", from);
	return xasprintf("%.*s%s%s", (int)(at - fixture_text), fixture_text, to, at + strlen(from));
}

static inline __attribute__((unused)) struct experiment *fixture_load_changed(const char *from, const char *to)
{
	char *text = fixture_changed(from, to);
	struct experiment *x = fixture_load(text);
	free(text);
	return x;
}

/* The text must be rejected at a line of stride.lua (0: any), with the phrase in the message. */
static inline __attribute__((unused)) void fixture_refused(const char *text, int line, const char *phrase)
{
	char location[40];
	struct err e;
	struct experiment *x = fixture_load_bytes(text, strlen(text), &e);
	if (x)
		fail_msg("accepted, but expected: %s", phrase);
	snprintf(location, sizeof location, "stride.lua:%d:", line);
	if (line && !strstr(e.text, location))
		fail_msg("'%s' does not name line %d", e.text, line);
	if (!strstr(e.text, phrase))
		fail_msg("'%s' lacks '%s'", e.text, phrase);
	if (strncmp(e.text, fixture_folder, strlen(fixture_folder)))
		fail_msg("'%s' does not begin with the file's path", e.text);
	assert_int_equal(e.status, ST_REQUEST);
}

static inline __attribute__((unused)) void fixture_refused_changed(
	const char *from, const char *to, int line, const char *phrase)
{
	char *text = fixture_changed(from, to);
	fixture_refused(text, line, phrase);
	free(text);
}

static inline __attribute__((unused)) void fixture_values(const struct experiment *x, double *values)
{
	for (int i = 0; i < x->param_count; i++)
		values[i] = x->params[i].value;
}

#endif
