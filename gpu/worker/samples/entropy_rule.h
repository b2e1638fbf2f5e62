/* The entropy criterion of nvbench (NVIDIA/nvbench, nvbench/detail/entropy_criterion.cxx, 2023): samples suffice when
 * the entropy of their times no longer rises. After each sample it notes the entropy, in bits, of how often each time
 * has occurred so far. A line through the last 299 of them must rise by an angle of at most 0.048 degrees, and explain
 * at least 0.36 of their variance. It looks at even counts. */
#ifndef GPU_WORKER_ENTROPY_RULE_H
#define GPU_WORKER_ENTROPY_RULE_H

#include <stdbool.h>

struct entropy_rule;

struct entropy_rule *entropy_rule_new(void);
void entropy_rule_free(struct entropy_rule *r);
void entropy_rule_add(struct entropy_rule *r, double seconds);
bool entropy_rule_suffices(const struct entropy_rule *r);
double entropy_rule_bits(const struct entropy_rule *r); /* the entropy now */

#endif
