/* Parses --via and the file of hosts. */
#include "gpu/remote/worker_places.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/conf_file.h"
#include "base/paths.h"

enum { HOSTS_MAX = 256 };

static const char this_machine[] = "local";

struct hosts {
	char *names[HOSTS_MAX], *commands[HOSTS_MAX];
	int count;
	struct err mistake; /* the first of the file */
};

/* --- the file of hosts --- */
static bool is_host_name(const char *text)
{
	return *text && text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")] == 0;
}

static bool take_host(void *hosts, char *name, char *command, struct err *e)
{
	struct hosts *h = hosts;
	if (!*command)
		return err_set(e, ST_REQUEST, "write NAME = COMMAND, for example node7 = ssh node7");
	if (!is_host_name(name))
		return err_set(
			e, ST_REQUEST, "'%.60s' cannot be the name of a host; use letters, digits and . _ -", name);
	if (!strcmp(name, this_machine))
		return err_set(e, ST_REQUEST, "'local' is this machine; choose another name");
	for (int i = 0; i < h->count; i++)
		if (!strcmp(h->names[i], name))
			return err_set(e, ST_REQUEST, "'%.60s' is there twice; remove one of the lines", name);
	if (h->count == HOSTS_MAX)
		return err_set(e, ST_REQUEST, "more than %d hosts; remove some", HOSTS_MAX);
	h->names[h->count] = xstrdup(name);
	h->commands[h->count++] = xstrdup(command);
	return true;
}

static void note_mistake(void *hosts, const char *line)
{
	struct hosts *h = hosts;
	if (!*h->mistake.text)
		err_set(&h->mistake, ST_REQUEST, "%s", line);
}

static void read_hosts(struct hosts *h)
{
	char *path = path_user_config("hosts");
	*h = (struct hosts){.count = 0};
	conf_read(path, take_host, h, note_mistake, h);
	free(path);
}

static void free_hosts(struct hosts *h)
{
	for (int i = 0; i < h->count; i++) {
		free(h->names[i]);
		free(h->commands[i]);
	}
}

static bool set_unknown_host(const struct hosts *h, const char *name, struct err *e)
{
	const char *names[HOSTS_MAX + 1];
	memcpy(names, h->names, (size_t)h->count * sizeof *names);
	names[h->count] = this_machine;
	const char *near = find_nearest_name(name, names, h->count + 1);
	if (near)
		return err_set(e, ST_REQUEST, "unknown host '%.60s'; did you mean '%.60s'?", name, near);
	char *path = path_user_config("hosts");
	path_abbreviate_home(path);
	err_set(e, ST_REQUEST, "unknown host '%.60s'; write a command, --via 'ssh %.60s', or name it in %.200s", name,
		name, path);
	free(path);
	return false;
}

/* The command; "" for this machine, NULL with an error. */
static const char *find_host_command(const struct hosts *h, const char *name, struct err *e)
{
	if (!strcmp(name, this_machine))
		return "";
	for (int i = 0; i < h->count; i++)
		if (!strcmp(h->names[i], name))
			return h->commands[i];
	if (*h->mistake.text) /* it may be in the line with the mistake */
		err_set(e, ST_REQUEST, "%s", h->mistake.text);
	else
		set_unknown_host(h, name, e);
	return NULL;
}

/* --- one text --- */
/* Cuts "*4" off the end; *count stays as it is without one. */
static bool cut_count(char *text, int *count, struct err *e)
{
	size_t n = strlen(text);
	while (n && isdigit((unsigned char)text[n - 1]))
		n--;
	if (!n || text[n - 1] != '*')
		return true;
	long workers = strtol(text + n, NULL, 10);
	if (workers < 1 || workers > PLACES_MAX)
		return err_set(
			e, ST_REQUEST, "'%.100s': the number of workers after * must be 1 to %d", text, PLACES_MAX);
	*count = (int)workers;
	for (n--; n && isblank((unsigned char)text[n - 1]);)
		n--;
	text[n] = 0;
	return true;
}

static char *copy_trimmed(const char *text)
{
	text += strspn(text, " \t");
	size_t n = strlen(text);
	while (n && strchr(" \t", text[n - 1]))
		n--;
	return xasprintf("%.*s", (int)n, text);
}

/* `command` becomes that of the host if it is a name. */
static bool resolve_name(const struct hosts *h, char **command, int *count, struct err *e)
{
	int of_host = 1;
	if (strpbrk(*command, " \t/"))
		return true;
	const char *found = find_host_command(h, *command, e);
	if (!found)
		return false;
	free(*command);
	*command = xstrdup(found);
	if (!cut_count(*command, &of_host, e))
		return false;
	*count = *count ? *count : of_host;
	return true;
}

static bool add_places(struct worker_places *out, const char *device, int count, struct err *e)
{
	char *command = out->commands[out->command_count - 1];
	if (out->count + count > PLACES_MAX)
		return err_set(e, ST_REQUEST, "more than %d workers; lower the numbers after *", PLACES_MAX);
	for (int i = 0; i < count; i++)
		out->list[out->count++] = (struct worker_place){device, *command ? command : NULL};
	return true;
}

static bool parse_place(
	const struct hosts *h, const char *text, const char *device, struct worker_places *out, struct err *e)
{
	int count = 0;
	if (out->command_count == PLACES_MAX)
		return err_set(e, ST_REQUEST, "more than %d places; remove some --via", PLACES_MAX);
	char **command = &out->commands[out->command_count++];
	*command = copy_trimmed(text);
	if (!cut_count(*command, &count, e))
		return false;
	if (!**command)
		return err_set(
			e, ST_REQUEST, "--via '%.60s' has no command; write for example --via 'ssh node7'", text);
	return resolve_name(h, command, &count, e) && add_places(out, device, count ? count : 1, e);
}

/* A command such as ssh passes its arguments to a shell there. */
static bool check_device_name(const struct worker_places *p, const char *device, struct err *e)
{
	size_t plain = strspn(device, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:,=._+*/-");
	for (int i = 0; i < p->count; i++)
		if (p->list[i].via && device[plain])
			return err_set(e, ST_REQUEST,
				"the device name %.200s has a character that a shell on another machine would change; use only letters, digits and : , = . _ + * / -",
				device);
	return true;
}

bool worker_places_parse(
	const char *const *texts, int count, const char *device, struct worker_places *out, struct err *e)
{
	struct hosts h;
	bool ok = true;
	*out = (struct worker_places){.count = 0};
	read_hosts(&h);
	for (int i = 0; ok && i < count; i++)
		ok = parse_place(&h, texts[i], device, out, e);
	free_hosts(&h);
	return ok && check_device_name(out, device, e);
}

void worker_places_free(struct worker_places *p)
{
	for (int i = 0; i < p->command_count; i++)
		free(p->commands[i]);
	*p = (struct worker_places){.count = 0};
}

int worker_hosts_list(char ***names)
{
	struct hosts h;
	read_hosts(&h);
	*names = xcalloc((size_t)h.count + 1, sizeof **names);
	for (int i = 0; i < h.count; i++)
		(*names)[i] = xstrdup(h.names[i]);
	int count = h.count;
	free_hosts(&h);
	return count;
}
