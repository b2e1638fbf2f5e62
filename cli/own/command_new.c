/* `new`: writes an experiment file for a kernel. */
#include "cli/own/command_new.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "base/units.h"
#include "captures/capture_archive.h"
#include "cli/cli_support.h"
#include "cli/own/captured_experiment.h"
#include "experiments/draft/draft_experiment.h"
#include "gpu/backends/backend.h"
#include "kernels/compile/kernel_build.h"
#include "kernels/inspect/readable_name.h"

enum { NAME_SIZE = 200, LISTED_MAX = 12 };

/* --- the kernel --- */
/* "scale" of "void math::scale<float>(float*, float)". */
static void read_plain_name(const char *symbol, char out[NAME_SIZE])
{
	char *readable = kernel_readable_name(symbol), *end = readable + strcspn(readable, "(<"), *from = end;
	while (from > readable && from[-1] != ' ' && from[-1] != ':')
		from--;
	snprintf(out, NAME_SIZE, "%.*s", (int)(end - from), from);
	free(readable);
}

static bool is_named(const struct kernel_info *k, const char *name)
{
	char plain[NAME_SIZE];
	read_plain_name(k->name, plain);
	return !strcmp(k->name, name) || !strcmp(plain, name);
}

static bool set_which_kernel(
	const struct kernel_info *list, size_t count, const char *source, const char *name, struct err *e)
{
	struct buf names = {0};
	char plain[NAME_SIZE];
	for (size_t i = 0; i < count && i < LISTED_MAX; i++) {
		read_plain_name(list[i].name, plain);
		buf_printf(&names, "%s%s", i ? ", " : "", plain);
	}
	if (count > LISTED_MAX)
		buf_puts(&names, ", ...");
	if (!count)
		err_set(e, ST_REQUEST, "%s has no kernel; a template is one only where the file calls it", source);
	else if (name)
		err_set(e, ST_REQUEST, "%s has no kernel '%s'; it has %s", source, name, names.data);
	else
		err_set(e, ST_REQUEST, "%s has several kernels; name one: %s", source, names.data);
	buf_free(&names);
	return false;
}

static const struct kernel_info *choose_kernel(
	const struct code_object *o, const char *source, const char *name, struct err *e)
{
	const struct kernel_info *list;
	size_t count = code_object_list_kernels(o, &list);
	if (!name && count == 1)
		return list;
	for (size_t i = 0; name && i < count; i++)
		if (is_named(&list[i], name))
			return &list[i];
	set_which_kernel(list, count, source, name, e);
	return NULL;
}

/* --- comments above the kernel --- */
static const char *skip_comment_marks(const char *line)
{
	line += strspn(line, " \t");
	return line + strspn(line, "/* \t");
}

static bool is_comment_line(const char *line)
{
	line += strspn(line, " \t");
	return !strncmp(line, "//", 2) || !strncmp(line, "/*", 2) || *line == '*';
}

/* The lines of comments that end above the line, as lines of Lua comments; the caller frees them. */
static char *copy_comments(const char *source, int line)
{
	struct buf text = {0}, out = {0};
	const char *why;
	char *lines[1 << 12];
	int count = 0, first;
	buf_puts(&out, "");
	if (!line || !input_file_read(source, KERNEL_SOURCE_MAX, &text, &why) || !text.data)
		return out.data ? out.data : xstrdup("");
	for (char *rest = text.data, *one; count < line - 1 && count < 1 << 12 && (one = strsep(&rest, "\n"));)
		lines[count++] = one;
	first = count;
	while (first > 0 && count == line - 1 && is_comment_line(lines[first - 1]))
		first--;
	for (; first < count; first++) {
		char *end = strstr(lines[first], "*/"), *mark = lines[first];
		if (end)
			*end = 0;
		if (*skip_comment_marks(mark))
			buf_printf(&out, "-- %s\n", skip_comment_marks(mark));
	}
	buf_free(&text);
	return out.data ? out.data : xstrdup("");
}

/* --- the file --- */
static bool write_new_file(const char *path, const struct buf *text, struct err *e)
{
	FILE *f = fopen(path, "wxe");
	if (!f && errno == EEXIST)
		return err_set(e, ST_REQUEST, "%s exists, and is not replaced; name another file: -o FILE.lua", path);
	bool ok = f && fwrite(text->data, 1, text->len, f) == text->len;
	if (f)
		ok = !fclose(f) && ok;
	return ok || err_set(e, ST_FAILED, "cannot write %s: %s", path, strerror(errno));
}

static bool write_draft(
	const char *source, const struct kernel_info *k, const char *arch, const char *path, struct err *e)
{
	char name[NAME_SIZE];
	struct kernel_signature signature;
	struct buf text = {0};
	read_plain_name(k->name, name);
	if (!kernel_signature_find(source, arch, name, k->name, &signature, e))
		return false;
	char *comments = copy_comments(source, signature.line);
	const struct draft_kernel draft = {path_basename(source), name, comments, k, &signature};
	bool ok = draft_experiment_write(&draft, &text, e) && write_new_file(path, &text, e);
	free(comments);
	buf_free(&text);
	return ok;
}

/* FOLDER/KERNEL.lua, or FOLDER/SOURCE.lua for the only kernel of a source. */
static char *choose_output(const char *source, const char *kernel)
{
	const char *base = path_basename(source);
	char *folder = path_copy_folder(source);
	char *path = kernel ? xasprintf("%s/%s.lua", folder, kernel)
			    : xasprintf("%s/%.*s.lua", folder, (int)strcspn(base, "."), base);
	free(folder);
	return path;
}

char *new_experiment_write(const char *source, const char *kernel, const char *output, struct err *e)
{
	char arch[DEVICE_ARCH], *absolute = realpath(source, NULL);
	struct kernel_build build = {0};
	const struct kernel_info *k = NULL;
	device_read_arch(command_default_device(NULL), arch);
	bool ok = absolute || err_set(e, ST_REQUEST, "cannot read %s: %s", source, strerror(errno));
	ok = ok && kernel_build(&(struct kernel_source){absolute, NULL, NULL}, arch, &build, e);
	struct code_object *o = ok ? code_object_open(build.path, e) : NULL;
	if (o)
		k = choose_kernel(o, source, kernel, e);
	char *path = output ? xstrdup(output) : choose_output(source, kernel);
	if (!k || !write_draft(absolute, k, arch, path, e)) {
		free(path);
		path = NULL;
	}
	code_object_close(o);
	kernel_build_free(&build);
	free(absolute);
	return path;
}

/* --- the command --- */
int command_new(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	const char *output = NULL;
	const struct option options[] = {{"-o", &output, NULL}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	if (words.count < 1 || words.count > 2) {
		free(words.list);
		err_set(&e, ST_REQUEST,
			"new needs a source or a capture, and the kernel if it has several: wavedeck new vadd.hip vadd");
		return command_report_failure(&e);
	}
	const char *source = words.list[0], *kernel = words.count > 1 ? words.list[1] : NULL;
	char *path = is_capture_file(source) ? captured_experiment_write(source, kernel, output, &e)
					     : new_experiment_write(source, kernel, output, &e);
	free(words.list);
	if (!path)
		return command_report_failure(&e);
	printf("wrote %s; run it: wavedeck run %s%s\n", path, strchr(path, '/') ? "" : "./", path);
	free(path);
	return ST_OK;
}
