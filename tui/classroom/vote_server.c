#include "tui/classroom/vote_server.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <ifaddrs.h>
#include <microhttpd.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host/shared_library.h"
#include "base/host_clock.h"
#include "tui/classroom/open_connections.h"
#include "tui/classroom/vote_page.h"

enum { BODY_MAX = 256, DEFAULT_PORT = 8080, CONNECTIONS_PER_ADDRESS = 8, COOKIE_SECONDS = 86400 };
#define COOKIE "wavedeck"

/* --- the library --- */
static struct {
	__typeof__(MHD_start_daemon) *start;
	__typeof__(MHD_stop_daemon) *stop;
	__typeof__(MHD_get_daemon_info) *daemon_info;
	__typeof__(MHD_get_connection_info) *connection_info;
	__typeof__(MHD_lookup_connection_value) *lookup;
	__typeof__(MHD_create_response_from_buffer) *response;
	__typeof__(MHD_add_response_header) *header;
	__typeof__(MHD_queue_response) *queue;
	__typeof__(MHD_destroy_response) *destroy;
} http;

static bool load_http_library(struct err *e)
{
	static const struct shared_library microhttpd = {"libmicrohttpd.so", "12", NULL};
	static const struct library_function functions[] = {{"MHD_start_daemon", &http.start},
		{"MHD_stop_daemon", &http.stop}, {"MHD_get_daemon_info", &http.daemon_info},
		{"MHD_get_connection_info", &http.connection_info}, {"MHD_lookup_connection_value", &http.lookup},
		{"MHD_create_response_from_buffer", &http.response}, {"MHD_add_response_header", &http.header},
		{"MHD_queue_response", &http.queue}, {"MHD_destroy_response", &http.destroy}};
	char why[200];
	void *library = shared_library_open(&microhttpd, RTLD_NOW, why, sizeof why);
	if (!library)
		return err_set(e, ST_FAILED, "votes from phones need libmicrohttpd; install libmicrohttpd12");
	const char *missing = shared_library_find(library, functions, sizeof functions / sizeof *functions);
	return !missing || err_set(e, ST_FAILED, "libmicrohttpd lacks %s", missing);
}

struct vote_server {
	struct MHD_Daemon *daemon;
	struct open_connections *connections;
	struct vote_box *box;
	char url[64], host[32]; /* "192.168.1.5:8080" */
};

/* --- requests --- */
struct vote_request {
	char body[BODY_MAX];
	size_t length;
	bool too_long;
};

/* `token`: of a new browser, else NULL. */
static void add_cookie(struct MHD_Response *r, const char *token)
{
	char cookie[120];
	snprintf(
		cookie, sizeof cookie, COOKIE "=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Lax", token, COOKIE_SECONDS);
	http.header(r, "Set-Cookie", cookie);
}

