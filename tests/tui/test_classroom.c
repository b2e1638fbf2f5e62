/* The page for phones, with clients at many addresses of this machine: which addresses are accepted, which requests and
 * votes count, what slow clients can hold; what the page contains, and what the QR code looks like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/host_clock.h"
#include "tui/classroom/open_connections.h"
#include "tui/classroom/qr_code.h"
#include "tui/classroom/vote_page.h"
#include "tui/classroom/vote_server.h"
#include "tui/toolkit/theme.h"

enum { PATIENCE_MS = 600000, SLOW_ADDRESSES = 50, SLOW_EACH = 8, SLOW = SLOW_ADDRESSES * SLOW_EACH };

static struct vote_box box;
static const struct vote_question two_choices = {.text = "Which?", .choices = {"this", "that"}, .count = 2};

static int set_up_box(void **state)
{
	(void)state;
	vote_box_init(&box);
	return 0;
}

static int tear_down_box(void **state)
{
	(void)state;
	vote_box_destroy(&box);
	return 0;
}

/* --- clients --- */
static struct vote_server *start_server(void)
{
	struct err e = {0};
	struct vote_server *s = vote_server_start("127.0.0.1:0", &box, &e);
	if (!s)
		fail_msg("%s", e.text);
	return s;
}

/* From one of 65,000 addresses of this machine: 127.1.0.0 + `client`. */
static int connect_client(const struct vote_server *s, int client)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f010000u + (unsigned)client)},
			   to = {.sin_family = AF_INET,
				   .sin_port = htons((uint16_t)atoi(vote_server_url(s) + strlen("http://127.0.0.1:"))),
				   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	assert_true(fd >= 0);
	assert_false(bind(fd, (struct sockaddr *)&from, sizeof from));
	assert_false(connect(fd, (struct sockaddr *)&to, sizeof to));
	return fd;
}

static bool is_readable(int fd, int timeout_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	return poll(&p, 1, timeout_ms) == 1;
}

/* Reads the answer to its end; the caller frees it. */
static char *read_answer(int fd)
{
	struct buf b = {0};
	char part[4096];
	buf_puts(&b, "");
	for (;;) {
		if (!is_readable(fd, PATIENCE_MS))
			fail_msg("no answer: '%s'", b.data);
		ssize_t n = recv(fd, part, sizeof part, 0);
		if (n <= 0)
			return b.data;
		buf_add(&b, part, (size_t)n);
	}
}

static char *request(const struct vote_server *s, int client, const char *method, const char *host, const char *body)
{
	int fd = connect_client(s, client);
	char *text = xasprintf("%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\n"
			       "Content-Length: %zu\r\n\r\n%s",
		method, host, strlen(body), body);
	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
	free(text);
	char *answer = read_answer(fd);
	close(fd);
	return answer;
}

static void expect_status(char *answer, int status)
{
	char start[32];
	snprintf(start, sizeof start, "HTTP/1.1 %d ", status);
	if (strncmp(answer, start, strlen(start)))
		fail_msg("not %d: '%.300s'", status, answer);
	free(answer);
}

/* "127.0.0.1:8080" of the server's address. */
static const char *own_host(const struct vote_server *s)
{
	static char host[64];
	snprintf(host, sizeof host, "%.*s", (int)strcspn(vote_server_url(s) + 7, "/"), vote_server_url(s) + 7);
	return host;
}

static char *get_page(const struct vote_server *s, int client)
{
	return request(s, client, "GET /", own_host(s), "");
}

static char *send_vote(const struct vote_server *s, int client, unsigned number, int choice)
{
	char body[64];
	snprintf(body, sizeof body, "question=%u&choice=%d", number, choice);
	return request(s, client, "POST /vote", own_host(s), body);
}

static void expect_votes(int a, int b)
{
	int counts[VOTE_CHOICES_MAX];
	assert_int_equal(vote_box_count(&box, counts), a + b);
	assert_int_equal(counts[0], a);
	assert_int_equal(counts[1], b);
}

