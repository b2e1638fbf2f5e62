#include "cli/manual_page.h"

#include <ctype.h>
#include <string.h>

#include "base/text_width.h"

enum { PAGE_WIDTH = 100, INDENT = 28 };

/* --- roff --- */
/* Escapes whatever roff would interpret; a dash stays the ASCII minus, so that options can be copied. */
static void write_roff_text(FILE *out, const char *text, bool line_begins)
{
	if (line_begins && (*text == '.' || *text == '\''))
		fputs("\\&", out);
	for (; *text; text++)
		switch (*text) {
		case '\\': fputs("\\e", out); break;
		case '-': fputs("\\-", out); break;
		case '^': fputs("\\(ha", out); break;
		case '~': fputs("\\(ti", out); break;
		case '`': fputs("\\(ga", out); break;
		case '\'': fputs("\\(aq", out); break;
		case '"': fputs("\\(dq", out); break;
		default: fputc(*text, out);
		}
}

static void write_roff_lines(FILE *out, const char *text)
{
	char line[1024];
	while (*text) {
		size_t n = strcspn(text, "\n");
		snprintf(line, sizeof line, "%.*s", (int)n, text);
		write_roff_text(out, line, true);
		fputc('\n', out);
		text += n + (text[n] == '\n');
	}
}

/* --- text --- */
/* Breaks at spaces; the first line already begins at the indent. */
static void write_wrapped(FILE *out, const char *text, int indent)
{
	do {
		size_t n = text_fit_bytes(text, PAGE_WIDTH - indent);
		fprintf(out, "%.*s\n", (int)n, text);
		text += n + strspn(text + n, " ");
		if (*text)
			fprintf(out, "%*s", indent, "");
	} while (*text);
}

void manual_page_heading(const struct manual_page *p, const char *title)
{
	if (p->roff) {
		fputs(".SH ", p->out);
		for (; *title; title++)
			fputc(toupper((unsigned char)*title), p->out);
		fputc('\n', p->out);
	} else
		fprintf(p->out, "\n%s\n", title);
}

void manual_page_paragraph(const struct manual_page *p, const char *text)
{
	if (p->roff) {
		fputs(".PP\n", p->out);
		write_roff_text(p->out, text, true);
		fputc('\n', p->out);
	} else
		write_wrapped(p->out, text, 0);
}

void manual_page_item(const struct manual_page *p, const char *name, const char *text)
{
	if (p->roff) {
		fputs(".TP\n\\fB", p->out);
		write_roff_text(p->out, name, false);
		fputs("\\fR\n", p->out);
		write_roff_text(p->out, text, true);
		fputc('\n', p->out);
		return;
	}
	int used = fprintf(p->out, "  %-*s", INDENT - 3, name);
	if (used >= INDENT)
		fprintf(p->out, "\n%*s", INDENT, "");
	else
		fputc(' ', p->out);
	write_wrapped(p->out, text, INDENT);
}

void manual_page_lines(const struct manual_page *p, const char *text)
{
	if (!p->roff) {
		fputs(text, p->out);
		return;
	}
	fputs(".PP\n.EX\n", p->out);
	write_roff_lines(p->out, text);
	fputs(".EE\n", p->out);
}
