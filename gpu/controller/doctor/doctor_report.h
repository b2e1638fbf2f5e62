/* One check of the doctor, and how it reports. */
#ifndef GPU_CONTROLLER_DOCTOR_DOCTOR_REPORT_H
#define GPU_CONTROLLER_DOCTOR_DOCTOR_REPORT_H

#include <stdio.h>

#include "gpu/controller/doctor/doctor.h"

#define REPORT_OK(c, ...) ((c)->state = CHECK_OK, (void)snprintf((c)->text, sizeof(c)->text, __VA_ARGS__))
#define REPORT_PROBLEM(c, how, advice, ...)                                          \
	((c)->state = (how), (void)snprintf((c)->fix, sizeof(c)->fix, "%s", advice), \
		(void)snprintf((c)->text, sizeof(c)->text, __VA_ARGS__))

/* Sets the fix to the command that installs these rows of packages.tsv; `llvm` as for package_install_command. */
#define REPORT_MISSING(c, how, needs, llvm, ...)                                             \
	(package_install_command(needs, llvm, (c)->fix, sizeof(c)->fix), (c)->state = (how), \
		(void)snprintf((c)->text, sizeof(c)->text, __VA_ARGS__))

/* doctor_libraries.c */
void doctor_check_hip(struct doctor_check *c);
void doctor_check_hsa(struct doctor_check *c);
void doctor_check_smi(struct doctor_check *c);
void doctor_check_softgpu(struct doctor_check *c);
/* doctor_compiler.c */
void doctor_check_clang(struct doctor_check *c);
void doctor_check_linker(struct doctor_check *c);
void doctor_check_device_libraries(struct doctor_check *c);
void doctor_check_headers(struct doctor_check *c);
void doctor_check_llvm_tools(struct doctor_check *c);
/* doctor_devices.c: the first that needs devices opens all of them, until they are closed */
void doctor_check_models(struct doctor_check *c);
void doctor_check_kfd(struct doctor_check *c);
void doctor_check_smi_lock(struct doctor_check *c);
void doctor_check_nvidia(struct doctor_check *c);
void doctor_close_devices(void);
/* The share of host memory that the software GPU may use; 0: it could not be opened. */
double doctor_memory_percent(void);

#endif