/* --- votes --- */
static void votes_outlive_the_page(void **state)
{
	(void)state;
	struct vote_server *s = start_server();
	vote_box_ask(&box, &two_choices);
	unsigned number = box.number;
	expect_status(send_vote(s, 1, number, 1), 303);
	expect_status(send_vote(s, 2, number, 2), 303);
	vote_server_stop(s);
	expect_votes(1, 1);
	s = start_server();
	expect_votes(1, 1);
	char *page = get_page(s, 1);
	assert_non_null(strstr(page, "class=\"chosen\">a) this"));
	free(page);
	expect_status(send_vote(s, 1, number, 2), 303); /* the same device, with its old page: it changes its vote */
	expect_status(send_vote(s, 3, number, 2), 303);
	expect_votes(0, 3);
	vote_box_end(&box);
	expect_status(send_vote(s, 4, number, 1), 409);
	expect_votes(0, 3);
	vote_server_stop(s);
}

static void an_old_page_never_votes(void **state)
{
	(void)state;
	unsigned numbers[6];
	struct vote_server *s = NULL;
	for (int i = 0; i < 6; i++) {
		if (i % 2) /* the page was closed and opened */
			vote_server_stop(s);
		if (i % 2 || !s)
			s = start_server();
		if (i == 4) /* another lesson */
			vote_box_clear(&box);
		vote_box_ask(&box, &two_choices);
		numbers[i] = box.number;
		for (int k = 0; k < i; k++) {
			assert_int_not_equal(numbers[k], numbers[i]);
			expect_status(send_vote(s, 1 + i, numbers[k], 1), 409);
		}
	}
	expect_votes(0, 0);
	vote_server_stop(s);
	/* another start of the program */
	vote_box_destroy(&box);
	vote_box_init(&box);
	vote_box_ask(&box, &two_choices);
	s = start_server();
	char *state_text = request(s, 1, "GET /state", own_host(s), ""), expected[32];
	snprintf(expected, sizeof expected, "\r\n\r\n%u 1 0", box.number);
	assert_non_null(strstr(state_text, expected));
	free(state_text);
	for (int i = 0; i < 6; i++)
		assert_int_not_equal(numbers[i], box.number); /* one of 180 million times it may be */
	vote_server_stop(s);
}

static void a_page_of_the_first_round_never_votes_in_the_second(void **state)
{
	(void)state;
	struct vote_server *s = start_server();
	struct vote_question q = two_choices;
	vote_box_ask(&box, &q);
	unsigned first = box.number;
	expect_status(send_vote(s, 1, first, 1), 303);
	vote_box_end(&box);
	q.round = 2;
	vote_box_ask(&box, &q);
	assert_int_not_equal(box.number, first);
	expect_status(send_vote(s, 1, first, 1), 409);
	expect_status(send_vote(s, 2, first, 2), 409);
	expect_votes(0, 0);
	char *page = get_page(s, 1);
	assert_non_null(strstr(page, "Second vote on this question"));
	assert_null(strstr(page, "class=\"chosen\""));
	free(page);
	expect_status(send_vote(s, 1, box.number, 2), 303);
	expect_votes(0, 1);
	vote_server_stop(s);
}

static void phones_learn_the_answer_when_it_is_revealed(void **state)
{
	(void)state;
	struct vote_server *s = start_server();
	struct vote_question q = two_choices;
	char *texts[3];
	snprintf(q.reasons[0], sizeof q.reasons[0], "Because.");
	vote_box_ask(&box, &q);
	texts[0] = request(s, 1, "GET /state", own_host(s), "");
	vote_box_end(&box);
	texts[1] = request(s, 1, "GET /state", own_host(s), "");
	vote_box_reveal(&box);
	texts[2] = request(s, 1, "GET /state", own_host(s), "");
	for (int i = 0; i < 3; i++) /* each makes a phone load its page again */
		assert_string_not_equal(strstr(texts[i], "\r\n\r\n"), strstr(texts[(i + 1) % 3], "\r\n\r\n"));
	for (int i = 0; i < 3; i++)
		free(texts[i]);
	char *page = get_page(s, 1);
	assert_non_null(strstr(page, "The vote is over: a is right.</strong> Because."));
	free(page);
	expect_status(send_vote(s, 1, box.number, 1), 409);
	expect_votes(0, 0);
	vote_server_stop(s);
}

/* --- the timer --- */
static long long test_time;
static long long read_test_clock(void)
{
	return test_time;
}

