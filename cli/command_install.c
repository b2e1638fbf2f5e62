/* `install`: copies this program to another machine, through a command such as ssh, when it is asked to. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/child_program.h"
#include "base/host/temporary_folder.h"
#include "base/paths.h"
#include "base/printable_text.h"
#include "cli/cli_support.h"
#include "gpu/remote/build_identity.h"
#include "gpu/remote/via_command.h"

/* --- the files, as `make install` arranges them --- */
static bool link_file(const char *stage, const char *name, char *path)
{
	char *at = xasprintf("%s/%s", stage, name);
	char *slash = strrchr(at, '/');
	*slash = 0;
	bool ok = path_make_directories(at, NULL);
	*slash = '/';
	ok = ok && !access(path, R_OK) && !symlink(path, at);
	free(at);
	free(path);
	return ok;
}

static bool link_entries(const char *stage, const char *name, char *folder)
{
	bool ok = true;
	DIR *d = opendir(folder);
	for (struct dirent *entry; ok && d && (entry = readdir(d));) {
		char *in_stage = xasprintf("%s/%s", name, entry->d_name);
		if (entry->d_name[0] != '.')
			ok = link_file(stage, in_stage, xasprintf("%s/%s", folder, entry->d_name));
		free(in_stage);
	}
	if (d)
		closedir(d);
	free(folder);
	return ok && d;
}

static bool link_data(const char *stage)
{
	if (!path_is_source_tree())
		return link_entries(stage, "share/wavedeck", path_share(NULL));
	return link_entries(stage, "share/wavedeck", path_share(NULL)) &&
		link_file(stage, "share/wavedeck/kernels", path_kernels(NULL)) &&
		link_file(stage, "share/wavedeck/catalog", path_catalog()) &&
		link_file(stage, "share/wavedeck/published", path_published());
}

static bool link_program(const char *stage, struct err *e)
{
	char *bundled = path_build("bundled");
	bool ok = link_file(stage, "bin/wavedeck", path_self()) &&
		link_file(stage, "lib/wavedeck/libsoftgpu.so", path_build("libsoftgpu.so")) &&
		link_file(stage, "lib/wavedeck/kernels", path_build("kernels")) && link_data(stage);
	if (ok && !access(bundled, R_OK))
		ok = link_file(stage, "lib/wavedeck/bundled", xstrdup(bundled));
	free(bundled);
	return ok || err_set(e, ST_FAILED, "cannot read the files of this program; build it again: make");
}

/* --- the copy --- */
/* Runs there. A shell may read more of its standard input than the script, so the archive is part of the script. A
 * program that is running there keeps its files. */
static const char script_begin[] =
	"d=${XDG_DATA_HOME:-$HOME/.local/share}/wavedeck/%s; n=$d.$$; mkdir -p \"$n\" || exit 1\n"
	"base64 -d <<'WAVEDECK_END' | tar -xzf - -C \"$n\" || exit 1";
static const char script_end[] =
	"WAVEDECK_END\n"
	"{ [ ! -d \"$d\" ] || mv \"$d\" \"$n.old\"; } && mv \"$n\" \"$d\" && rm -rf \"$n.old\" && echo \"wavedeck-is-in $d\"";

/* A session of its own, so that the command cannot ask for a password. */
static const char script_here[] =
	"{ printf '%%s\\n' \"$1\"; tar -chzf - -C \"$3\" . | base64; printf '%%s\\n' \"$2\"; } 2>/dev/null | "
	"SSH_ASKPASS_REQUIRE=never setsid -w %s sh";

/* What the command printed: the last line that is not empty. */
static void cut_last_line(char *text, const char **last)
{
	*last = "";
	for (char *line; (line = strsep(&text, "\n"));)
		if (line[strspn(line, " \t\r")])
			*last = line;
}

static bool describe_failed_copy(const char *via, const char *connection, const char *last, int status, struct err *e)
{
	char label[VIA_LABEL_MAX], text[400];
	bool hopeless;
	via_format_label(via, label);
	const struct via_end end = {via, label, status << 8, false, last, ""};
	if (strstr(last, "Permission denied (") || strstr(last, "Host key verification"))
		via_describe_end(&end, text, sizeof text, &hopeless);
	else
		snprintf(text, sizeof text, "cannot copy wavedeck with '%s': %s", connection,
			*last ? last : "it needs sh, base64, tar and gzip there");
	return err_set(e, ST_FAILED, "%s", text);
}

