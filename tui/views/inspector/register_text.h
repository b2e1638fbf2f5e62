/* A 32-bit register as text. */
#ifndef TUI_VIEWS_INSPECTOR_REGISTER_TEXT_H
#define TUI_VIEWS_INSPECTOR_REGISTER_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum register_format { REGISTER_HEX, REGISTER_DECIMAL, REGISTER_FLOAT, REGISTER_FORMATS };

const char *register_format_name(enum register_format f); /* "hexadecimal" */
int register_text_width(enum register_format f);          /* the longest text */
/* "0000002a"; "-42", as a signed number; "0.5", as IEEE single precision. Returns out. */
char *register_format_value(uint32_t value, enum register_format f, char *out, size_t size);

#endif
