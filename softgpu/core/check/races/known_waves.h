/* Sets of waves with a clock each: what a wave knows of waves of other workgroups.
 *
 * Thousands of waves may know thousands of others, and mostly the same. So a set is a tree whose parts belong to
 * several sets: its nodes are counted, and one that others have is copied before it changes. */
#ifndef SOFTGPU_CORE_CHECK_RACES_KNOWN_WAVES_H
#define SOFTGPU_CORE_CHECK_RACES_KNOWN_WAVES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t known_set; /* number of a node */
enum { KNOWN_NOTHING = 0 };
/* Every clock of every wave: what a set becomes when there is no room for more. It hides races and invents none. */
#define KNOWN_ALL UINT32_MAX

/* All nodes. All zeros: none. */
struct known_waves {
	struct known_node *node;
	uint32_t count, capacity, free; /* node 0 is not used; free ones are a list */
	unsigned top;                   /* level of the root */
};

void known_waves_close(struct known_waves *k);
/* Forgets all sets; the waves are those below `waves`. */
void known_waves_begin(struct known_waves *k, uint64_t waves);

/* Up to which clock the set knows the wave; 0: nothing of it. */
uint32_t known_waves_find(const struct known_waves *k, known_set s, uint32_t wave);
/* Another owner of the set, and one less. */
known_set known_waves_hold(struct known_waves *k, known_set s);
void known_waves_drop(struct known_waves *k, known_set s);
/* The set with one more clock, and with all of another set. The caller owns s, and then the result. */
known_set known_waves_add(struct known_waves *k, known_set s, uint32_t wave, uint32_t clock);
known_set known_waves_join(struct known_waves *k, known_set s, known_set other);

#endif