static enum MHD_Result send_answer(
	struct MHD_Connection *c, unsigned status, const char *type, const char *text, const char *token)
{
	struct MHD_Response *r = http.response(strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
	if (!r)
		return MHD_NO;
	http.header(r, "Content-Type", type);
	http.header(r, "Connection", "close"); /* so that the limit of a connection's time is that of a request */
	http.header(r, "Cache-Control", "no-store");
	http.header(r, "X-Content-Type-Options", "nosniff");
	/* With no-referrer, browsers send `Origin: null` with a vote. */
	http.header(r, "Referrer-Policy", "same-origin");
	http.header(r, "Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
		"form-action 'self'; frame-ancestors 'none'");
	if (status == MHD_HTTP_SEE_OTHER)
		http.header(r, "Location", "/");
	if (token)
		add_cookie(r, token);
	enum MHD_Result sent = http.queue(c, status, r);
	http.destroy(r);
	return sent;
}

static enum MHD_Result send_text(struct MHD_Connection *c, unsigned status, const char *type, const char *text)
{
	return send_answer(c, status, type, text, NULL);
}

/* Who asks, and what for. */
struct visit {
	struct vote_device *device;
	bool is_new; /* a browser that gets its cookie with the answer */
	const char *path;
	bool posts;
	const struct vote_request *request;
};

static enum MHD_Result send_page(
	const struct vote_box *box, struct MHD_Connection *c, const struct visit *v, unsigned status)
{
	struct buf b = {0};
	vote_page_write(&b,
		&(struct vote_page){.question = &box->question,
			.number = box->number,
			.state = box->state,
			.chosen = v->device->choice,
			.seconds = vote_box_find_seconds(box),
			.timer = box->timer.number,
			.lost_vote = v->is_new && v->posts});
	enum MHD_Result sent =
		send_answer(c, status, "text/html; charset=utf-8", b.data, v->is_new ? v->device->token : NULL);
	buf_free(&b);
	return sent;
}

static enum MHD_Result send_state(const struct vote_box *box, struct MHD_Connection *c)
{
	struct buf b = {0};
	vote_page_write_state(&b, box->number, box->state, box->timer.number);
	enum MHD_Result sent = send_text(c, MHD_HTTP_OK, "text/plain", b.data);
	buf_free(&b);
	return sent;
}

/* "question=3&choice=2", in any order. */
static long find_form_number(const char *body, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = body; at; at = strchr(at, '&') ? strchr(at, '&') + 1 : NULL)
		if (!strncmp(at, name, n) && at[n] == '=')
			return strtol(at + n + 1, NULL, 10);
	return -1;
}

static enum MHD_Result take_vote(const struct vote_box *box, struct MHD_Connection *c, const struct visit *v)
{
	const struct vote_request *r = v->request;
	long question = find_form_number(r->body, "question"), choice = find_form_number(r->body, "choice");
	if (r->too_long || choice < 1 || choice > VOTE_CHOICES_MAX)
		return send_text(c, MHD_HTTP_BAD_REQUEST, "text/plain", "not a choice\n");
	/* The page has the next question, or that the vote is over, or a cookie. */
	bool late = box->timer.ends_vote && !vote_box_find_seconds(box);
	if (box->state != VOTE_OPEN || late || question != (long)box->number || v->is_new)
		return send_page(box, c, v, MHD_HTTP_CONFLICT);
	if (choice > box->question.count)
		return send_text(c, MHD_HTTP_BAD_REQUEST, "text/plain", "not a choice\n");
	v->device->choice = (int)choice;
	return send_text(c, MHD_HTTP_SEE_OTHER, "text/plain", "counted\n");
}

/* A page of another site cannot reach the server by a name that it has pointed to this address, nor post to it. */
static bool is_own_request(const struct vote_server *s, struct MHD_Connection *c)
{
	const char *host = http.lookup(c, MHD_HEADER_KIND, "Host"), *origin = http.lookup(c, MHD_HEADER_KIND, "Origin");
	return host && !strcmp(host, s->host) &&
		(!origin || (!strncmp(origin, "http://", 7) && !strcmp(origin + 7, s->host)));
}

static bool device_may_ask(struct vote_device *d, int most)
{
	d->seen = now_ms();
	if (d->seen - d->since >= VOTE_WINDOW_MS) {
		d->since = d->seen;
		d->requests = 0;
	}
	return d->requests++ < most;
}

