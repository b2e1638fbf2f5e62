#include "experiments/course/lesson.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/course/lesson_fact.h"

const char *lesson_part_name(enum lesson_part part)
{
	static const char *const names[LESSON_PARTS] = {
		[LESSON_INTRODUCTION] = "Introduction",
		[LESSON_WORDS] = "Words",
		[LESSON_QUESTION] = "",
		[LESSON_REVEAL] = "",
		[LESSON_SOURCE] = "",
		[LESSON_OTHERS] = "On other GPUs",
		[LESSON_EXERCISES] = "Exercises",
		[LESSON_ANSWERS] = "Answers",
	};
	return names[part];
}

static void free_step_texts(struct lesson_step *s)
{
	free(s->title);
	free(s->command);
	free(s->metric);
	free(s->x);
	free(s->metric_words);
	free(s->x_words);
}

void lesson_free(struct lesson *l)
{
	if (!l)
		return;
	for (int i = 0; i < l->block_count; i++)
		free(l->blocks[i].text);
	for (int i = 0; i < l->step_count; i++)
		free_step_texts(&l->steps[i]);
	free(l->blocks);
	free(l->steps);
	lesson_facts_free(l);
	free(l->title);
	free(l);
}

const struct lesson_step *lesson_find_step(const struct lesson *l, int step)
{
	return step >= 1 && step <= l->step_count ? &l->steps[step - 1] : NULL;
}

const struct lesson_block *lesson_find_block(const struct lesson *l, int step, enum lesson_kind kind, int number)
{
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].step == step && l->blocks[i].kind == kind && l->blocks[i].number == number)
			return &l->blocks[i];
	return NULL;
}

int lesson_right_choice(const struct lesson *l, int step)
{
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].step == step && l->blocks[i].right)
			return l->blocks[i].number;
	return 0;
}

const char *lesson_find_reason(const struct lesson *l, int step, int choice)
{
	const struct lesson_block *why = lesson_find_block(l, step, LESSON_FEEDBACK, choice);
	if (why)
		return why->text;
	for (int i = 0; i < l->block_count && choice == lesson_right_choice(l, step); i++)
		if (l->blocks[i].step == step && l->blocks[i].part == LESSON_REVEAL &&
			l->blocks[i].kind == LESSON_PARAGRAPH)
			return l->blocks[i].text;
	return "";
}

int lesson_count_commands(const struct lesson *l, int step)
{
	int n = 0;
	while (lesson_find_block(l, step, LESSON_COMMAND, n + 1))
		n++;
	return n;
}

bool lesson_has_part(const struct lesson *l, enum lesson_part part)
{
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].part == part)
			return true;
	return false;
}

const struct lesson_block *lesson_find_exercise(const struct lesson *l, enum lesson_part part, int number)
{
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].part == part && l->blocks[i].kind == LESSON_ITEM && l->blocks[i].number == number)
			return &l->blocks[i];
	return NULL;
}

int lesson_count_exercises(const struct lesson *l)
{
	int n = 0;
	while (lesson_find_exercise(l, LESSON_EXERCISES, n + 1))
		n++;
	return n;
}

/* --- tables --- */
/* Counts UTF-8 characters: continuation bytes take no column. */
int lesson_cell_length(const char *cell)
{
	int n = 0;
	for (; *cell && *cell != '\t'; cell++)
		n += (*cell & 0xC0) != 0x80;
	return n;
}

int lesson_column_width(const struct lesson *l, const struct lesson_block *row, int column)
{
	const struct lesson_block *end = l->blocks + l->block_count;
	int widest = -1;
	while (row->number)
		row--; /* the header */
	do {
		const char *cell = row->text;
		for (int k = 0; cell && k < column; k++)
			cell = (cell = strchr(cell, '\t')) ? cell + 1 : NULL;
		int n = cell ? lesson_cell_length(cell) : -1;
		widest = n > widest ? n : widest;
	} while (++row < end && row->kind == LESSON_ROW && row->number);
	return widest;
}

/* --- the order of the choices --- */
static uint64_t mix_bits(uint64_t v) /* splitmix64 */
{
	v += 0x9E3779B97F4A7C15;
	v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9;
	v = (v ^ v >> 27) * 0x94D049BB133111EB;
	return v ^ v >> 31;
}

static uint64_t hash_visit(const char *id, int step, unsigned visit)
{
	uint64_t h = 0xCBF29CE484222325; /* FNV-1a */
	for (; *id; id++)
		h = (h ^ (unsigned char)*id) * 0x100000001B3;
	return mix_bits(h ^ mix_bits((uint64_t)step << 32 | visit));
}

void lesson_order_choices(const struct lesson *l, int step, unsigned visit, int order[LESSON_CHOICES_MAX])
{
	const struct lesson_step *s = lesson_find_step(l, step);
	uint64_t state = hash_visit(l->id, step, visit);
	for (int i = 0; i < LESSON_CHOICES_MAX; i++)
		order[i] = i + 1;
	for (int i = s ? s->choice_count - 1 : 0; i > 0; i--) { /* Fisher-Yates */
		state = mix_bits(state);
		int other = (int)(state % (unsigned)(i + 1)), kept = order[i];
		order[i] = order[other];
		order[other] = kept;
	}
}
