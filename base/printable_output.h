/* Streams whose text is made printable (base/printable_text.h): newlines and tabs pass, escape sequences do not. */
#ifndef BASE_PRINTABLE_OUTPUT_H
#define BASE_PRINTABLE_OUTPUT_H

#include <stdio.h>

/* A stream that writes the printable text to `to`, which it borrows. fclose writes what is left. Aborts if out of
 * memory. */
FILE *printable_stream_open(FILE *to);

/* Makes stdout and stderr such streams, for the rest of the program; call it once. Programs that it executes are not
 * affected: they get the file descriptors. */
void printable_output_start(void);

/* The streams before that, for the screen and the progress line: they send escape sequences of their own. stdout_direct
 * has no buffer. */
FILE *stdout_direct(void);
FILE *stderr_direct(void);

#endif
