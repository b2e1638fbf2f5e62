/* Numbers with units as people write them: `64`, `64 MiB`, `64MiB`, `2^20`, `1.5k`, `0x40`. The C locale's rules
 * always. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Parses `text` into a number of base unit `unit` ("B", "cycles", "" ...). Suffixes: k M G T (decimal), Ki Mi Gi Ti
 * (binary), each with or without the unit behind, which may be in the singular; for unit "B" also KB MB GB. False with
 * one line in `e` when it is no number or another unit. */
bool units_parse(const char *text, const char *unit, double *out, struct err *e);

/* Short text with unit for a person: bytes in binary steps ("64 MiB"), counts without a unit by k, M, G; others keep
 * their unit, 1540 MHz does not become GHz. Up to `digits` significant digits, but whole numbers whole; "1 thread", "2
 * threads". Returns out. */
char *units_format(char *out, size_t size, double value, const char *unit, int digits);

/* "thread" for "threads": what a value of 1 has as its unit; units that are no plural ("B", "ms", "GB/s") as they are.
 * Returns out. */
char *unit_singular(char *out, size_t size, const char *unit);
/* "s" behind the name of what there are so many of; "" for one. */
static inline const char *plural_s(unsigned long long count)
{
	return count == 1 ? "" : "s";
}

/* The same in few columns: counts from 10000 on by their prefix, binary where that is exact ("16 Mi reads", "64 Ki"),
 * else decimal with three digits
 * ("1.5 M reads"). */
char *units_format_short(char *out, size_t size, double value, const char *unit);

/* Whether it is a unit of time: s, ms, us, ns. */
bool unit_is_time(const char *unit);

/* Plain shortest decimal that reads back as the same double ("0.1", "4096"), C locale; for files. Returns out. */
char *number_format_exact(char *out, size_t size, double value);

/* The whole number at the beginning of `text`, 0 without one; beyond +-most it is that. */
int count_parse(const char *text, int most);

/* strtod in the C locale whatever the user's. */
double number_parse(const char *text, char **end);

#endif
