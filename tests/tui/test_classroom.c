/* The page for phones and the QR code, without a network: which addresses are accepted, what the page contains, what
 * the code looks like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/classroom/qr_code.h"
#include "tui/classroom/vote_page.h"
#include "tui/toolkit/theme.h"

static void only_own_addresses_are_served(void **state)
{
	(void)state;
	static const char *const refused[] = {"0.0.0.0:8080", "localhost", "127.0.0.1:", "127.0.0.1:x",
		"127.0.0.1:70000", "127.0.0.1:-1", "", ":80", "192.0.2.1:0" /* of no machine: RFC 5737 */};
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct err e = {0};
		if (vote_server_start(refused[i], &e) || !*e.text)
			fail_msg("'%s': %s", refused[i], e.text);
	}
	struct err e = {0};
	struct vote_server *s = vote_server_start("127.0.0.1:0", &e);
	if (!s)
		fail_msg("%s", e.text);
	assert_memory_equal(vote_server_url(s), "http://127.0.0.1:", 17);
	assert_true(atoi(vote_server_url(s) + 17) > 0);
	int counts[VOTE_CHOICES_MAX];
	assert_int_equal(vote_server_count(s, counts), 0);
	vote_server_stop(s);
	char suggested[64];
	vote_server_suggest_address(suggested, sizeof suggested);
	assert_non_null(strstr(suggested, ":8080"));
}

static char *page_of(const struct vote_question *q, bool open, int chosen)
{
	struct buf b = {0};
	vote_page_write(&b, q, 7, open, chosen);
	return b.data;
}

static void the_page_has_a_button_for_each_choice(void **state)
{
	(void)state;
	const struct vote_question q = {.text = "Is 1 < 2 & 2 > 1?", .choices = {"\"yes\"", "<script>"}, .count = 2};
	char *page = page_of(&q, true, 2);
	assert_non_null(strstr(page, "Is 1 &lt; 2 &amp; 2 &gt; 1?"));
	assert_non_null(strstr(page, "<button name=\"choice\" value=\"1\">a) &quot;yes&quot;</button>"));
	assert_non_null(
		strstr(page, "<button name=\"choice\" value=\"2\" class=\"chosen\">b) &lt;script&gt;</button>"));
	assert_non_null(strstr(page, "name=\"question\" value=\"7\""));
	assert_non_null(strstr(page, "Your vote is counted."));
	free(page);
	page = page_of(&q, false, 0);
	assert_non_null(strstr(page, "value=\"1\" disabled>"));
	assert_non_null(strstr(page, "The vote is over."));
	free(page);
	page = page_of(&(struct vote_question){0}, false, 0);
	assert_non_null(strstr(page, "Waiting for a question."));
	assert_null(strstr(page, "<button name"));
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
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_own_addresses_are_served),
		cmocka_unit_test(the_page_has_a_button_for_each_choice),
		cmocka_unit_test(a_code_has_its_patterns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
