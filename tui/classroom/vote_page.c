#include "tui/classroom/vote_page.h"

#include <string.h>

#include "base/printable_text.h"
#include "plot/chart_svg.h"

/* The page asks every few seconds whether there is another question; without scripts, the phone's reload does. */
static const char page_head[] =
	"<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
	"content=\"width=device-width, initial-scale=1\"><title>wavedeck vote</title><style>"
	":root{color-scheme:light dark;--ink:#111;--paper:#fff;--soft:#444;--fill:#eef2f7;--edge:#8a97a8;"
	"--chosen:#dbe8fb;--mark:#1f5fbf}"
	"@media(prefers-color-scheme:dark){:root{--ink:#eee;--paper:#16181c;--soft:#bbb;--fill:#262a31;--edge:#5d6673;"
	"--chosen:#1d3557;--mark:#7fb0f5}}"
	"body{font:1.2rem/1.4 system-ui,sans-serif;margin:0 auto;max-width:40rem;padding:1rem;color:var(--ink);"
	"background:var(--paper);overflow-wrap:anywhere}"
	"button{display:block;width:100%;margin:.7rem 0;padding:1rem;font:inherit;text-align:left;color:var(--ink);"
	"background:var(--fill);border:2px solid var(--edge);border-radius:.6rem}"
	"button.chosen{background:var(--chosen);border-color:var(--mark);font-weight:600}button:disabled{opacity:.7}"
	"p.state{color:var(--soft)}"
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

static void write_choice(struct buf *out, const struct vote_question *q, int place, bool open, bool chosen)
{
	buf_printf(out, "<button name=\"choice\" value=\"%d\"%s%s>%c) ", place + 1, chosen ? " class=\"chosen\"" : "",
		open ? "" : " disabled", 'a' + place);
	write_page_text(out, q->choices[place]);
	buf_puts(out, "</button>");
}

static const char *vote_state_text(const struct vote_question *q, bool open, int chosen)
{
	if (!q->count)
		return "Waiting for a question.";
	if (!open)
		return "The vote is over. Look at the screen.";
	return chosen ? "Your vote is counted. You can change it until the vote ends." : "Choose one.";
}

void vote_page_write(struct buf *out, const struct vote_question *q, unsigned number, bool open, int chosen)
{
	buf_puts(out, page_head);
	buf_puts(out, "<h1 style=\"font-size:1.3rem\">");
	write_page_text(out, q->text);
	buf_printf(out, "</h1><p class=\"state\">%s</p><form method=\"post\" action=\"/vote\">",
		vote_state_text(q, open, chosen));
	buf_printf(out, "<input type=\"hidden\" name=\"question\" value=\"%u\">", number);
	for (int place = 0; place < q->count; place++)
		write_choice(out, q, place, open, chosen == place + 1);
	buf_printf(out,
		"</form><script>setInterval(function(){fetch('/state').then(function(r){return r.ok?r.text():'%u %d'})"
		".then(function(t){if(t!=='%u %d')location.replace('/')}).catch(function(){})},4000)</script></body></html>",
		number, open, number, open);
}
