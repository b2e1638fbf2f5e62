/* Curves of earlier settings: the previous one, which the plot shows, and those before it. */
#ifndef TUI_LAB_EARLIER_CURVES_H
#define TUI_LAB_EARLIER_CURVES_H

#include "tui/lab/app.h"

/* Makes room for a new curve: the current one becomes the previous one, which becomes an earlier one. A curve with less
 * than half of its points does not replace the previous one. */
void lab_retire_curve(struct lab *b);
/* Shows the complete curve of that device for the current settings if there is one (current, previous or earlier); with
 * `profile`, only one whose points have profiles. The current curve is retired; no sweep may still write to it
 * (measure_show_known_curve). */
bool lab_recall_curve(struct lab *b, const char *device, bool soft, bool profile);
void lab_forget_earlier_curves(struct lab *b); /* after the kernel has changed */

#endif
