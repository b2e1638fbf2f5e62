/* What was found as one JSON document, for programs (docs/check.md). */
#ifndef CHECKS_CHECK_REPORT_JSON_H
#define CHECKS_CHECK_REPORT_JSON_H

#include "checks/check_findings.h"

/* False with an error if the file cannot be written. */
bool check_report_write_json(const struct check_findings *r, const char *path, struct err *e);

#endif
