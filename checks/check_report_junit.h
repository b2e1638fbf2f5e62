/* What was found as JUnit's XML, which build servers read: a test case for each kernel, with its places as failures. */
#ifndef CHECKS_CHECK_REPORT_JUNIT_H
#define CHECKS_CHECK_REPORT_JUNIT_H

#include "checks/check_findings.h"

/* False with an error if the file cannot be written. */
bool check_report_write_junit(const struct check_findings *r, const char *path, struct err *e);

#endif
