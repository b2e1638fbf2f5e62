/* What checks found, as fields of a JSON object: for the journal (check_journal.h), and for programs that ask for the
 * checks of their launches (requested_checks.h). */
#ifndef SOFTGPU_DRIVER_CHECK_REPORT_FIELDS_H
#define SOFTGPU_DRIVER_CHECK_REPORT_FIELDS_H

#include "softgpu/core/softgpu.h"

struct strbuf;

/* A report of a launch, without the braces: "kind":"lds_race","count":7,... */
void report_append_fields(struct strbuf *t, const char *kernel, const struct dispatch *d, const struct check_report *f);
/* `count` allocations of `bytes` bytes that were not freed; the first is described. */
void report_append_leak(struct strbuf *t, uint32_t allocation, uint64_t count, uint64_t bytes);
/* ,"name":"text" */
void report_append_string(struct strbuf *t, const char *name, const char *text);

#endif