static void expect_text_on_page(const struct vote_server *s, const char *text, bool expected)
{
	char *page = get_page(s, 1);
	if ((strstr(page, text) != NULL) != expected)
		fail_msg("'%s' is %son the page:\n%s", text, expected ? "not " : "", page);
	free(page);
}

static void votes_after_the_time_do_not_count(void **state)
{
	(void)state;
	struct vote_server *s = start_server();
	box.clock = read_test_clock;
	test_time = 1000;
	vote_box_ask(&box, &two_choices);
	expect_text_on_page(s, "Time left", false);
	assert_int_equal(vote_box_count_seconds(&box), -1);
	char *before = request(s, 1, "GET /state", own_host(s), "");
	vote_box_start_timer(&box, 65, true);
	char *after = request(s, 1, "GET /state", own_host(s), "");
	assert_string_not_equal(strstr(before, "\r\n\r\n"), strstr(after, "\r\n\r\n")); /* pages load it */
	free(before);
	free(after);
	expect_text_on_page(s, "Time left: 1:05", true);
	test_time += 64001;
	assert_int_equal(vote_box_count_seconds(&box), 1);
	expect_status(send_vote(s, 1, box.number, 1), 303);
	test_time += 999;
	assert_int_equal(vote_box_count_seconds(&box), 0);
	expect_status(send_vote(s, 2, box.number, 1), 409);
	expect_text_on_page(s, "The time is up.", true);
	expect_votes(1, 0);
	vote_box_start_timer(&box, 10, false); /* only shown */
	test_time += 20000;
	expect_status(send_vote(s, 2, box.number, 1), 303);
	expect_text_on_page(s, "The time is up.", true);
	vote_box_ask(&box, &two_choices); /* the next question has none */
	assert_int_equal(vote_box_count_seconds(&box), -1);
	expect_status(send_vote(s, 2, box.number, 1), 303);
	vote_server_stop(s);
}

/* --- one vote a browser --- */
/* From one address, as behind a router; the caller frees the answer. */
static char *ask_with_cookie(const struct vote_server *s, const char *method, const char *cookie, const char *body)
{
	int fd = connect_client(s, 1);
	char *text = xasprintf("%s HTTP/1.1\r\nHost: %s\r\n%s%s%sContent-Length: %zu\r\n\r\n%s", method, own_host(s),
		*cookie ? "Cookie: " : "", cookie, *cookie ? "\r\n" : "", strlen(body), body);
	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
	free(text);
	char *answer = read_answer(fd);
	close(fd);
	return answer;
}

/* "wavedeck=TOKEN" of an answer; "" without. */
static void read_cookie(const char *answer, char *out, size_t size)
{
	const char *at = strstr(answer, "Set-Cookie: ");
	snprintf(out, size, "%.*s", at ? (int)strcspn(at + 12, ";\r") : 0, at ? at + 12 : "");
}

static void expect_vote_with(const struct vote_server *s, const char *cookie, unsigned number, int choice, int status)
{
	char body[64];
	snprintf(body, sizeof body, "question=%u&choice=%d", number, choice);
	expect_status(ask_with_cookie(s, "POST /vote", cookie, body), status);
}

static void browsers_at_one_address_vote_by_cookie(void **state)
{
	(void)state;
	char cookies[30][80];
	struct vote_server *s = start_server();
	vote_box_identify(&box, VOTE_BY_BROWSER);
	vote_box_ask(&box, &two_choices);
	for (int i = 0; i < 30; i++) {
		char *page = ask_with_cookie(s, "GET /", "", "");
		read_cookie(page, cookies[i], sizeof cookies[i]);
		assert_int_equal(strlen(cookies[i]), strlen("wavedeck=") + 32);
		assert_non_null(strstr(page, "; HttpOnly; SameSite=Lax\r\n"));
		for (int k = 0; k < i; k++)
			assert_string_not_equal(cookies[i], cookies[k]);
		free(page);
		expect_vote_with(s, cookies[i], box.number, 1 + i % 2, 303);
	}
	expect_votes(15, 15);
	expect_vote_with(s, cookies[0], box.number, 2, 303); /* it changes its vote */
	expect_votes(14, 16);
	char *page = ask_with_cookie(s, "GET /", cookies[0], "");
	assert_null(strstr(page, "Set-Cookie"));
	assert_non_null(strstr(page, "class=\"chosen\">b) that"));
	free(page);
	assert_int_equal(vote_box_count_devices(&box), 30);
	/* The second round asks the same browsers. */
	vote_box_ask(&box, &two_choices);
	expect_vote_with(s, cookies[3], box.number, 1, 303);
	expect_votes(1, 0);
	assert_int_equal(vote_box_count_devices(&box), 30);
	vote_server_stop(s);
}

