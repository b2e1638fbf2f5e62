/* Memory that other processes may open, and memory of another process (shared_memory.h): KFD's calls. What a process
 * has opened stays when its owner frees it. */
#ifndef SOFTGPU_DRIVER_KFD_KFD_IPC_H
#define SOFTGPU_DRIVER_KFD_KFD_IPC_H

#include <stdbool.h>

struct buffer;
struct kfd_ipc_export;
struct kfd_ipc_import;

/* For libhsakmt's mapping of imported memory, which is replaced. No byte of a GPU's file is there. */
#define IMPORT_OFFSET (UINT64_C(1) << 40)

/* 0 or an errno. */
int kfd_memory_export(struct kfd_ipc_export *args);
int kfd_memory_import(struct kfd_ipc_import *args);
/* Maps imported memory, or an alias, where the program sees it. Under the lock of the buffers. */
bool kfd_memory_show_import(const struct buffer *b);

#endif
