#include "sessions/join/session_join.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/input_file.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"
#include "sessions/load/plan_order.h"
#include "sessions/record/code_writer.h"

void session_join_init(struct session_join *j, size_t count, const json_t *plan)
{
	*j = (struct session_join){.count = count, .plan = plan};
	for (size_t i = 0; i < count; i++)
		point_list_add_record(&j->points, NULL);
	j->from = xcalloc(count ? count : 1, sizeof *j->from);
}

void session_join_free(struct session_join *j)
{
	for (size_t i = 0; i < j->count; i++)
		free(j->from[i]);
	free(j->from);
	point_list_free(&j->points);
	kernel_agreement_free(&j->kernels);
	json_decref(j->header);
	free(j->header_from);
	free(j->remark);
	*j = (struct session_join){0};
}

bool session_join_has(const struct session_join *j, size_t point)
{
	return j->from[point] != NULL;
}

static bool is_measured(const json_t *point)
{
	return point_is_ok(point);
}

bool session_join_failed(const struct session_join *j, size_t point)
{
	return session_join_has(j, point) && !is_measured(point_list_get(&j->points, point));
}

/* --- headers --- */

/* What must be equal for the points to be one measurement. */
static const char *const plan_members[] = {
	"experiment", "definition", "params", "sweep", "columns", "sampling", "verify", "program", NULL};
static const char *const device_members[] = {
	"name", "arch", "deterministic", "noise", "fault", "locked_sclk_mhz", "constants", NULL};

/* The first of the members that differs, or NULL. */
static const char *find_unequal_member(const json_t *a, const json_t *b, const char *const *members)
{
	for (; *members; members++) {
		const json_t *x = json_object_get(a, *members), *y = json_object_get(b, *members);
		if (!record_values_equal(x, y))
			return *members;
	}
	return NULL;
}

/* Sessions from before it was noted do not have it. */
static bool is_other_build(const json_t *a, const json_t *b)
{
	const char *x = record_get_text(a, "software_gpu"), *y = record_get_text(b, "software_gpu");
	return *x && *y && strcmp(x, y);
}

const char *session_find_device_difference(const json_t *a, const json_t *b)
{
	const char *differs = find_unequal_member(header_get_device(a), header_get_device(b), device_members);
	return differs ? differs : is_other_build(a, b) ? "software_gpu" : NULL;
}

const char *session_find_difference(const json_t *a, const json_t *b)
{
	static const char *const device_name[] = {"device", NULL};
	const char *differs = find_unequal_member(a, b, plan_members);
	if (!differs)
		differs = find_unequal_member(header_get_device(a), header_get_device(b), device_name);
	return differs ? differs : session_find_device_difference(a, b);
}

/* The values that the plan has, without those that it leaves to the device. */
static json_t *copy_planned_params(const json_t *plan, const json_t *record)
{
	const json_t *all = record_get_params(record);
	json_t *params = all ? json_copy((json_t *)all) : json_object(), *name;
	size_t i;
	json_array_foreach(json_object_get(plan, "open"), i, name) json_object_del(params, json_string_value(name));
	return params;
}

static bool has_planned_params(const json_t *plan, const json_t *header)
{
	json_t *planned = copy_planned_params(plan, plan), *measured = copy_planned_params(plan, header);
	bool same = record_values_equal(planned, measured);
	json_decref(planned);
	json_decref(measured);
	return same;
}

static bool is_param_open(const json_t *plan, const char *param)
{
	json_t *name;
	size_t i;
	json_array_foreach(
		json_object_get(plan, "open"), i, name) if (!strcmp(json_string_value(name), param)) return true;
	return false;
}

/* An open sweep has other values, but as many. */
static bool has_planned_sweep(const json_t *plan, const json_t *header)
{
	const json_t *planned = header_get_sweep(plan), *measured = header_get_sweep(header);
	const char *param = record_get_text(planned, "param");
	if (!is_param_open(plan, param))
		return record_values_equal(planned, measured);
	return !strcmp(param, record_get_text(measured, "param")) &&
		json_array_size(json_object_get(planned, "values")) ==
		json_array_size(json_object_get(measured, "values"));
}

