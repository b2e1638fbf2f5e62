#include "cli/own/program_sweep.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"
#include "captures/capture_file.h"
#include "captures/lua_text.h"
#include "cli/own/program_ranges.h"
#include "cli/run/plan_parts.h"
#include "experiments/definition/program/named_program.h"
#include "experiments/definition/program/recorded_definition.h"
#include "experiments/definition/sweep_plan.h"
#include "gpu/backends/backend.h"
#include "gpu/softgpu-link/measured_program.h"
#include "gpu/softgpu-link/softenv.h"

enum { ID_LENGTH = 50, TITLE_LENGTH = 90, QUESTION_LENGTH = 190 };

bool command_is_program(const char *word)
{
	struct stat st;
	return strchr(word, '/') && !stat(word, &st) && S_ISREG(st.st_mode) && !access(word, X_OK) &&
		!path_has_suffix(word, ".lua") && !capture_is_named(word);
}

/* --- the definition --- */
static const char metrics[] =
	"  counters = { \"GRBM_GUI_ACTIVE\", \"SQ_WAVES\" },\n"
	"  metrics = {\n"
	"    { \"time\", unit = \"us\", axis = \"left\", help = \"of all launches of the kernel in a run\",\n"
	"      function(m) return m.seconds * 1e6 end },\n"
	"    { \"cycles\", unit = \"cycles\", axis = \"right\", help = \"of the core clock, in all launches\",\n"
	"      function(m) return m.counters.GRBM_GUI_ACTIVE end },\n"
	"    { \"launches\", unit = \"\", axis = \"none\", help = \"of the kernel in a run\",\n"
	"      function(m) return m.launches end },\n"
	"    { \"waves\", unit = \"\", axis = \"none\", help = \"of all launches\",\n"
	"      function(m) return m.counters.SQ_WAVES end },\n"
	"  },\n";

static void put_text_field(struct buf *b, const char *name, const char *text, size_t most)
{
	buf_printf(b, "%s = ", name);
	lua_text_put(b, text, most);
	buf_puts(b, ", ");
}

/* To the letter, unlike lua_text_put, which is for texts that are only shown. */
static void put_exact_field(struct buf *b, const char *name, const char *text)
{
	buf_printf(b, "%s = \"", name);
	for (; *text; text++)
		buf_printf(b, strchr("\"\\", *text) ? "\\%c" : "%c", *text);
	buf_puts(b, "\", ");
}

