/* Builds a kernel's model in the background: one thread at a time, because a compiler may take half a second. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/log.h"
#include "kernels/compile/kernel_build.h"
#include "tui/views/code/code_view.h"

struct code_loading {
	pthread_t thread;
	atomic_bool done;
	struct code_slot *slot; /* the view that asked; the thread does not touch it */
	struct code_request request;
	struct code_model *model;
	struct err e;
};

static void *load_in_thread(void *arg)
{
	struct code_loading *l = arg;
	l->model = code_model_load(&l->request, &l->e);
	atomic_store(&l->done, true);
	return NULL;
}

static void start_loading(struct code_view *v, struct code_slot *s)
{
	struct code_loading *l = xcalloc(1, sizeof *l);
	l->slot = s;
	code_request_copy(&l->request, &s->request);
	if (pthread_create(&l->thread, NULL, load_in_thread, l)) { /* no thread available: build it now */
		load_in_thread(l);
		l->thread = pthread_self();
	}
	v->loading = l;
}

static void join_thread(struct code_loading *l)
{
	if (!pthread_equal(l->thread, pthread_self()))
		pthread_join(l->thread, NULL);
}

static void install_model(struct app *a, struct code_slot *s, struct code_loading *l)
{
	struct code_view *v = code_view_of(a);
	code_diff_free(&v->diff);
	if (s == &v->shown) { /* the diff points into the model */
		code_profile_free(v->profile);
		v->profile = NULL;
	}
	code_model_free(s->model);
	s->model = l->model;
	s->wanted = false;
	l->model = NULL;
	snprintf(s->error, sizeof s->error, "%s", s->model ? "" : l->e.text);
	if (s->model && s->model->warning[0])
		app_show_message(a, ROLE_WARN, "%s", s->model->warning);
	if (!s->model)
		log_printf(LOG_ERROR, "%s", s->error);
	if (s == &v->shown)
		code_view_go_to_loop(v);
	app_request_redraw(a);
}

static void finish_loading(struct app *a)
{
	struct code_loading *l = code_view_of(a)->loading;
	join_thread(l);
	code_view_of(a)->loading = NULL;
	if (code_request_equals(&l->request, &l->slot->request))
		install_model(a, l->slot, l);
	code_model_free(l->model);
	code_request_free(&l->request);
	free(l);
}

void code_loading_update(struct app *a)
{
	struct code_view *v = code_view_of(a);
	if (v->loading && atomic_load(&v->loading->done))
		finish_loading(a);
	if (!v->loading && v->shown.wanted)
		start_loading(v, &v->shown);
	else if (!v->loading && v->comparing && v->other.wanted)
		start_loading(v, &v->other);
}

void code_loading_wait(struct code_view *v)
{
	struct code_loading *l = v->loading;
	if (!l)
		return;
	while (!atomic_load(&l->done) && kernel_build_cancel())
		;
	join_thread(l);
	code_model_free(l->model);
	code_request_free(&l->request);
	free(l);
	v->loading = NULL;
}