/* A wrong cookie, or none: the vote does not count, and the answer reports that and has a cookie. */
static void a_vote_without_its_cookie_does_not_count(void **state)
{
	(void)state;
	static const char *const wrong[] = {
		"", "wavedeck=", "wavedeck=00000000000000000000000000000000", "other=1", "wavedeck=' or 1"};
	struct vote_server *s = start_server();
	char cookie[80], body[64];
	vote_box_identify(&box, VOTE_BY_BROWSER);
	vote_box_ask(&box, &two_choices);
	snprintf(body, sizeof body, "question=%u&choice=1", box.number);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char *answer = ask_with_cookie(s, "POST /vote", wrong[i], body);
		read_cookie(answer, cookie, sizeof cookie);
		assert_non_null(strstr(answer, "Not counted: the browser has not sent the cookie"));
		expect_status(answer, 409);
		expect_votes(0, 0);
	}
	expect_vote_with(s, cookie, box.number, 1, 303);
	expect_votes(1, 0);
	expect_status(ask_with_cookie(s, "GET /state", "", ""), 200); /* makes no browser */
	assert_int_equal(vote_box_count_devices(&box), 5);
	vote_server_stop(s);
}

static void another_mode_forgets_the_votes(void **state)
{
	(void)state;
	struct vote_server *s = start_server();
	vote_box_ask(&box, &two_choices);
	expect_status(send_vote(s, 1, box.number, 1), 303);
	char *page = get_page(s, 1);
	assert_null(strstr(page, "Set-Cookie")); /* an address needs no cookie */
	free(page);
	assert_int_equal(vote_box_count_devices(&box), 1);
	vote_box_identify(&box, VOTE_BY_ADDRESS);
	expect_votes(1, 0);
	vote_box_identify(&box, VOTE_BY_BROWSER);
	expect_votes(0, 0);
	assert_int_equal(vote_box_count_devices(&box), 0);
	vote_server_stop(s);
}

/* One program that takes cookie after cookie at one address ends up refused; browsers with a cookie go on. */
static void new_browsers_are_limited(void **state)
{
	(void)state;
	char cookie[80];
	struct vote_server *s = start_server();
	vote_box_identify(&box, VOTE_BY_BROWSER);
	vote_box_ask(&box, &two_choices);
	char *page = ask_with_cookie(s, "GET /", "", "");
	read_cookie(page, cookie, sizeof cookie);
	free(page);
	for (int i = 1; i < VOTE_NEW_MAX; i++)
		free(ask_with_cookie(s, "GET /", "", ""));
	vote_box_find_device(&box, htonl(0x7f010001u))->since = now_ms(); /* the same window on a slow machine */
	vote_box_find_device(&box, htonl(0x7f010001u))->requests = VOTE_NEW_MAX;
	expect_status(ask_with_cookie(s, "GET /", "", ""), 429);
	expect_vote_with(s, cookie, box.number, 1, 303);
	expect_votes(1, 0);
	vote_server_stop(s);
}

/* Connections that say nothing, of one address: phones with votes by browser all get an answer, an address has eight.
 */