static bool check_planned_header(const struct session_join *j, const json_t *header, const char *path, struct err *e)
{
	static const char *const members[] = {"definition", "sampling", NULL};
	const char *differs = j->plan ? find_unequal_member(j->plan, header, members) : NULL;
	if (j->plan && !differs && !has_planned_params(j->plan, header))
		differs = "params";
	if (j->plan && !differs && !has_planned_sweep(j->plan, header))
		differs = "sweep";
	return !differs ||
		err_set(e, ST_FAILED,
			"%s was measured with another '%s' than the plan has; remove the file, and measure its points again",
			path, differs);
}

/* Of libraries and properties. */
static const char *find_other_version(const json_t *a, const json_t *b)
{
	static const char *const members[] = {"versions", "properties", NULL};
	json_t *x = device_copy_for_session(header_get_device(a)), *y = device_copy_for_session(header_get_device(b));
	const char *differs = find_unequal_member(x, y, members);
	json_decref(x);
	json_decref(y);
	return differs;
}

static bool check_header(struct session_join *j, const json_t *header, const char *path, struct err *e)
{
	if (!check_planned_header(j, header, path, e))
		return false;
	if (!j->header) {
		j->header = json_copy((json_t *)header);
		json_object_del(j->header, "batch");
		j->header_from = xstrdup(path);
		return true;
	}
	const char *differs = session_find_device_difference(j->header, header); /* may be why parameters differ */
	if (!differs)
		differs = session_find_difference(j->header, header);
	if (differs)
		return err_set(e, ST_FAILED,
			"%s and %s differ in '%s' and are not one measurement; `wavedeck compare` shows both",
			j->header_from, path, differs);
	differs = find_other_version(j->header, header);
	if (differs && !j->remark)
		j->remark = xasprintf("the %s of the devices of %s and %s differ; the session has those of the first",
			differs, j->header_from, path);
	return true;
}

/* --- points --- */

/* Without what depends on the run, not on the measurement. */
static json_t *strip_point(const json_t *point)
{
	json_t *bare = json_copy((json_t *)point);
	json_object_del(bare, "job");
	json_object_del(bare, "at");
	return bare;
}

static bool points_are_equal(const json_t *a, const json_t *b)
{
	json_t *x = strip_point(a), *y = strip_point(b);
	bool equal = json_equal(x, y);
	json_decref(x);
	json_decref(y);
	return equal;
}

/* Whether a point is the one that the header's plan has at this place. */
static bool is_planned_point(const json_t *header, size_t i, const json_t *point)
{
	json_t *planned = plan_point_params(header, i);
	bool same = record_values_equal(planned, record_get_params(point)) &&
		!strcmp(record_get_experiment(header), record_get_experiment(point));
	json_decref(planned);
	return same;
}

static bool check_planned_point(
	const struct session_join *j, size_t i, const json_t *point, const char *path, struct err *e)
{
	return is_planned_point(j->header, i, point) ||
		err_set(e, ST_FAILED,
			"%s has other parameters for point %zu than the plan; remove the file, and measure its points again",
			path, i);
}

static bool check_same_kernel(struct session_join *j, size_t i, const json_t *point, const char *path, struct err *e)
{
	char what[300];
	return kernel_agreement_add(&j->kernels, point, what, sizeof what) ||
		err_set(e, ST_FAILED,
			"point %zu in %s was measured with another kernel than the points before it: %s; remove the file, "
			"and measure its points again",
			i, path, what);
}

static void take_point(
	struct session_join *j, size_t i, const struct session *s, size_t at, bool measured, const char *path)
{
	j->failed += (size_t)!measured - (size_t)session_join_failed(j, i);
	j->have += !session_join_has(j, i);
	point_list_copy(&j->points, i, &s->points, at);
	free(j->from[i]);
	j->from[i] = xstrdup(path);
}

