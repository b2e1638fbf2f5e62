#include "tui/classroom/vote_box.h"

#include <stdio.h>
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
	*b = (struct vote_box){.number = choose_first_number(), .clock = now_ms};
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
	b->timer.deadline = 0;
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

void vote_box_start_timer(struct vote_box *b, int seconds, bool ends_vote)
{
	pthread_mutex_lock(&b->lock);
	b->timer.deadline = seconds ? b->clock() + 1000LL * seconds : 0;
	b->timer.ends_vote = ends_vote;
	b->timer.number++;
	pthread_mutex_unlock(&b->lock);
}

int vote_box_find_seconds(const struct vote_box *b)
{
	long long left = b->timer.deadline - b->clock();
	if (!b->timer.deadline)
		return -1;
	return left <= 0 ? 0 : (int)((left + 999) / 1000);
}

int vote_box_count_seconds(struct vote_box *b)
{
	pthread_mutex_lock(&b->lock);
	int left = vote_box_find_seconds(b);
	pthread_mutex_unlock(&b->lock);
	return left;
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

static struct vote_device *add_device(struct vote_box *b, in_addr_t address)
{
	struct vote_device *d =
		b->device_count < VOTE_DEVICES_MAX ? &b->devices[b->device_count++] : find_replaceable_device(b);
	if (d)
		*d = (struct vote_device){.address = address, .since = now_ms(), .seen = now_ms()};
	return d;
}

struct vote_device *vote_box_find_device(struct vote_box *b, in_addr_t address)
{
	for (int i = 0; i < b->device_count; i++)
		if (!*b->devices[i].token && b->devices[i].address == address)
			return &b->devices[i];
	return add_device(b, address);
}

struct vote_device *vote_box_find_browser(struct vote_box *b, const char *token)
{
	for (int i = 0; *token && i < b->device_count; i++)
		if (!strcmp(b->devices[i].token, token))
			return &b->devices[i];
	return NULL;
}

struct vote_device *vote_box_add_browser(struct vote_box *b, in_addr_t address)
{
	unsigned char random[VOTE_TOKEN_TEXT / 2];
	if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
		return NULL;
	struct vote_device *d = add_device(b, address);
	for (size_t i = 0; d && i < sizeof random; i++)
		snprintf(d->token + 2 * i, 3, "%02x", random[i]);
	return d;
}

void vote_box_identify(struct vote_box *b, enum vote_by by)
{
	pthread_mutex_lock(&b->lock);
	if (b->by != by)
		b->device_count = 0;
	b->by = by;
	pthread_mutex_unlock(&b->lock);
}

int vote_box_count_devices(struct vote_box *b)
{
	int n = 0;
	pthread_mutex_lock(&b->lock);
	for (int i = 0; i < b->device_count; i++)
		n += (*b->devices[i].token != 0) == (b->by == VOTE_BY_BROWSER);
	pthread_mutex_unlock(&b->lock);
	return n;
}