static void phones_at_one_address_share_its_connections(void **state)
{
	(void)state;
	enum { IDLE = 100 };
	int idle[IDLE];
	struct vote_server *s = start_server();
	vote_box_identify(&box, VOTE_BY_BROWSER);
	vote_box_ask(&box, &two_choices);
	for (int i = 0; i < IDLE; i++)
		idle[i] = connect_client(s, 1);
	expect_status(ask_with_cookie(s, "GET /", "", ""), 200);
	for (int i = 0; i < IDLE; i++) {
		char *text = xasprintf("GET /state HTTP/1.1\r\nHost: %s\r\n\r\n", own_host(s));
		assert_int_equal(send(idle[i], text, strlen(text), MSG_NOSIGNAL), strlen(text));
		free(text);
		expect_status(read_answer(idle[i]), 200);
		close(idle[i]);
	}
	vote_box_identify(&box, VOTE_BY_ADDRESS);
	for (int i = 0; i < 9; i++)
		idle[i] = connect_client(s, 1);
	char *end = read_answer(idle[0]); /* the ninth shuts the oldest */
	assert_string_equal(end, "");
	free(end);
	for (int i = 0; i < 9; i++)
		close(idle[i]);
	vote_server_stop(s);
}

/* --- too many devices --- */
static void a_wrong_host_takes_no_place(void **state)
{
	(void)state;
	struct vote_server *s = start_server();
	vote_box_ask(&box, &two_choices);
	for (int i = 0; i < VOTE_DEVICES_MAX + 1; i++)
		expect_status(request(s, 1 + i, "GET /", "elsewhere.example", ""), 403);
	assert_int_equal(box.device_count, 0);
	expect_status(get_page(s, 5000), 200);
	vote_server_stop(s);
}

static void devices_without_a_vote_make_room(void **state)
{
	(void)state;
	struct vote_server *s = start_server();
	vote_box_ask(&box, &two_choices);
	expect_status(send_vote(s, 1, box.number, 2), 303);
	for (int i = 1; i < VOTE_DEVICES_MAX; i++)
		expect_status(get_page(s, 1 + i), 200);
	assert_int_equal(box.device_count, VOTE_DEVICES_MAX);
	expect_status(get_page(s, 5000), 200);
	expect_status(send_vote(s, 5000, box.number, 1), 303);
	expect_votes(1, 1);
	for (int i = 0; i < VOTE_DEVICES_MAX; i++)
		box.devices[i].choice = 1;
	expect_status(get_page(s, 5001), 503); /* no vote is given up */
	expect_votes(VOTE_DEVICES_MAX, 0);
	vote_server_stop(s);
}

