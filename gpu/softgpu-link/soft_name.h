/* What the name of a software GPU asks for besides the model and its constants, which libsoftgpu.so does not know:
 * "soft:mi25,l1_bytes=32768,noise=white:0.01,fault=busy:0.5". */
#ifndef GPU_SOFTGPU_LINK_SOFT_NAME_H
#define GPU_SOFTGPU_LINK_SOFT_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* The text after ",noise=" (`mark`) up to the next comma, cut to the size; "" if there is none. Its whole length. */
size_t soft_name_find(const char *device, const char *mark, char *out, size_t size);
/* Whether it has noise or faults: its times then differ from launch to launch, as those of hardware do. */
bool soft_name_is_disturbed(const char *device);
/* The name without noise and faults. The caller frees it. */
char *soft_name_remove_disturbances(const char *device);

#endif