/* The experiment's id: the name of the program's file, as far as an id may have its characters. */
static char *make_id(const char *file)
{
	char *id = xasprintf("%.*s", ID_LENGTH, file);
	for (char *c = id; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
			*c = '_';
	return id;
}

/* `kernel`: its symbol or a part of its name, `name`: what the title calls it. */
static char *write_definition(
	const struct argument_list *words, const char *args, const char *kernel, const char *name, struct err *e)
{
	const char *file = path_basename(words->list[0]);
	const struct argument_list ranges = {words->list + 1, words->count - 1};
	char *title = xasprintf("%.60s in %.28s", *name ? name : "The slowest kernel", file), *id = make_id(file);
	struct buf b = {0};
	buf_puts(&b, "return {\n  ");
	put_text_field(&b, "title", title, TITLE_LENGTH);
	put_text_field(&b, "\n  question",
		"How do the time and the cycles of a kernel depend on the program's arguments?", QUESTION_LENGTH);
	char *command = xasprintf("%s %s", file, args);
	put_text_field(&b, "\n  source", command, QUESTION_LENGTH);
	buf_puts(&b, "\n  program = { ");
	put_exact_field(&b, "file", file);
	put_exact_field(&b, "args", args);
	put_exact_field(&b, "kernel", kernel);
	buf_puts(&b, "},\n");
	bool ok = program_ranges_put(&b, &ranges, e);
	buf_puts(&b, metrics);
	buf_puts(&b, "}\n");
	char *path = ok ? program_definition_write(id, b.data, e) : NULL;
	free(command);
	free(title);
	free(id);
	buf_free(&b);
	return path;
}

/* --- the kernel --- */
static bool is_interrupted(void *ctx)
{
	(void)ctx;
	return command_interrupted;
}

static bool run_point(struct experiment *x, const struct plan *p, int point, const char *device,
	struct kernel_totals *t, struct err *e)
{
	double values[PARAMS_MAX];
	plan_point_values(p, point, values);
	json_t *job = experiment_build_job(x, values, true, "", false, e);
	bool ok = job && named_program_complete(job, e);
	const json_t *call = json_object_get(job, "program"), *words = json_object_get(call, "words");
	char **argv = xcalloc(json_array_size(words) + 1, sizeof *argv);
	for (size_t i = 0; i < json_array_size(words); i++)
		argv[i] = (char *)json_string_value(json_array_get(words, i));
	const struct measured_program run = {.model = device_rest(device),
		.folder = record_get_text(call, "folder"),
		.argv = argv,
		.cancelled = is_interrupted};
	*t = (struct kernel_totals){0};
	ok = ok && measured_program_run(&run, t, e);
	free(argv);
	json_decref(job);
	return ok;
}

/* With the last value of each range, which takes longest as a rule; if that fails, with the first ones. */
static bool run_to_choose(
	struct experiment *x, const struct plan *p, const char *device, struct kernel_totals *t, struct err *e)
{
	const int points[] = {plan_point_count(p) - 1, 0};
	for (int i = 0; i < 2; i++) {
		char at[160],
			*text = xasprintf("finding the kernel with the most cycles: %s",
				plan_format_point(p, points[i], at, sizeof at));
		progress_show(text);
		free(text);
		bool ok = run_point(x, p, points[i], device, t, e);
		progress_clear();
		if (ok || command_interrupted)
			return ok;
		kernel_totals_free(t);
	}
	return false;
}

static void print_choice(const struct kernel_totals *t, const struct kernel_total *k)
{
	double all = 0;
	int kernels = 0;
	for (int i = 0; i < t->count; i++) {
		kernels += !t->list[i].nameless;
		all += t->list[i].nameless ? 0 : (double)t->list[i].cycles;
	}
	if (kernels > 1)
		command_printf_error("kernel %.120s: %.0f %% of the cycles of %d kernels; --kernel chooses another",
			k->name, all > 0 ? 100 * (double)k->cycles / all : 100, kernels);
}

/* The definition for the kernel that was chosen. Where the program fails, its points say why, with the first
 * definition. */
static char *choose_largest(
	const struct argument_list *words, const char *args, char *definition, const char *device, struct err *e)
{
	struct plan p;
	struct kernel_totals t = {0};
	struct experiment *x = experiment_load(definition, e);
	char *path = definition;
	if (!x)
		return free(definition), NULL;
	plan_init_default(&p, x, true, "");
	command_catch_interrupts();
	bool ok = plan_apply_words(&p, words, e), chosen = ok && run_to_choose(x, &p, device, &t, e);
	if (chosen) {
		const struct kernel_total *k = kernel_totals_find_largest(&t);
		print_choice(&t, k);
		path = write_definition(words, args, k->symbol, k->name, e);
	}
	if (command_interrupted)
		ok = err_set(e, ST_INTERRUPTED, "interrupted");
	if (path != definition || !ok)
		free(definition);
	kernel_totals_free(&t);
	plan_free(&p);
	experiment_free(x);
	return ok ? path : NULL;
}

/* --- the device --- */
static bool choose_device(const char *program, const char **device, struct err *e)
{
	static char chosen[80]; /* the words of a command point to it */
	if (*device)
		return device_can(*device, DEVICE_SIMULATED) || device_can(*device, DEVICE_RECORDING) ||
			err_set(e, ST_REQUEST,
				"a program is measured on a software GPU, not on %.60s; use --device soft:mi25",
				*device);
	char *model = softgpu_choose_model(program);
	snprintf(chosen, sizeof chosen, "soft:%.70s", model ? model : "mi25");
	free(model);
	*device = chosen;
	return true;
}

/* --- the command --- */
static bool check_words(const struct argument_list *words, const char *args, struct err *e)
{
	struct argument_words arguments;
	struct err why;
	const struct argument_list ranges = {words->list + 1, words->count - 1};
	if (strlen(args) > 1000)
		return err_set(e, ST_REQUEST, "--args has more than 1000 characters; put some into a file");
	for (const char *c = args; *c; c++)
		if ((unsigned char)*c < ' ')
			return err_set(
				e, ST_REQUEST, "--args has a tab, a new line or the like; separate words by blanks");
	if (!argument_words_split(args, &arguments, &why))
		return err_set(e, ST_REQUEST, "--args: %s", why.text);
	bool ok = program_ranges_check(&arguments, &ranges, e);
	argument_words_free(&arguments);
	return ok;
}

static bool explain_no_program(const struct argument_list *words, const struct program_options *o, struct err *e)
{
	const char *word = words->count ? words->list[0] : "";
	if (!o->args && !o->kernel)
		return true;
	if (strchr(word, '/') && access(word, X_OK))
		return err_set(e, ST_REQUEST, "cannot run %.200s: %s", word, strerror(errno));
	return err_set(e, ST_REQUEST, "%s is for a program%s%.200s; write: wavedeck run ./app --args 'n={n}' n=1..64",
		o->args ? "--args" : "--kernel", *word ? ", which this is not: " : "", word);
}

bool command_resolve_program(
	struct argument_list *words, const struct program_options *o, const char **device, struct err *e)
{
	static char *definition; /* until the next call; the words point to it */
	const char *args = o->args ? o->args : "", *kernel = o->kernel ? o->kernel : "";
	if (!words->count || !command_is_program(words->list[0]))
		return explain_no_program(words, o, e);
	if (!check_words(words, args, e) || !named_program_set(words->list[0], e) ||
		!choose_device(words->list[0], device, e))
		return false;
	free(definition);
	definition = write_definition(words, args, kernel, kernel, e);
	if (definition && !*kernel && device_can(*device, DEVICE_SIMULATED))
		definition = choose_largest(words, args, definition, *device, e);
	if (definition)
		words->list[0] = definition;
	return definition;
}