/* --- slow clients --- */
static void send_byte(int fd)
{
	(void)!send(fd, "G", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void slow_clients_leave_room(void **state)
{
	(void)state;
	struct vote_server *s = start_server();
	static int slow[SLOW];
	for (int i = 0; i < SLOW; i++) {
		slow[i] = connect_client(s, 1 + i / SLOW_EACH);
		send_byte(slow[i]);
	}
	char *text = xasprintf("GET / HTTP/1.1\r\nHost: %s\r\n\r\n", own_host(s));
	int fd = connect_client(s, 5000);
	long long began = now_ms();
	send(fd, text, strlen(text), MSG_NOSIGNAL);
	while (!is_readable(fd, 100)) { /* the slow ones are never silent for long */
		for (int i = 0; i < SLOW; i++)
			send_byte(slow[i]);
		if (now_ms() - began > PATIENCE_MS)
			fail_msg("a phone is not served while others send byte by byte");
	}
	expect_status(read_answer(fd), 200);
	close(fd);
	for (int i = 0; i < SLOW; i++)
		close(slow[i]);
	free(text);
	vote_server_stop(s);
}

static void a_request_takes_no_longer_than_its_limit(void **state)
{
	(void)state;
	struct vote_server *s = start_server();
	int fd = connect_client(s, 1);
	long long began = now_ms();
	char *answer;
	while (!is_readable(fd, 100)) {
		send_byte(fd);
		if (now_ms() - began > PATIENCE_MS)
			fail_msg("a request that goes on byte by byte has no end");
	}
	assert_true(now_ms() - began >= VOTE_REQUEST_MS / 2);
	answer = read_answer(fd);
	assert_string_equal(answer, "");
	free(answer);
	close(fd);
	vote_server_stop(s);
}

static void connections_are_shut_in_time(void **state)
{
	(void)state;
	struct open_connections *o = open_connections_start(20), *patient = open_connections_start(PATIENCE_MS);
	int late[2], removed[2];
	assert_false(socketpair(AF_UNIX, SOCK_STREAM, 0, late));
	assert_false(socketpair(AF_UNIX, SOCK_STREAM, 0, removed));
	open_connections_add(patient, removed[0], 1, 8);
	open_connections_remove(patient, removed[0]);
	open_connections_add(o, removed[0], 1, 8);
	open_connections_remove(o, removed[0]);
	open_connections_add(o, late[0], 1, 8);
	char *end = read_answer(late[1]); /* returns when it is shut */
	assert_string_equal(end, "");
	free(end);
	assert_false(is_readable(removed[1], 0));
	open_connections_remove(o, late[0]);
	open_connections_stop(o);
	open_connections_stop(patient);
	for (int i = 0; i < 2; i++) {
		close(late[i]);
		close(removed[i]);
	}
}

/* --- addresses --- */
static void only_own_addresses_are_served(void **state)
{
	(void)state;
	static const char *const refused[] = {"0.0.0.0:8080", "localhost", "127.0.0.1:", "127.0.0.1:x",
		"127.0.0.1:70000", "127.0.0.1:-1", "", ":80", "192.0.2.1:0" /* of no machine: RFC 5737 */};
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct err e = {0};
		if (vote_server_start(refused[i], &box, &e) || !*e.text)
			fail_msg("'%s': %s", refused[i], e.text);
	}
	struct vote_server *s = start_server();
	assert_memory_equal(vote_server_url(s), "http://127.0.0.1:", 17);
	assert_true(atoi(vote_server_url(s) + 17) > 0);
	expect_votes(0, 0);
	vote_server_stop(s);
	char suggested[64];
	vote_server_suggest_address(suggested, sizeof suggested);
	assert_non_null(strstr(suggested, ":8080"));
}

static char *page_of(const struct vote_question *q, enum vote_state state, int chosen)
{
	struct buf b = {0};
	vote_page_write(
		&b, &(struct vote_page){.question = q, .number = 7, .state = state, .chosen = chosen, .seconds = -1});
	return b.data;
}

static void the_page_has_a_button_for_each_choice(void **state)
{
	(void)state;
	const struct vote_question q = {.text = "Is 1 < 2 & 2 > 1?", .choices = {"\"yes\"", "<script>"}, .count = 2};
	char *page = page_of(&q, VOTE_OPEN, 2);
	assert_non_null(strstr(page, "Is 1 &lt; 2 &amp; 2 &gt; 1?"));
	assert_non_null(strstr(page, "<button name=\"choice\" value=\"1\">a) &quot;yes&quot;</button>"));
	assert_non_null(
		strstr(page, "<button name=\"choice\" value=\"2\" class=\"chosen\">b) &lt;script&gt;</button>"));
	assert_non_null(strstr(page, "name=\"question\" value=\"7\""));
	assert_non_null(strstr(page, "Your vote is counted."));
	free(page);
	page = page_of(&q, VOTE_OVER, 0);
	assert_non_null(strstr(page, "value=\"1\" disabled>"));
	assert_non_null(strstr(page, "The vote is over."));
	free(page);
	page = page_of(&(struct vote_question){0}, VOTE_OVER, 0);
	assert_non_null(strstr(page, "Waiting for a question."));
	assert_null(strstr(page, "<button name"));
	free(page);
}

/* The right choice with its reason, and the reasons of the others: only after the answer is revealed. */
static void the_page_tells_the_answer_when_it_is_revealed(void **state)
{
	(void)state;
	const struct vote_question q = {.text = "Which?",
		.choices = {"this", "that"},
		.reasons = {"It is <too> slow.", "It has four banks."},
		.count = 2,
		.right = 1,
		.round = 1};
	for (int over = 0; over < 2; over++) {
		char *hidden = page_of(&q, over ? VOTE_OVER : VOTE_OPEN, 1);
		assert_null(strstr(hidden, "slow"));
		assert_null(strstr(hidden, "banks"));
		assert_null(strstr(hidden, "class=\"right\""));
		assert_null(strstr(hidden, "is right"));
		free(hidden);
	}
	char *page = page_of(&q, VOTE_REVEALED, 1);
	assert_non_null(strstr(page, "The vote is over: b is right.</strong> It has four banks."));
	assert_non_null(strstr(page, "Your vote was a."));
	assert_non_null(strstr(page, "value=\"1\" class=\"chosen\" disabled>a) this"));
	assert_non_null(strstr(page, "value=\"2\" class=\"right\" disabled>&#10003; b) that"));
	assert_non_null(strstr(page, "Not a: It is &lt;too&gt; slow."));
	assert_null(strstr(page, "Not b:"));
	free(page);
}

/* Escape sequences, right-to-left overrides and invisible characters of a lesson, and a text cut within a character. */
static void the_page_has_only_printable_text(void **state)
{
	(void)state;
	static const char *const hidden[] = {"\u202e", "\u200b", "\u2066", "\xc2\x9b", "\x1b", "\x7f"};
	struct vote_question q = {.text = "a\u202eb\u2066c\xc2\x9b"
					  "31md\x1b[0m",
		.count = 2};
	snprintf(q.choices[0], sizeof q.choices[0], "e\u200bf\x7f");
	snprintf(q.choices[1], sizeof q.choices[1], "\u00fcber\xe2\x82");
	char *page = page_of(&q, VOTE_OPEN, 0);
	for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
		assert_null(strstr(page, hidden[i]));
	assert_non_null(strstr(page, "a?b?c?31md?[0m"));
	assert_non_null(strstr(page, "e?f?"));
	assert_non_null(strstr(page, "b) \u00fcber</button>"));
	free(page);
}

/* The three finder patterns, and the margin around the code. */
static void a_code_has_its_patterns(void **state)
{
	(void)state;
	struct qr_code q;
	struct grid g = {0};
	qr_code_make(&q, "http://192.168.1.5:8080/");
	assert_in_range(q.side, 21, 29);
	for (int i = 0; i < 7; i++) {
		assert_int_equal(q.dark[i], 1);
		assert_int_equal(q.dark[q.side - 7 + i], 1);
		assert_int_equal(q.dark[(q.side - 7 + i) * q.side], 1);
	}
	assert_int_equal(qr_code_columns(&q), q.side + 4);
	grid_resize(&g, 60, 30);
	qr_code_draw(&q, area_of_grid(&g, (struct rect){0, 0, 60, 30}), ROLE_TEXT, false);
	assert_string_equal(g.cells[0].utf8, "█");          /* the margin is light: filled on a dark background */
	assert_string_equal(g.cells[1 * 60 + 2].utf8, " "); /* a dark module above a dark one */
	qr_code_draw(&q, area_of_grid(&g, (struct rect){0, 0, 60, 30}), ROLE_TEXT, true);
	assert_string_equal(g.cells[0].utf8, " ");
	assert_string_equal(g.cells[1 * 60 + 2].utf8, "█");
	grid_free(&g);
	char *endless = calloc(5000, 1);
	memset(endless, 'x', 4999);
	qr_code_make(&q, endless);
	assert_int_equal(qr_code_columns(&q), 0);
	free(endless);
}

int main(void)
{
#define BOX(test) cmocka_unit_test_setup_teardown(test, set_up_box, tear_down_box)
	const struct CMUnitTest tests[] = {
		BOX(only_own_addresses_are_served),
		BOX(votes_outlive_the_page),
		BOX(an_old_page_never_votes),
		BOX(votes_after_the_time_do_not_count),
		BOX(browsers_at_one_address_vote_by_cookie),
		BOX(a_vote_without_its_cookie_does_not_count),
		BOX(another_mode_forgets_the_votes),
		BOX(new_browsers_are_limited),
		BOX(phones_at_one_address_share_its_connections),
		BOX(a_wrong_host_takes_no_place),
		BOX(devices_without_a_vote_make_room),
		BOX(slow_clients_leave_room),
		BOX(a_request_takes_no_longer_than_its_limit),
		cmocka_unit_test(connections_are_shut_in_time),
		cmocka_unit_test(the_page_has_a_button_for_each_choice),
		cmocka_unit_test(the_page_tells_the_answer_when_it_is_revealed),
		cmocka_unit_test(the_page_has_only_printable_text),
		BOX(a_page_of_the_first_round_never_votes_in_the_second),
		BOX(phones_learn_the_answer_when_it_is_revealed),
		cmocka_unit_test(a_code_has_its_patterns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