static enum MHD_Result answer_visit(
	const struct vote_box *box, struct MHD_Connection *c, const struct visit *v, const char *method)
{
	if (v->posts && !strcmp(v->path, "/vote"))
		return take_vote(box, c, v);
	if (strcmp(method, "GET"))
		return send_text(c, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain", "method not allowed\n");
	if (!strcmp(v->path, "/"))
		return send_page(box, c, v, MHD_HTTP_OK);
	if (strcmp(v->path, "/state"))
		return send_text(c, MHD_HTTP_NOT_FOUND, "text/plain", "not found\n");
	return send_state(box, c);
}

static in_addr_t find_peer_address(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info = http.connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const struct sockaddr_in *peer = info ? (const struct sockaddr_in *)info->client_addr : NULL;
	return peer && peer->sin_family == AF_INET ? peer->sin_addr.s_addr : 0;
}

/* A browser gets its cookie with a page; it does not become a device by other requests. */
static bool needs_cookie(const struct visit *v)
{
	return !strcmp(v->path, v->posts ? "/vote" : "/");
}

/* Who asks is limited: an address, a browser with its cookie, or the address of a browser without one. Returns the
 * status of a refusal, or 0. */
static unsigned admit_visit(struct vote_box *box, struct MHD_Connection *c, struct visit *v)
{
	const char *token = http.lookup(c, MHD_COOKIE_KIND, COOKIE);
	in_addr_t address = find_peer_address(c);
	bool by_browser = box->by == VOTE_BY_BROWSER;
	v->device = by_browser && token ? vote_box_find_browser(box, token) : NULL;
	bool known = !by_browser || v->device;
	if (!v->device)
		v->device = vote_box_find_device(box, address);
	if (v->device && !device_may_ask(v->device, known ? VOTE_REQUESTS_MAX : VOTE_NEW_MAX))
		return MHD_HTTP_TOO_MANY_REQUESTS;
	v->is_new = !known && needs_cookie(v);
	if (v->device && v->is_new)
		v->device = vote_box_add_browser(box, address);
	return v->device ? 0 : MHD_HTTP_SERVICE_UNAVAILABLE;
}

/* The lock of the box is held. A request for another host takes no place in the list of devices. */
static enum MHD_Result judge_request(struct vote_server *s, struct MHD_Connection *c, const char *path,
	const char *method, const struct vote_request *r)
{
	struct visit v = {.path = path, .posts = !strcmp(method, "POST"), .request = r};
	if (!is_own_request(s, c))
		return send_text(c, MHD_HTTP_FORBIDDEN, "text/plain", "forbidden\n");
	unsigned refusal = admit_visit(s->box, c, &v);
	if (refusal)
		return send_text(c, refusal, "text/plain",
			refusal == MHD_HTTP_TOO_MANY_REQUESTS ? "too many requests; wait a minute\n"
							      : "too many devices\n");
	return answer_visit(s->box, c, &v, method);
}

static enum MHD_Result handle_request(void *ctx, struct MHD_Connection *c, const char *path, const char *method,
	const char *version, const char *data, size_t *size, void **state)
{
	struct vote_server *s = ctx;
	struct vote_request *r = *state;
	(void)version;
	if (!r) { /* the first call has only the headers */
		*state = calloc(1, sizeof *r);
		return *state ? MHD_YES : MHD_NO;
	}
	if (*size) {
		r->too_long = r->too_long || r->length + *size >= BODY_MAX;
		if (!r->too_long)
			memcpy(r->body + r->length, data, *size);
		r->length += r->too_long ? 0 : *size;
		*size = 0;
		return MHD_YES;
	}
	pthread_mutex_lock(&s->box->lock);
	enum MHD_Result sent = judge_request(s, c, path, method, r);
	pthread_mutex_unlock(&s->box->lock);
	return sent;
}

static void end_request(void *ctx, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode why)
{
	(void)ctx, (void)c, (void)why;
	free(*state);
}

/* --- connections --- */
/* Phones that share an address share its connections. */
static int connection_limit(struct vote_box *box)
{
	pthread_mutex_lock(&box->lock);
	enum vote_by by = box->by;
	pthread_mutex_unlock(&box->lock);
	return by == VOTE_BY_BROWSER ? OPEN_CONNECTIONS_MAX : CONNECTIONS_PER_ADDRESS;
}

/* libmicrohttpd limits only how long a client may send nothing. It closes the socket after the call with CLOSED. From
 * 1.0 on, it answers each question about a connection in the same memory. */
static void watch_connection(
	void *ctx, struct MHD_Connection *c, void **socket_context, enum MHD_ConnectionNotificationCode what)
{
	struct vote_server *s = ctx;
	const union MHD_ConnectionInfo *info = NULL;
	if (what == MHD_CONNECTION_NOTIFY_CLOSED)
		open_connections_remove(s->connections, (int)(intptr_t)*socket_context);
	else if ((info = http.connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD))) {
		int fd = info->connect_fd;
		*socket_context = (void *)(intptr_t)fd;
		open_connections_add(s->connections, fd, find_peer_address(c), connection_limit(s->box));
	}
}

