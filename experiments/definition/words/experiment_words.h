/* The words of a device's vendor in what an experiment shows: title, question, help, units. */
#ifndef EXPERIMENTS_DEFINITION_WORDS_EXPERIMENT_WORDS_H
#define EXPERIMENTS_DEFINITION_WORDS_EXPERIMENT_WORDS_H

#include "experiments/definition/experiment.h"

/* Texts are then for a target: those of the definition, or for NVIDIA's targets with NVIDIA's words. */
void experiment_use_words(struct experiment *x, const char *arch);

#endif
