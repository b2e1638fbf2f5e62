/* The time: for intervals, and for people and records. */
#ifndef BASE_HOST_CLOCK_H
#define BASE_HOST_CLOCK_H

/* Of a clock that only goes forward; its beginning means nothing. */
long long now_ms(void);
double now_seconds(void);

/* "2026-03-07T14:15:02Z" */
enum { UTC_TEXT = 32 };
char *now_utc(char out[UTC_TEXT]);

#endif