/* --- start and stop --- */
static bool parse_vote_address(const char *where, struct sockaddr_in *out, struct err *e)
{
	char host[64], *end = NULL;
	const char *colon = strrchr(where, ':');
	long port = colon ? strtol(colon + 1, &end, 10) : DEFAULT_PORT;
	snprintf(host, sizeof host, "%.*s", colon ? (int)(colon - where) : 63, where);
	*out = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	if (inet_pton(AF_INET, host, &out->sin_addr) != 1 || port < 0 || port > 65535 ||
		(end && (*end || end == colon + 1)))
		return err_set(e, ST_REQUEST, "not an address: '%.60s'; write for example 192.168.1.5:8080", where);
	return out->sin_addr.s_addr != INADDR_ANY ||
		err_set(e, ST_REQUEST, "0.0.0.0 would open all networks; name one address of this machine");
}

static void set_vote_url(struct vote_server *s, const struct sockaddr_in *at)
{
	char host[INET_ADDRSTRLEN];
	const union MHD_DaemonInfo *info = http.daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
	int port = info && info->port ? info->port : ntohs(at->sin_port);
	inet_ntop(AF_INET, &at->sin_addr, host, sizeof host);
	if (port == 80)
		snprintf(s->host, sizeof s->host, "%s", host);
	else
		snprintf(s->host, sizeof s->host, "%s:%d", host, port);
	snprintf(s->url, sizeof s->url, "http://%s/", s->host);
}

static struct MHD_Daemon *start_daemon(struct vote_server *s, struct sockaddr_in *at)
{
	return http.start(MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handle_request, s, MHD_OPTION_SOCK_ADDR,
		(struct sockaddr *)at, MHD_OPTION_NOTIFY_COMPLETED, end_request, NULL, MHD_OPTION_NOTIFY_CONNECTION,
		watch_connection, s, MHD_OPTION_CONNECTION_LIMIT, (unsigned)OPEN_CONNECTIONS_MAX,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)(VOTE_REQUEST_MS / 1000), MHD_OPTION_END);
}

struct vote_server *vote_server_start(const char *where, struct vote_box *box, struct err *e)
{
	struct sockaddr_in at;
	if (!parse_vote_address(where, &at, e) || !load_http_library(e))
		return NULL;
	struct vote_server *s = xcalloc(1, sizeof *s);
	s->box = box;
	s->connections = open_connections_start(VOTE_REQUEST_MS);
	if (s->connections)
		s->daemon = start_daemon(s, &at);
	if (s->daemon) {
		set_vote_url(s, &at);
		return s;
	}
	vote_server_stop(s);
	err_set(e, ST_FAILED, "cannot serve at %.60s; is it an address of this machine, and is the port free?", where);
	return NULL;
}

void vote_server_stop(struct vote_server *s)
{
	if (!s)
		return;
	if (s->daemon)
		http.stop(s->daemon);
	open_connections_stop(s->connections);
	free(s);
}

const char *vote_server_url(const struct vote_server *s)
{
	return s->url;
}

void vote_server_suggest_address(char *out, size_t size)
{
	struct ifaddrs *all = NULL;
	char host[INET_ADDRSTRLEN] = "127.0.0.1";
	if (!getifaddrs(&all))
		for (const struct ifaddrs *i = all; i; i = i->ifa_next)
			if (i->ifa_addr && i->ifa_addr->sa_family == AF_INET && !(i->ifa_flags & IFF_LOOPBACK) &&
				i->ifa_flags & IFF_UP) {
				inet_ntop(AF_INET, &((struct sockaddr_in *)i->ifa_addr)->sin_addr, host, sizeof host);
				break;
			}
	if (all)
		freeifaddrs(all);
	snprintf(out, size, "%s:%d", host, DEFAULT_PORT);
}
