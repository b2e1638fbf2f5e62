#include "gpu/softgpu-link/noise_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "gpu/softgpu-link/soft_name.h"

/* --- what is drawn --- */
enum stream { STREAM_WHITE, STREAM_ANGLE, STREAM_STEP };

/* Each value from its own numbers, not from the one before: in (0, 1). The mixer is that of SplitMix64 (Steele, Lea and
 * Flood, Fast splittable pseudorandom number generators, 2014). */
static double draw_uniform(const struct noise_model *m, uint64_t point, uint64_t number, enum stream stream)
{
	const uint64_t of[] = {m->seed, point, number, stream};
	uint64_t x = hash_bytes(HASH_START, of, sizeof of);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	x ^= x >> 31;
	return ((double)(x >> 11) + 0.5) / 9007199254740992.0; /* 2^53 */
}

/* Box and Muller's transform. */
static double draw_normal(const struct noise_model *m, uint64_t point, uint64_t number)
{
	double radius = sqrt(-2 * log(draw_uniform(m, point, number, STREAM_WHITE)));
	return radius * cos(2 * M_PI * draw_uniform(m, point, number, STREAM_ANGLE));
}

struct noise_draw noise_draw(const struct noise_model *m, uint64_t point, uint64_t number)
{
	bool step = draw_uniform(m, point, number / NOISE_STEP_TIMES, STREAM_STEP) < m->step_share;
	double clock = step ? m->step_clock : 1;
	double time = (1 + m->drift * (double)number) * (1 + m->white * draw_normal(m, point, number)) / clock;
	return (struct noise_draw){fmax(time, 0), clock};
}

/* --- the text --- */
bool device_has_noise(const char *device)
{
	return strstr(device, NOISE_MARK) != NULL;
}

void noise_find_text(const char *device, char text[NOISE_TEXT])
{
	soft_name_find(device, NOISE_MARK, text, NOISE_TEXT);
}

/* A number of "KIND:NUMBER:NUMBER". */
struct number {
	const char *what; /* for errors */
	double low, high;
	size_t offset; /* in the model */
};

static const struct kind {
	const char *name, *form;
	struct number numbers[2];
} kinds[] = {
	{"white", "white:SIGMA", {{"sigma", 0, 0.2, offsetof(struct noise_model, white)}, {0}}},
	{"drift", "drift:PART", {{"part", -0.001, 0.001, offsetof(struct noise_model, drift)}, {0}}},
	{"steps", "steps:CLOCK:SHARE",
		{{"clock", 0.1, 1, offsetof(struct noise_model, step_clock)},
			{"share", 0, 1, offsetof(struct noise_model, step_share)}}},
};
enum { KINDS = sizeof kinds / sizeof *kinds, SEED_DIGITS = 18 };

static bool refuse(const char *part, struct err *e)
{
	return err_set(e, ST_REQUEST,
		"unknown noise '%.40s'; write noise= with white:SIGMA, drift:PART, steps:CLOCK:SHARE or seed:NUMBER, several joined with +",
		part);
}

static const struct kind *find_noise_kind(const char *part)
{
	for (int i = 0; i < KINDS; i++)
		if (strcspn(part, ":") == strlen(kinds[i].name) && !strncmp(part, kinds[i].name, strlen(kinds[i].name)))
			return &kinds[i];
	return NULL;
}

/* *at is at the colon before the number. */
static bool parse_noise_number(
	const char **at, const struct kind *k, const struct number *n, struct noise_model *out, struct err *e)
{
	char *end = NULL;
	double v = **at == ':' ? strtod(*at + 1, &end) : NAN;
	if (!end || end == *at + 1 || !isfinite(v))
		return err_set(e, ST_REQUEST, "the %s of noise %s is missing or no number; write %s", n->what, k->name,
			k->form);
	if (v < n->low || v > n->high)
		return err_set(e, ST_REQUEST, "the %s of noise %s must be %g to %g, not %g", n->what, k->name, n->low,
			n->high, v);
	memcpy((char *)out + n->offset, &v, sizeof v);
	*at = end;
	return true;
}

static bool parse_seed(const char *part, struct noise_model *out, struct err *e)
{
	const char *digits = strchr(part, ':') + 1;
	size_t n = strspn(digits, "0123456789");
	out->seed = strtoull(digits, NULL, 10);
	return (n && n <= SEED_DIGITS && !digits[n]) ||
		err_set(e, ST_REQUEST,
			"the seed of noise must be a whole number from 0, of at most %d digits, not '%.40s'",
			SEED_DIGITS, digits);
}

static bool parse_part(const char *part, struct noise_model *out, struct err *e)
{
	const struct kind *k = find_noise_kind(part);
	const char *at = part + strcspn(part, ":");
	if (!strncmp(part, "seed:", 5))
		return parse_seed(part, out, e);
	if (!k)
		return refuse(part, e);
	for (int i = 0; i < 2 && k->numbers[i].what; i++)
		if (!parse_noise_number(&at, k, &k->numbers[i], out, e))
			return false;
	return !*at || err_set(e, ST_REQUEST, "'%.40s' has more than %s", part, k->form);
}

bool noise_parse(const char *device, struct noise_model *out, struct err *e)
{
	char copy[NOISE_TEXT], *rest = copy, *part;
	*out = (struct noise_model){.step_clock = 1};
	if (!device_has_noise(device))
		return true;
	if (soft_name_find(device, NOISE_MARK, copy, sizeof copy) >= sizeof copy)
		return err_set(e, ST_REQUEST, "the text of noise= is longer than %zu characters", sizeof copy - 1);
	while ((part = strsep(&rest, "+")))
		if (!parse_part(part, out, e))
			return false;
	return true;
}
