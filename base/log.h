/* The program's log: lines in memory for the log view, and on standard error from a chosen level up. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stddef.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

void log_printf(enum log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void log_to_stderr(enum log_level least); /* default: warnings; LOG_ERROR + 1: none, as the screen needs */
size_t log_line_count(void);              /* lines since the start; the last 1000 are kept */
const char *log_get_line(size_t index, enum log_level *level); /* NULL: no longer kept */
long long log_line_time(size_t index);                         /* seconds since 1970, as time() counts; 0: not kept */

#endif
