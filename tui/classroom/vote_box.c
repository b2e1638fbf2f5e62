#include "tui/classroom/vote_box.h"

#include <string.h>
#include <sys/random.h>

#include "base/host_clock.h"

enum { FIRST_NUMBER_MASK = 0x3fffffff /* the numbers after it do not overflow */ };

/* Without random numbers, the clock still differs between two starts. */
static unsigned choose_first_number(void)
{
	unsigned n;
	if (getrandom(&n, sizeof n, 0) != (ssize_t)sizeof n)
		n = (unsigned)now_ms();
	return n & FIRST_NUMBER_MASK;
}

void vote_box_init(struct vote_box *b)
{
	*b = (struct vote_box){.number = choose_first_number()};
	pthread_mutex_init(&b->lock, NULL);
}

void vote_box_destroy(struct vote_box *b)
{
	pthread_mutex_destroy(&b->lock);
}

/* The devices stay: the limit of requests goes on. */
static void remove_votes(struct vote_box *b)
{
	for (int i = 0; i < b->device_count; i++)
		b->devices[i].choice = 0;
}

void vote_box_ask(struct vote_box *b, const struct vote_question *q)
{
	pthread_mutex_lock(&b->lock);
	b->question = *q;
	b->number++;
	b->state = VOTE_OPEN;
	remove_votes(b);
	pthread_mutex_unlock(&b->lock);
}

void vote_box_end(struct vote_box *b)
{
	pthread_mutex_lock(&b->lock);
	b->state = VOTE_OVER;
	pthread_mutex_unlock(&b->lock);
}

void vote_box_reveal(struct vote_box *b)
{
	pthread_mutex_lock(&b->lock);
	b->state = VOTE_REVEALED;
	pthread_mutex_unlock(&b->lock);
}

void vote_box_clear(struct vote_box *b)
{
	pthread_mutex_lock(&b->lock);
	b->question = (struct vote_question){0};
	b->state = VOTE_OVER;
	remove_votes(b);
	pthread_mutex_unlock(&b->lock);
}

int vote_box_count(struct vote_box *b, int counts[VOTE_CHOICES_MAX])
{
	int total = 0;
	memset(counts, 0, VOTE_CHOICES_MAX * sizeof *counts);
	pthread_mutex_lock(&b->lock);
	for (int i = 0; i < b->device_count; i++)
		if (b->devices[i].choice) {
			counts[b->devices[i].choice - 1]++;
			total++;
		}
	pthread_mutex_unlock(&b->lock);
	return total;
}

/* A phone that shows the page asks every few seconds: what was not seen for the longest time is probably none. */
static struct vote_device *find_replaceable_device(struct vote_box *b)
{
	struct vote_device *found = NULL;
	for (int i = 0; i < b->device_count; i++)
		if (!b->devices[i].choice && (!found || b->devices[i].seen < found->seen))
			found = &b->devices[i];
	return found;
}

struct vote_device *vote_box_find_device(struct vote_box *b, in_addr_t address)
{
	for (int i = 0; i < b->device_count; i++)
		if (b->devices[i].address == address)
			return &b->devices[i];
	struct vote_device *d =
		b->device_count < VOTE_DEVICES_MAX ? &b->devices[b->device_count++] : find_replaceable_device(b);
	if (d)
		*d = (struct vote_device){.address = address, .since = now_ms(), .seen = now_ms()};
	return d;
}
