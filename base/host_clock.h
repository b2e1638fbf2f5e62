/* Host time: a monotonic clock for intervals, and UTC for records. */
#ifndef BASE_HOST_CLOCK_H
#define BASE_HOST_CLOCK_H

/* Monotonic; the origin is arbitrary. */
long long now_ms(void);
double now_seconds(void);

/* "2026-03-07T14:15:02Z" */
enum { UTC_TEXT = 32 };
char *now_utc(char out[UTC_TEXT]);
/* "2026-11-23 14:51:17 UTC" of such a text; any other text unchanged. */
char *utc_format_for_people(char out[UTC_TEXT], const char *text);

#endif
