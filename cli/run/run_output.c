/* What a run prints: progress and warnings while it measures, rows as they become ready, the result at its end. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "experiments/analysis/sweep_estimate.h"
#include "experiments/analysis/session_extras.h"
#include "sessions/export/exporters.h"
#include "cli/run/run_report.h"
#include "cli/run/run_state.h"

/* --- while it measures --- */

void run_show_progress(const struct run *r)
{
	char text[900];
	char left[48];
	estimate_format_left(sweep_fraction(r->sweep), sweep_elapsed(r->sweep), left, sizeof left);
	snprintf(text, sizeof text, "%s  %d of %d points  %s%s%s%s", r->x->id, r->done, r->count - r->elsewhere, left,
		*left ? "  " : "", run_point_seconds(r) > 10 ? "Ctrl-C stops  " : "", sweep_status_text(r->sweep));
	progress_show(text);
}

void run_say_how_to_stop(struct run *r)
{
	if (r->said_how_to_stop || run_point_seconds(r) < LONG_POINT_S)
		return;
	r->said_how_to_stop = true;
	command_printf_error(
		"a point has been running for %d s; Ctrl-C stops and keeps what was measured, --limit SECONDS stops by itself",
		LONG_POINT_S);
}

static bool was_logged_before(size_t at, const char *text)
{
	enum log_level level;
	for (size_t i = 0; i < at; i++) {
		const char *line = log_get_line(i, &level);
		if (line && level == LOG_WARNING && !strcmp(line, text))
			return true;
	}
	return false;
}

void run_print_log_warnings(struct run *r)
{
	enum log_level level;
	for (; r->log_printed < log_line_count(); r->log_printed++) {
		const char *line = log_get_line(r->log_printed, &level);
		if (line && level == LOG_WARNING && !was_logged_before(r->log_printed, line))
			command_print_error(line);
	}
}

/* --- rows --- */

bool run_output_failed(void)
{
	return ferror(stdout) != 0;
}

const json_t *run_get_point(const struct run *r, int i)
{
	return i < r->count ? point_list_get(&r->points, (size_t)i) : NULL;
}

void run_print_ready_rows(struct run *r)
{
	if (r->ask->format != FORMAT_CSV || !r->header)
		return;
	progress_clear();
	if (r->recorder)
		recorder_flush(r->recorder); /* a printed row must be in the file, even if the program is killed */
	for (const json_t *point; (point = run_get_point(r, r->printed)); r->printed++)
		csv_print_point(stdout, r->header, (size_t)++r->rows, point, r->ask->bare);
}

void run_report_complete_session(struct run *r)
{
	char text[600];
	r->header = json_incref(r->old.session->header);
	recorder_continue_session(r->recorder, r->old.session);
	snprintf(text, sizeof text, "%s already has all %d points; nothing to measure", r->ask->resume, r->count);
	command_print_error(text);
	if (r->ask->format == FORMAT_CSV)
		csv_print_header(stdout, r->header, r->ask->bare);
	run_print_ready_rows(r);
}

/* --- the end --- */

void run_print_remaining(struct run *r)
{
	struct overlay published;
	struct session_extras extras;
	if (r->ask->quiet || (!r->done && (command_interrupted || r->out_of_time)))
		return; /* a table without rows says nothing */
	if (r->ask->format == FORMAT_CSV) {
		for (; r->printed < r->count; r->printed++)
			if (run_get_point(r, r->printed))
				csv_print_point(stdout, r->header, (size_t)++r->rows, run_get_point(r, r->printed),
					r->ask->bare);
		return;
	}
	overlay_load(&published, r->x);
	struct session_output o = {r->ask->format, stdout, r->header, &r->points,
		session_extras_make(&extras, r->header, &r->points, &published.rows),
		isatty(STDOUT_FILENO) ? terminal_width(80) : 80, terminal_is_ascii(), NULL, r->ask->bare, NULL};
	if (r->ask->plot_and_table) {
		o.format = FORMAT_PLOT;
		session_output_print(&o);
		fputc('\n', stdout);
		o.format = FORMAT_TABLE;
	}
	session_output_print(&o);
	session_extras_free(&extras);
	overlay_free(&published);
}

void run_print_kept_points(struct run *r)
{
	if (!r->done || !r->workers)
		return;
	if (!r->header) { /* no part has started: all are from the session */
		r->header = json_incref(r->old.session->header);
		if (r->ask->format == FORMAT_CSV)
			csv_print_header(stdout, r->header, r->ask->bare);
	}
	run_print_remaining(r);
}

int run_report_outcome(struct run *r)
{
	char text[200];
	int count = r->count - r->elsewhere;
	r->failed = report_failures(&r->points, r->refused && r->done < count);
	if (command_interrupted) {
		snprintf(text, sizeof text, "interrupted; kept %d of %d points", r->done, count);
		command_print_error(text);
		return ST_INTERRUPTED;
	}
	if (r->out_of_time && r->done < count) {
		command_print_error(run_limit_format(&r->ask->limit, r->done, count, r->recorder, text, sizeof text));
		return ST_FAILED;
	}
	if (r->status != ST_OK)
		return (int)r->status;
	if (report_all_failed_alike(&r->points))
		return ST_REQUEST;
	return r->failed || r->workers_lost || (!run_output_failed() && r->done < count) ? ST_FAILED : ST_OK;
}