static bool add_point(struct session_join *j, const struct session *s, size_t at, const char *path, struct err *e)
{
	const json_t *point = point_list_get(&s->points, at), *place = json_object_get(point, "point");
	if (!json_is_integer(place) || json_integer_value(place) < 0 || (size_t)json_integer_value(place) >= j->count)
		return err_set(e, ST_FAILED, "%s has a point outside of the plan of %zu points; remove the file", path,
			j->count);
	size_t i = (size_t)json_integer_value(place);
	bool measured = is_measured(point);
	if (!check_planned_point(j, i, point, path, e) || (measured && !check_same_kernel(j, i, point, path, e)))
		return false;
	if (!session_join_has(j, i) || (measured && session_join_failed(j, i))) {
		take_point(j, i, s, at, measured, path);
		return true;
	}
	if (!measured || !device_is_deterministic(header_get_device(j->header)) ||
		points_are_equal(point_list_get(&j->points, i), point))
		return true;
	return err_set(e, ST_FAILED,
		"point %zu has different results in %s and %s, on a deterministic device; `wavedeck compare` shows both",
		i, j->from[i], path);
}

/* Its program was killed before the header was complete: it is empty, or ends within the first line. After a crash of
 * the machine, a file can consist of zeros. */
static bool has_no_header_yet(const char *path)
{
	const char *why;
	int fd = input_file_open(path, &why);
	struct line_reader *lines = fd < 0 ? NULL : line_reader_new(fd, RECORD_LINE_MAX);
	struct text_line line;
	bool any = lines && line_reader_next(lines, &line);
	bool torn = lines && (!any || (!line.ended && (line.text[0] == '{' || !line.text[0])));
	line_reader_free(lines);
	return torn;
}

bool session_join_add(struct session_join *j, const char *path, struct err *e)
{
	const char *why;
	if (!input_file_is_readable(path, &why)) /* a named pipe would wait for a writer */
		return err_set(e, ST_REQUEST, "cannot read the session %s: %s; remove it", path, why);
	if (has_no_header_yet(path))
		return true;
	struct session *s = session_load(path, e);
	bool ok = s && check_header(j, s->header, path, e);
	for (size_t i = 0; ok && i < s->points.count; i++)
		ok = add_point(j, s, i, path, e);
	session_free(s);
	return ok;
}

/* --- writing --- */

static void print_record(FILE *out, const json_t *record)
{
	char *line = record_format_line(record);
	fputs(line, out);
	free(line);
}

static void print_joined(FILE *out, const void *ctx)
{
	const struct session_join *j = ctx;
	struct code_writer code = code_writer_make(j->header);
	size_t written = 0;
	print_record(out, j->header);
	for (size_t i = 0; i < j->count; i++) {
		if (!session_join_has(j, i))
			continue;
		json_t *point = json_copy((json_t *)point_list_get(&j->points, i));
		json_object_set_new(point, "job", json_integer((json_int_t)i + 1));
		json_t *before = code_writer_refer(&code, point, written++);
		if (before)
			print_record(out, before);
		json_decref(before);
		print_record(out, point);
		json_decref(point);
	}
	code_writer_free(&code);
	json_t *end = json_pack("{s:s, s:I}", "type", "end", "points", (json_int_t)j->have);
	print_record(out, end);
	json_decref(end);
}

static bool check_replaced_file(const struct session_join *j, const char *path, struct err *e)
{
	struct stat st;
	if (stat(path, &st) || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return true;
	json_t *was = session_read_header(path);
	bool same = was && !session_find_difference(j->header, was);
	json_decref(was);
	return same ||
		err_set(e, ST_REQUEST,
			"%s already exists and is not a session of this measurement; choose another file", path);
}

bool session_join_write(const struct session_join *j, const char *path, struct err *e)
{
	return check_replaced_file(j, path, e) &&
		file_write_atomic(path, print_joined, j, "; choose another file with -o FILE", e);
}
