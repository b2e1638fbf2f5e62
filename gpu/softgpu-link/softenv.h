/* The environment in which a program runs on the software GPU. */
#ifndef GPU_SOFTGPU_LINK_SOFTENV_H
#define GPU_SOFTGPU_LINK_SOFTENV_H

#include <stdbool.h>

#include "base/err.h"

/* Checks a model with constants, noise and faults, "mi25,l1_bytes=65536,noise=white:0.01", with the library. False with
 * an error if it is wrong, or if libsoftgpu.so cannot be loaded. */
bool softgpu_check_model(const char *model, struct err *e);
/* The same for the GPUs of a machine, "mi25*2+mi60", which have no noise and no faults. */
bool softgpu_check_machine(const char *models, struct err *e);
/* The model of which a program has code, the first one; NULL if it has none of its own. The caller frees it. */
char *softgpu_choose_model(const char *program);
/* Sets LD_PRELOAD, LD_LIBRARY_PATH and SOFTGPU, so that the program started next by exec runs on libsoftgpu.so. Unsets
 * HSA_*, HIP_*, ROCR_*, GPU_DEVICE_ORDINAL and CUDA_VISIBLE_DEVICES, and what an `exec` around this program has set to
 * look at programs. */
bool softgpu_env_apply(const char *model, struct err *e);
/* Removes the preload from the environment, so that a compiler started from here runs without it. */
void softgpu_env_remove(void);
/* What `exec` shows of a program besides its own output. */
struct exec_watch {
	bool virtual_clock;   /* the program's clocks follow virtual time; otherwise a note when it times launches */
	bool no_progress;     /* of long launches */
	bool profile;         /* a table by kernel at the end */
	const char *threads;  /* of the host, that simulate a launch; NULL: as many as cores are idle */
	const char *timeline; /* a file for the whole program's timeline; NULL: none */
	/* Launches to keep (softgpu/driver/capture/kept_launches.h): the folder, or NULL; a pattern of kernels, numbers
	 * of launches, and how many of the slowest, or NULL. */
	const char *capture, *capture_kernel, *capture_launches, *capture_slowest;
	const char *sums;    /* a folder for the sums of each kernel's launches (kernel_table.h); NULL: none */
	const char *journal; /* a folder for what the program does while it does it; NULL: none */
	/* Checks of launches (softgpu/driver/check/launch_checks.h): their names, "memory,race", and a folder for what
	 * they find; NULL: none. */
	const char *checks, *check_folder;
};
/* Replaces this process with PROGRAM on the software GPUs of `model`; NULL: for each program the first model that its
 * code fits. Returns an exit status only if that fails. */
int softgpu_exec(const char *model, const struct exec_watch *w, char **argv, struct err *e);

#endif
