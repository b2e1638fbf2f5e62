/* Numbers with units as people write them: `64`, `64 MiB`, `64MiB`, `2^20`, `1.5k`, `0x40`. Always in the C locale. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Parses `text` as a number in the base unit `unit` ("B", "cycles", "" ...). Suffixes: k M G T (decimal), Ki Mi Gi Ti
 * (binary), each with or without the unit, which may be singular; for "B" also KB MB GB. False with one line in `e` if
 * it is not a number or has another unit. */
bool units_parse(const char *text, const char *unit, double *out, struct err *e);

/* Text with its unit: bytes with binary prefixes ("64 MiB"), plain counts with k, M, G; other units have no prefix, so
 * that 1540 MHz stays MHz. At most `digits` significant digits, but all digits of a whole number; "1 thread", "2
 * threads". Returns out. */
char *units_format(char *out, size_t size, double value, const char *unit, int digits);

/* The unit of a value of 1: "thread" for "threads". Units that are not a plural ("B", "ms", "GB/s") stay. Returns
 * out. */
char *unit_singular(char *out, size_t size, const char *unit);
/* The plural ending of a noun for that count: "s", or "" for one. */
static inline const char *plural_s(unsigned long long count)
{
	return count == 1 ? "" : "s";
}

/* A shorter form: counts from 10000 up have a prefix, binary if that is exact ("16 Mi reads", "64 Ki"), else decimal
 * with three digits ("1.5 M reads"). Returns out. */
char *units_format_short(char *out, size_t size, double value, const char *unit);

/* The unit as people write it: "°C" for "C", "µs" for "us"; unchanged in ASCII. For display only: files keep the plain
 * unit. */
const char *unit_display(const char *unit, bool ascii);

/* A sensor reading without useless digits: a whole number from 10 up ("1536", "35"), one decimal below ("9.5"). Returns
 * out. */
char *units_format_rounded(char *out, size_t size, double value);

/* True for a unit of time: s, ms, us, ns. */
bool unit_is_time(const char *unit);

/* Without a prefix: four significant digits, all of a number from 1000 up to 1e9. For columns of a table. Returns out.
 */
char *number_format_digits(char *out, size_t size, double value);

/* The shortest plain decimal that parses to the same double ("0.1", "4096"); for files. Returns out. */
char *number_format_exact(char *out, size_t size, double value);

/* Rounded to that many significant digits; integers, which count something, stay as they are. */
double number_round_digits(double value, int digits);

/* The integer at the start of `text`, clamped to +-most; 0 if there is none. */
int count_parse(const char *text, int most);

/* strtod, always in the C locale. */
double number_parse(const char *text, char **end);

#endif
