#include "checks/check_journal_reader.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "checks/check_record_fields.h"

enum { LINE_BYTES_MAX = 1 << 20, RECORDS_MAX = 1 << 17, PLACES_MAX = 1 << 16 };

/* One file. */
struct journal {
	struct check_journals *to;
	size_t *record_of; /* place -> its record and 1; 0: none. A program that executes another one begins again. */
};

/* --- lines --- */
static struct check_record *add_check_record(struct check_journals *j)
{
	if (j->count == j->capacity) {
		j->capacity = j->capacity ? 2 * j->capacity : 64;
		j->records = xrealloc(j->records, j->capacity * sizeof *j->records);
	}
	return &j->records[j->count++];
}

static bool read_first_line_of_place(const struct journal *j, json_t *line, size_t place)
{
	struct check_record r;
	if (j->to->count == RECORDS_MAX || !check_record_read(line, &r))
		return false;
	*add_check_record(j->to) = r;
	j->record_of[place] = j->to->count;
	return true;
}

static bool read_further_launch(const struct journal *j, json_t *line, size_t place)
{
	uint64_t count, launch;
	if (!j->record_of[place] || !check_field_read_count(line, "count", &count) ||
		!check_field_read_count(line, "launch", &launch))
		return false;
	struct check_record *r = &j->to->records[j->record_of[place] - 1];
	r->count = count_add(r->count, count);
	r->launches += launch != r->last_launch; /* one that runs long has several lines */
	r->last_launch = launch;
	return true;
}

static bool read_launched_kernel(struct check_journals *to, const char *kernel)
{
	if (to->kernel_count == RECORDS_MAX)
		return false;
	if (to->kernel_count == to->kernel_capacity) {
		to->kernel_capacity = to->kernel_capacity ? 2 * to->kernel_capacity : 64;
		to->kernels = xrealloc(to->kernels, to->kernel_capacity * sizeof *to->kernels);
	}
	to->kernels[to->kernel_count++] = xstrdup(kernel);
	return true;
}

static bool read_journal_line(const struct journal *j, json_t *line)
{
	const char *kernel = json_string_value(json_object_get(line, "launched"));
	uint64_t place, launches, left_out;
	if (kernel)
		return read_launched_kernel(j->to, kernel);
	if (check_field_read_count(line, "launches", &launches)) {
		j->to->launches = count_add(j->to->launches, launches);
		if (check_field_read_count(line, "left_out", &left_out))
			j->to->left_out = count_add(j->to->left_out, left_out);
		return true;
	}
	if (!check_field_read_count(line, "place", &place) || place >= PLACES_MAX)
		return false;
	return json_object_get(line, "kind") ? read_first_line_of_place(j, line, place)
					     : read_further_launch(j, line, place);
}

static void read_journal(struct check_journals *to, const char *path)
{
	const char *why;
	int fd = input_file_open(path, &why);
	if (fd < 0) {
		to->damaged++;
		return;
	}
	struct journal j = {to, xcalloc(PLACES_MAX, sizeof *j.record_of)};
	struct line_reader *reader = line_reader_new(fd, LINE_BYTES_MAX);
	struct text_line text;
	while (line_reader_next(reader, &text)) {
		json_t *line = json_loadb(text.text, strlen(text.text), JSON_REJECT_DUPLICATES, NULL);
		to->damaged += !json_is_object(line) || !read_journal_line(&j, line);
		json_decref(line);
	}
	line_reader_free(reader);
	free(j.record_of);
	to->processes++;
}

/* --- the folder --- */
static int is_journal(const struct dirent *d)
{
	return path_has_suffix(d->d_name, ".check");
}

bool check_journals_read(const char *folder, struct check_journals *out, struct err *e)
{
	struct dirent **list = NULL;
	*out = (struct check_journals){0};
	int count = scandir(folder, &list, is_journal, versionsort);
	if (count < 0)
		return err_set(
			e, ST_FAILED, "cannot read what the checks found in %.300s: %s", folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		char *path = xasprintf("%s/%s", folder, list[i]->d_name);
		read_journal(out, path);
		free(path);
		free(list[i]);
	}
	free(list);
	return true;
}

/* --- points --- */
void check_journals_add_point(struct check_journals *j, const json_t *found, const struct checked_point *point)
{
	const json_t *places = json_object_get(found, "places");
	const char *kernel = json_string_value(json_object_get(found, "kernel"));
	uint64_t launches = 0, left_out = 0;
	check_field_read_count(found, "launches", &launches);
	check_field_read_count(found, "left_out", &left_out);
	j->launches = count_add(j->launches, launches);
	j->left_out = count_add(j->left_out, left_out);
	if (kernel && *kernel)
		read_launched_kernel(j, kernel);
	for (size_t i = 0; i < json_array_size(places); i++) {
		struct check_record r;
		bool ok = j->count < RECORDS_MAX && check_record_read_of_point(json_array_get(places, i), point, &r);
		if (ok)
			*add_check_record(j) = r;
		j->damaged += !ok;
	}
}

void check_journals_free(struct check_journals *j)
{
	for (size_t i = 0; i < j->count; i++)
		check_record_clear(&j->records[i]);
	for (size_t i = 0; i < j->kernel_count; i++)
		free(j->kernels[i]);
	free(j->kernels);
	free(j->records);
	*j = (struct check_journals){0};
}
