#include "checks/check_suppressions.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "base/units.h"

enum { RULE_BYTES_MAX = 4096, WORDS = 3 };

struct check_rule {
	bool any_kind;
	enum check_kind kind;
	regex_t kernel;
	char *file; /* NULL: any */
	int line;   /* 0: any */
};
struct check_rules {
	struct check_rule *list;
	size_t count;
};

/* --- the file --- */
static bool choose_kind(const char *name, struct check_rule *r)
{
	r->any_kind = !strcmp(name, "all");
	return r->any_kind || check_kind_find(name, strlen(name), &r->kind);
}

/* "red.hip:21", or without the line. */
static void set_rule_place(struct check_rule *r, const char *text)
{
	const char *colon = strrchr(text, ':');
	bool has_line = colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
	r->line = has_line ? count_parse(colon + 1, 1 << 30) : 0;
	r->file = xasprintf("%.*s", (int)(has_line ? colon - text : (long)strlen(text)), text);
}

static bool parse_rule(char *text, struct check_rule *r, const char *path, int line, struct err *e)
{
	char *words[WORDS + 1] = {0}, *rest = NULL, why[100];
	for (int i = 0; i <= WORDS && (words[i] = strtok_r(i ? NULL : text, " \t\r", &rest)); i++)
		;
	if (!words[1] || words[WORDS])
		return err_set(e, ST_REQUEST, "%.200s:%d: write KIND KERNEL-REGEX [FILE[:LINE]]", path, line);
	if (!choose_kind(words[0], r))
		return err_set(e, ST_REQUEST, "%.200s:%d: '%.60s' is not a kind that checks report; `all` is any", path,
			line, words[0]);
	int error = regcomp(&r->kernel, words[1], REG_EXTENDED | REG_NOSUB);
	if (error) {
		regerror(error, &r->kernel, why, sizeof why);
		return err_set(
			e, ST_REQUEST, "%.200s:%d: %.60s: not a regular expression: %s", path, line, words[1], why);
	}
	if (words[2])
		set_rule_place(r, words[2]);
	return true;
}

static bool add_rule(struct check_rules *rules, struct text_line *line, const char *path, struct err *e)
{
	struct check_rule r = {0};
	if (line->too_long)
		return err_set(e, ST_REQUEST, "%.200s:%d: the line is too long", path, line->number);
	line->text[strcspn(line->text, "#")] = 0;
	if (!line->text[strspn(line->text, " \t\r")])
		return true;
	if (!parse_rule(line->text, &r, path, line->number, e))
		return false;
	rules->list = xrealloc(rules->list, (rules->count + 1) * sizeof *rules->list);
	rules->list[rules->count++] = r;
	return true;
}

bool check_rules_read(const char *path, struct check_rules **out, struct err *e)
{
	const char *why;
	*out = xcalloc(1, sizeof **out);
	if (!path)
		return true;
	int fd = input_stream_open(path, &why);
	if (fd < 0)
		return err_set(e, ST_REQUEST, "--suppress: cannot read %.300s: %s", path, why);
	struct line_reader *reader = line_reader_new(fd, RULE_BYTES_MAX);
	struct text_line line;
	bool ok = true;
	while (ok && line_reader_next(reader, &line))
		ok = add_rule(*out, &line, path, e);
	line_reader_free(reader);
	return ok;
}

void check_rules_free(struct check_rules *r)
{
	for (size_t i = 0; r && i < r->count; i++) {
		regfree(&r->list[i].kernel);
		free(r->list[i].file);
	}
	if (r)
		free(r->list);
	free(r);
}

/* --- matching --- */
/* Whether the path ends with the file, as a whole name. */
static bool ends_with_file(const char *path, const char *file)
{
	size_t n = strlen(path), m = strlen(file);
	return n >= m && !strcmp(path + n - m, file) && (n == m || path[n - m - 1] == '/');
}

/* Calls `is_meant` with the lines of a place, until it is true: those of the functions that were inlined, too. */
typedef bool line_test_fn(const void *ctx, const struct check_place *p, const struct source_frame *f);
static bool has_line(const struct check_place *p, line_test_fn *is_meant, const void *ctx)
{
	const struct source_frames *sides[] = {&p->at.frames, &p->other.frames};
	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s]->count; i++)
			if (is_meant(ctx, p, &sides[s]->list[i]))
				return true;
	return false;
}

static bool is_line_of_rule(const void *ctx, const struct check_place *p, const struct source_frame *f)
{
	const struct check_rule *r = ctx;
	(void)p;
	return ends_with_file(f->file, r->file) && (!r->line || r->line == f->line);
}

static bool rule_matches(const struct check_rule *r, const struct check_place *p)
{
	return (r->any_kind || r->kind == p->record->kind) &&
		(!regexec(&r->kernel, p->kernel, 0, NULL, 0) || !regexec(&r->kernel, p->record->kernel, 0, NULL, 0)) &&
		(!r->file || has_line(p, is_line_of_rule, r));
}

/* "lds_race, lane_race" or "all" behind the mark. */
static bool comment_names(const char *text, enum check_kind kind)
{
	for (size_t n; *(text += strspn(text, " \t,")); text += n) {
		enum check_kind named;
		n = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
		if (n == 3 && !strncmp(text, "all", n))
			return true;
		if (!check_kind_find(text, n, &named)) /* other text */
			return false;
		if (named == kind)
			return true;
	}
	return false;
}

static bool is_line_with_comment(const void *ctx, const struct check_place *p, const struct source_frame *f)
{
	static const char mark[] = "wavedeck: ignore";
	struct source_text *sources = *(struct source_text *const *)ctx;
	bool changed;
	const char *line = source_text_line(sources, f->file, f->line, &changed);
	const char *at = line ? strstr(line, mark) : NULL;
	return at && comment_names(at + sizeof mark - 1, p->record->kind);
}

void check_places_suppress(struct check_places *p, const struct check_rules *r, struct source_text *sources)
{
	for (size_t i = 0; i < p->count; i++) {
		struct check_place *place = &p->list[i];
		for (size_t k = 0; r && k < r->count && !place->suppressed; k++)
			place->suppressed = rule_matches(&r->list[k], place);
		place->suppressed = place->suppressed || has_line(place, is_line_with_comment, &sources);
	}
}
