/* Edits a copy of the current experiment's kernel and measures it next to the original. */
#ifndef TUI_LAB_EDIT_KERNEL_EDIT_H
#define TUI_LAB_EDIT_KERNEL_EDIT_H

#include "tui/lab/app.h"

/* The two sources of an experiment whose current variant is assembly. */
struct kernel_sources {
	char hip[64], assembly[64]; /* file names */
	char choice[96];            /* "variant=compiled", which has the HIP source */
};
/* True when the current settings compile assembly and another choice compiles HIP. */
bool kernel_edit_offers_hip(const struct app *a, struct kernel_sources *out);
/* The editor needs the terminal: the main loop sees a->edit_wanted and calls measure_edited_kernel. `hip`: the source
 * that is offered, instead of that of the current settings. */
void kernel_edit_request(struct app *a, bool hip);
/* Opens the editor, then measures the copy; the original's curve is pinned. A file that is not changed changes
 * nothing. The caller has released the terminal. */
void measure_edited_kernel(struct app *a);
void measure_original_kernel(struct app *a); /* back to the original kernel */
void kernel_edit_pump(struct app *a);        /* after every poll */

#endif
