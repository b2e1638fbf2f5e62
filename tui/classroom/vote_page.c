#include "tui/classroom/vote_page.h"

#include <string.h>

#include "base/printable_text.h"
#include "plot/chart_svg.h"

/* The page asks every few seconds whether there is another question; without scripts, the phone's reload does. */
static const char page_head[] =
	"<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
	"content=\"width=device-width, initial-scale=1\"><title>wavedeck vote</title><style>"
	":root{color-scheme:light dark;--ink:#111;--paper:#fff;--soft:#444;--fill:#eef2f7;--edge:#8a97a8;"
	"--chosen:#dbe8fb;--mark:#1f5fbf;--good:#dcf3e2;--goodmark:#1a7f37}"
	"@media(prefers-color-scheme:dark){:root{--ink:#eee;--paper:#16181c;--soft:#bbb;--fill:#262a31;--edge:#5d6673;"
	"--chosen:#1d3557;--mark:#7fb0f5;--good:#173d24;--goodmark:#5cc97c}}"
	"body{font:1.2rem/1.4 system-ui,sans-serif;margin:0 auto;max-width:40rem;padding:1rem;color:var(--ink);"
	"background:var(--paper);overflow-wrap:anywhere}"
	"button{display:block;width:100%;margin:.7rem 0;padding:1rem;font:inherit;text-align:left;color:var(--ink);"
	"background:var(--fill);border:2px solid var(--edge);border-radius:.6rem}"
	"h1{font-size:1.3rem}"
	"button.chosen{background:var(--chosen);border-color:var(--mark);font-weight:600}button:disabled{opacity:.7}"
	"button.right{background:var(--good);border-color:var(--goodmark);font-weight:600;opacity:1}"
	"p.state,p.reason{color:var(--soft)}p.reason{margin:0 0 1rem 1rem}"
	"</style></head><body>";

/* A lesson's text can come from other people. */
static void write_page_text(struct buf *out, const char *text)
{
	struct buf printable = {0};
	buf_puts(&printable, "");
	printable_append(&printable, text, strlen(text));
	svg_append_escaped(out, printable.data);
	buf_free(&printable);
}

static void write_choice(struct buf *out, const struct vote_page *p, int place)
{
	const struct vote_question *q = p->question;
	bool chosen = p->chosen == place + 1, revealed = p->state == VOTE_REVEALED,
	     right = revealed && place == q->right;
	buf_printf(out, "<button name=\"choice\" value=\"%d\"%s%s>%s%c) ", place + 1,
		right            ? " class=\"right\""
			: chosen ? " class=\"chosen\""
				 : "",
		p->state == VOTE_OPEN ? "" : " disabled", right ? "&#10003; " : "", 'a' + place);
	write_page_text(out, q->choices[place]);
	buf_puts(out, "</button>");
	if (revealed && !right && *q->reasons[place]) {
		buf_printf(out, "<p class=\"reason\">Not %c: ", 'a' + place);
		write_page_text(out, q->reasons[place]);
		buf_puts(out, "</p>");
	}
}

static void write_answer(struct buf *out, const struct vote_page *p)
{
	const struct vote_question *q = p->question;
	buf_printf(out, "<p><strong>The vote is over: %c is right.</strong> ", 'a' + q->right);
	write_page_text(out, q->reasons[q->right]);
	buf_puts(out, "</p>");
	if (p->chosen)
		buf_printf(out, "<p class=\"state\">Your vote was %c.</p>", 'a' + p->chosen - 1);
}

static const char *vote_state_text(const struct vote_page *p)
{
	if (!p->question->count)
		return "Waiting for a question.";
	if (p->state != VOTE_OPEN)
		return "The vote is over. Look at the screen.";
	if (p->lost_vote)
		return "Not counted: the browser has not sent the cookie of this page. Allow cookies, then choose again.";
	if (p->chosen)
		return "Your vote is counted. You can change it until the vote ends.";
	return p->question->round > 1 ? "Second vote on this question: choose one." : "Choose one.";
}

void vote_page_write_state(struct buf *out, unsigned number, enum vote_state state, unsigned timer)
{
	buf_printf(out, "%u %d %u", number, state, timer);
}

/* "1:05", which the script counts down. */
static void write_timer(struct buf *out, const struct vote_page *p)
{
	if (p->state != VOTE_OPEN || p->seconds < 0)
		return;
	buf_puts(out, "<p class=\"state\" id=\"left\">");
	if (p->seconds)
		buf_printf(out, "Time left: %d:%02d", p->seconds / 60, p->seconds % 60);
	else
		buf_puts(out, "The time is up.");
	buf_puts(out, "</p>");
	buf_printf(out,
		"<script>(function(n){var e=document.getElementById('left'),t=setInterval(function(){n=n>0?n-1:0;"
		"e.textContent=n?'Time left: '+Math.floor(n/60)+':'+String(n%%60).padStart(2,'0'):'The time is up.';"
		"if(!n)clearInterval(t)},1000)})(%d)</script>",
		p->seconds);
}

/* Keeps the page while the server cannot be reached. */
static void write_script(struct buf *out, const struct vote_page *p)
{
	struct buf state = {0};
	vote_page_write_state(&state, p->number, p->state, p->timer);
	buf_printf(out,
		"<script>setInterval(function(){fetch('/state').then(function(r){return r.ok?r.text():'%s'})"
		".then(function(t){if(t!=='%s')location.replace('/')}).catch(function(){})},4000)</script>",
		state.data, state.data);
	buf_free(&state);
}

void vote_page_write(struct buf *out, const struct vote_page *p)
{
	buf_puts(out, page_head);
	buf_puts(out, "<h1>");
	write_page_text(out, p->question->text);
	buf_puts(out, "</h1>");
	if (p->state == VOTE_REVEALED)
		write_answer(out, p);
	else
		buf_printf(out, "<p class=\"state\">%s</p>", vote_state_text(p));
	write_timer(out, p);
	buf_puts(out, "<form method=\"post\" action=\"/vote\">");
	buf_printf(out, "<input type=\"hidden\" name=\"question\" value=\"%u\">", p->number);
	for (int place = 0; place < p->question->count; place++)
		write_choice(out, p, place);
	buf_puts(out, "</form>");
	write_script(out, p);
	buf_puts(out, "</body></html>");
}
