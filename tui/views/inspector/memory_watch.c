#include "tui/views/inspector/memory_watch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- an address as text --- */
/* A register's value: 32 bits, or 64 for a pair ("v[2:3]"). Moves *text behind it. */
static bool read_register(const char **text, const struct wave_registers *r, int lane, uint64_t *out)
{
	const bool vector = **text == 'v', pair = (*text)[1] == '[';
	char *end;
	const unsigned long n = strtoul(*text + 1 + pair, &end, 10);
	if (end == *text + 1 + pair || n + pair >= (vector ? WAVE_VGPRS_MAX : WAVE_SGPRS))
		return false;
	if (pair && (*end++ != ':' || strtoul(end, &end, 10) != n + 1 || *end++ != ']'))
		return false;
	*out = vector ? r->v[n][lane] : r->s[n];
	if (pair)
		*out |= (uint64_t)(vector ? r->v[n + 1][lane] : r->s[n + 1]) << 32;
	*text = end;
	return true;
}

static bool read_buffer_name(const char **text, const struct launch_buffers *b, uint64_t *out)
{
	const size_t n = strcspn(*text, "+ \t");
	for (int i = 0; i < b->count; i++)
		if (strlen(b->list[i].name) == n && !strncmp(*text, b->list[i].name, n)) {
			*out = b->list[i].at;
			*text += n;
			return true;
		}
	return false;
}

static bool read_term(
	const char **text, const struct wave_registers *r, int lane, const struct launch_buffers *b, uint64_t *out)
{
	char *end;
	if (read_buffer_name(text, b, out) || ((**text == 's' || **text == 'v') && read_register(text, r, lane, out)))
		return true;
	*out = (uint64_t)strtoll(*text, &end, 0);
	if (end == *text)
		return false;
	*text = end;
	return true;
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

static void find_buffer(struct memory_watch *w, const struct launch_buffers *b)
{
	for (int i = 0; !w->lds && i < b->count; i++)
		if (w->at - b->list[i].at < b->list[i].bytes) {
			snprintf(w->buffer, sizeof w->buffer, "%s", b->list[i].name);
			w->at -= b->list[i].at;
			return;
		}
}

bool memory_watch_read(const char *text, const struct wave_registers *r, int lane, const struct launch_buffers *b,
	struct memory_watch *out, struct err *e)
{
	const char *at = skip_blanks(text);
	uint64_t term;
	*out = (struct memory_watch){.on = true, .lds = !strncmp(at, "lds", 3)};
	snprintf(out->text, sizeof out->text, "%s", text);
	for (at = skip_blanks(at + 3 * out->lds);; at = skip_blanks(at + 1)) {
		if (!read_term(&at, r, lane, b, &term))
			return err_set(e, ST_REQUEST,
				"'%s' is not an address; write a sum of buffers, registers and numbers, as in s[4:5]+v2+16 or lds v1",
				text);
		out->at += term;
		at = skip_blanks(at);
		if (!*at)
			break;
		if (*at != '+')
			return err_set(e, ST_REQUEST, "'%s' is not an address; write + between its parts", text);
	}
	find_buffer(out, b);
	return true;
}

json_t *memory_watch_request(const struct memory_watch *w)
{
	if (*w->buffer)
		return json_pack("{s:s,s:I}", "buffer", w->buffer, "offset", (json_int_t)memory_watch_begin(w));
	return json_pack("{s:I,s:b}", "at", (json_int_t)memory_watch_begin(w), "lds", w->lds);
}

char *memory_watch_format(const struct memory_watch *w, char *out, size_t size)
{
	if (*w->buffer)
		snprintf(out, size, "%s + 0x%llx", w->buffer, (unsigned long long)w->at);
	else
		snprintf(out, size, "%s 0x%llx", w->lds ? "LDS byte" : "address", (unsigned long long)w->at);
	return out;
}

void launch_buffers_read(struct launch_buffers *b, const json_t *list)
{
	const size_t n = json_array_size(list);
	b->count = n < WATCH_BUFFERS_MAX ? (int)n : WATCH_BUFFERS_MAX;
	for (int i = 0; i < b->count; i++) {
		const json_t *r = json_array_get(list, (size_t)i);
		const char *name = json_string_value(json_array_get(r, 0));
		snprintf(b->list[i].name, sizeof b->list[i].name, "%s", name ? name : "");
		b->list[i].at = (uint64_t)json_integer_value(json_array_get(r, 1));
		b->list[i].bytes = (uint64_t)json_integer_value(json_array_get(r, 2));
	}
}

/* --- the address of an instruction --- */
/* Operand k of "ds_read_b32 v1, v2 offset:4", from 0. */
static bool copy_operand(const char *instruction, int k, char *out, size_t size)
{
	const char *at = instruction + strcspn(instruction, " ");
	for (at = skip_blanks(at); k > 0; k--) {
		at += strcspn(at, ",");
		if (!*at)
			return false;
		at = skip_blanks(at + 1);
	}
	snprintf(out, size, "%.*s", (int)strcspn(at, ", "), at);
	return *out != 0;
}

static bool is_register_or_number(const char *operand)
{
	return *operand == 's' || *operand == 'v' || isdigit((unsigned char)*operand);
}

/* Which operands of an instruction make the address: first those that a store has elsewhere. */
static void list_address_operands(const char *instruction, int *first, int *last, bool *lds)
{
	const bool scalar = !strncmp(instruction, "s_load", 6), flat = !strncmp(instruction, "flat_", 5),
		   global = !strncmp(instruction, "global_", 7), store = strstr(instruction, "_store") != NULL,
		   returns = strstr(instruction, " glc") != NULL;
	*lds = !strncmp(instruction, "ds_", 3);
	*first = *last = -1;
	if (scalar)
		*first = 1, *last = 2;
	else if (global || flat) {
		*first = store || (strstr(instruction, "_atomic") && !returns) ? 0 : 1;
		*last = global ? *first + (store || strstr(instruction, "_atomic") ? 2 : 1) : *first;
	} else if (*lds)
		*first = *last = strncmp(instruction, "ds_read", 7) && !strstr(instruction, "_rtn") ? 0 : 1;
}

static void append_term(char *out, size_t size, const char *term)
{
	const size_t used = strlen(out);
	const bool sum = used && out[used - 1] != ' ';
	snprintf(out + used, size - used, "%s%s", sum ? "+" : "", term);
}

void memory_watch_suggest(const char *instruction, char *out, size_t size)
{
	const char *offset = strstr(instruction, " offset:");
	char operand[32];
	int first, last;
	bool lds;
	*out = 0;
	list_address_operands(instruction, &first, &last, &lds);
	if (first < 0)
		return;
	if (lds)
		snprintf(out, size, "lds ");
	const int step = last > first ? last - first : 1; /* a store's data is between its addresses */
	for (int k = first; k <= last; k += step)
		if (copy_operand(instruction, k, operand, sizeof operand) && is_register_or_number(operand))
			append_term(out, size, operand);
	if (offset) {
		snprintf(operand, sizeof operand, "%d", atoi(offset + strlen(" offset:")));
		append_term(out, size, operand);
	}
}
