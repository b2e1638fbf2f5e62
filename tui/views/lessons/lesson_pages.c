/* The pages of a lesson: introduction, steps, and what follows them. */
#include "tui/views/lessons/lessons_view.h"

static int last_parts(const struct lesson *l)
{
	return lesson_has_part(l, LESSON_OTHERS) + lesson_has_part(l, LESSON_EXERCISES);
}

int lesson_page_count(const struct lesson *l)
{
	return 1 + l->step_count + last_parts(l);
}

enum lesson_page_kind lesson_page_kind(const struct lesson *l, int page)
{
	if (page <= 0)
		return PAGE_INTRODUCTION;
	if (page <= l->step_count)
		return PAGE_STEP;
	return page == l->step_count + 1 && lesson_has_part(l, LESSON_OTHERS) ? PAGE_OTHERS : PAGE_EXERCISES;
}

struct step_state *lessons_view_step(const struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	return v && v->open && v->page >= 1 && v->page <= v->step_count ? &v->steps[v->page - 1] : NULL;
}

static bool is_step_answered(const struct lesson_view *v, const struct lesson *l, int step)
{
	return v->steps[step - 1].stage == STAGE_REVEALED ||
		(!v->class_mode && course_progress_get(&v->progress, l->id, step).done);
}

bool lessons_view_page_is_open(const struct app *a, int page)
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct lesson *l = lessons_view_lesson(a);
	for (int step = 1; step < page && step <= v->step_count; step++)
		if (!is_step_answered(v, l, step))
			return false;
	return true;
}

void lessons_view_go_to(struct app *a, int page)
{
	struct lesson_view *v = lessons_view_of(a);
	const struct lesson *l = lessons_view_lesson(a);
	if (page < 0 || page >= lesson_page_count(l))
		return;
	if (!lessons_view_page_is_open(a, page)) {
		app_show_message(a, ROLE_WARN, "answer this question first, or press x to skip it");
		return;
	}
	v->page = page;
	v->scroll = 0;
	v->shows_source = false;
	v->drawing = false;
	lessons_view_ask_class(a);
	app_request_redraw(a);
}
