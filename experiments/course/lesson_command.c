#include "experiments/course/lesson_command.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/buf.h"

/* Options whose value is the next word. Others are flags, which the command itself handles. */
static const char *const options[] = {"--device", "--counters", "--format", "--arch", "--limit", "--record"};

static bool is_value_option(const char *word)
{
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (!strcmp(options[i], word))
			return true;
	return false;
}

static void set_step_counters(struct lesson_command *s, char *names)
{
	int n = 0;
	for (char *save = NULL, *w = strtok_r(names, ",", &save); w && n < LESSON_COUNTERS_MAX;
		w = strtok_r(NULL, ",", &save))
		s->counters[n++] = w;
	s->plan.counters = s->counters;
}

static bool apply_step_option(struct lesson_command *s, const char *word, char *value, struct err *e)
{
	if (!value)
		return err_set(e, ST_REQUEST, "'%s' needs a value", word);
	if (!strcmp(word, "--device"))
		s->device = value;
	else if (!strcmp(word, "--counters"))
		set_step_counters(s, value);
	return true;
}

/* Two passes: first the options, because the device decides which default sizes the other words change. */
static bool apply_step_words(struct lesson_command *s, char *rest, bool options_only, struct err *e)
{
	char *save = NULL;
	for (char *w = strtok_r(rest, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		char *value = is_value_option(w) ? strtok_r(NULL, " ", &save) : NULL;
		bool ok = true;
		if (is_value_option(w))
			ok = !options_only || apply_step_option(s, w, value, e);
		else if (strncmp(w, "--", 2) && !options_only)
			ok = *w == '@' ? plan_apply_preset(&s->plan, w, e) : plan_apply_argument(&s->plan, w, e);
		if (!ok)
			return false;
	}
	return true;
}

static bool parse_lesson_verb(const char *word, enum lesson_verb *out)
{
	static const char *const names[] = {
		[LESSON_RUN_EXPERIMENT] = "run", [LESSON_SHOW_CODE] = "isa", [LESSON_EDIT_KERNEL] = "edit"};
	for (int i = 0; word && i < (int)(sizeof names / sizeof *names); i++)
		if (!strcmp(names[i], word)) {
			*out = (enum lesson_verb)i;
			return true;
		}
	return false;
}

/* `words` holds the text twice, because each of the two passes cuts it into words. */
static bool parse_lesson_command(
	const char *text, struct catalog *c, bool soft, const char *arch, struct lesson_command *s, struct err *e)
{
	size_t size = strlen(text) + 1;
	char named[DEVICE_ARCH];
	s->words = xmalloc(2 * size);
	memcpy(s->words, text, size);
	memcpy(s->words + size, text, size);
	char *save = NULL, *command = strtok_r(s->words, " ", &save), *name = strtok_r(NULL, " ", &save), *rest = save;
	if (!parse_lesson_verb(command, &s->verb) || !name)
		return err_set(e, ST_REQUEST,
			"not a command of a lesson: '%.80s'; write 'run EXP NAME=VALUE...', 'isa EXP' or 'edit EXP'",
			text);
	s->x = catalog_find(c, name, e);
	if (!s->x)
		return false;
	char *again = s->words + size + (rest - s->words);
	if (!apply_step_words(s, rest, true, e))
		return false;
	const char *const *counters = s->plan.counters;
	if (s->device)
		device_read_arch(s->device, named);
	plan_init_default(&s->plan, s->x, s->device ? device_can(s->device, DEVICE_REDUCED_SIZES) : soft,
		s->device ? named : arch);
	s->plan.counters = counters;
	return apply_step_words(s, again, false, e);
}

bool lesson_command_read(
	const char *text, struct catalog *c, bool soft, const char *arch, struct lesson_command *out, struct err *e)
{
	memset(out, 0, sizeof *out);
	bool ok = parse_lesson_command(text, c, soft, arch, out, e);
	if (!ok)
		lesson_command_free(out);
	return ok;
}

void lesson_command_free(struct lesson_command *s)
{
	plan_free(&s->plan);
	free(s->words);
	memset(s, 0, sizeof *s);
}
