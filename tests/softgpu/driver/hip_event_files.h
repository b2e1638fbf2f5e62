// HIP never removes the files of an interprocess event: /dev/shm/hip_eventXXXXXX, which both processes map, and
// /tmp/eventXXXXXX, which reserves its name.
#pragma once

#include <hip/hip_runtime_api.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

// Call it in the process that created the event, after hipEventDestroy.
static inline void remove_event_files(const hipIpcEventHandle_t &handle)
{
	const std::string name = handle.reserved, prefix = "/hip_";

	shm_unlink(name.c_str());
	if (name.compare(0, prefix.size(), prefix) == 0)
		unlink(("/tmp/" + name.substr(prefix.size())).c_str());
}