/* Shells here and there read the folder as part of a command, so what the other machine answers is taken only if it is
 * the plain name of a folder. */
static bool is_plain_folder(const char *folder)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+-";
	return folder[0] == '/' && !folder[strspn(folder, plain)];
}

static bool check_folder(const char *via, const char *folder, struct err *e)
{
	char label[VIA_LABEL_MAX];
	if (is_plain_folder(folder))
		return true;
	via_format_label(via, label);
	return err_set(e, ST_FAILED,
		"%s answers that wavedeck is in '%.200s', and a shell would not read that as one word; set XDG_DATA_HOME "
		"there to a path of letters, digits and ._+-",
		label, folder);
}

/* *folder: where it is now, for the caller to free. */
static bool copy_program(const char *via, const char *stage, char **folder, struct err *e)
{
	static const char mark[] = "wavedeck-is-in ";
	struct buf log = {0};
	const char *last;
	char *name = xasprintf("%s-%.8s", WAVEDECK_VERSION, build_identity_of_program());
	char *connection = via_copy_connection(via);
	char *begin = xasprintf(script_begin, name), *here = xasprintf(script_here, connection);
	char *argv[] = {"sh", "-c", here, "sh", begin, (char *)script_end, (char *)stage, NULL};
	int status = child_run(argv, NULL, NULL, &log);
	buf_add(&log, "", 1);
	char *at = strstr(log.data, mark);
	*folder = at ? xasprintf("%.*s", (int)strcspn(at + sizeof mark - 1, "\r\n"), at + sizeof mark - 1) : NULL;
	cut_last_line(log.data, &last);
	bool ok = *folder ? check_folder(via, *folder, e)
			  : describe_failed_copy(via, connection, last, status < 0 ? 1 : status, e);
	free(name);
	free(connection);
	free(begin);
	free(here);
	buf_free(&log);
	return ok;
}

static bool stage_and_copy(const char *via, char **folder, struct err *e)
{
	char *stage = temporary_folder_create(e);
	if (!stage)
		return false;
	bool ok = link_program(stage, e) && copy_program(via, stage, folder, e);
	temporary_folder_remove(stage);
	free(stage);
	return ok;
}

/* --- the check: a worker opens a model there --- */
static bool try_worker(const char *via, const char *device, struct err *e)
{
	const struct worker_place place = {device, via};
	struct worker_pool *w = command_start_workers_at(&place, 1, 0, e);
	worker_pool_close(w);
	return w != NULL;
}

static int install_at(const char *via, const char *device)
{
	struct err e = {0};
	char *folder = NULL, label[VIA_LABEL_MAX];
	if (!stage_and_copy(via, &folder, &e))
		return command_report_failure(&e);
	char *connection = via_copy_connection(via), *installed = xasprintf("%s %s/bin/wavedeck", connection, folder);
	via_format_label(via, label);
	bool works = try_worker(installed, device, &e);
	printf("installed in %s; a line for ~/.config/wavedeck/hosts:\n%s = %s\n", folder,
		strpbrk(label, " \t/=@") ? "NAME" : label, installed);
	if (!works)
		command_printf_error("%s cannot measure yet: %s", label, e.text);
	free(connection);
	free(installed);
	free(folder);
	return works ? ST_OK : (int)e.status;
}

int command_install(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	const char *via = NULL, *device = "soft:mi25";
	const struct option options[] = {{"--via", &via, NULL}, {"--device", &device, NULL}, {NULL, NULL, NULL}};
	struct worker_places places = {.count = 0};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	if (words.count)
		err_set(&e, ST_REQUEST, "unexpected argument '%.60s'; see `wavedeck help install`", words.list[0]);
	else if (!via)
		err_set(&e, ST_REQUEST, "install needs a way to the other machine: wavedeck install --via 'ssh node7'");
	else if (worker_places_parse(&via, 1, device, &places, &e) && !places.list[0].via)
		err_set(&e, ST_REQUEST, "wavedeck runs on this machine already; name another one with --via");
	free(words.list);
	int status = e.text[0] ? command_report_failure(&e) : install_at(places.list[0].via, device);
	worker_places_free(&places);
	return status;
}
