/* A backend is a kind of device that wavedeck can measure on: "soft:..." (software GPU), "hip:N" (a GPU through HIP),
 * "cuda:N" (one of NVIDIA), "replay:FILE" (a recorded session). A device name is the backend's prefix, a colon and the
 * rest.
 *
 * To add a backend: write gpu/backends/NAME.c with one `const struct backend backend_NAME`, and add one line to
 * gpu/backends/backends.def. Code outside this folder never compares prefixes; it queries capabilities. */
#ifndef GPU_BACKENDS_BACKEND_H
#define GPU_BACKENDS_BACKEND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "gpu/backends/gpu_runtime.h"
#include "gpu/protocol/record.h"

enum device_capability {
	DEVICE_HARDWARE = 1 << 0,      /* a real GPU, shared with all other processes; times vary from run to run */
	DEVICE_SIMULATED = 1 << 1,     /* a model of a GPU, private to each worker */
	DEVICE_RECORDING = 1 << 2,     /* a recorded session: only measured points exist, no kernel can run */
	DEVICE_DETERMINISTIC = 1 << 3, /* the same job always gives the same result, so one sample is enough */
	DEVICE_COUNTERS = 1 << 4,      /* performance counters */
	DEVICE_STALLS = 1 << 5,        /* cycles by stall reason, for the kernel and for each instruction */
	DEVICE_INSPECTOR = 1 << 6,     /* timeline of the waves, hits and misses of each cache set, steps of a wave */
	DEVICE_TUNABLE = 1 << 7,       /* hardware constants can be changed: soft:mi25,l1_bytes=65536 */
	DEVICE_REDUCED_SIZES = 1 << 8, /* slow: experiments use the sizes reduced for the software GPU */
};

/* A device that is open in this process, the worker. */
struct opened_device {
	const struct gpu_runtime *rt; /* runs kernels; NULL when the backend answers jobs itself */
	void *handle;
	bool deterministic; /* set by the worker from the capabilities */
	/* A software GPU with noise in its times, or with faults (noisy_runtime.h, faulty_runtime.h): starts those of a
	 * point, with a key of its own and its number from 0. NULL: none. */
	void (*begin_noisy_point)(uint64_t key, long number);
	bool starts_idle;                   /* such a device: each point begins with the clock of an idle one */
	bool has_sensors;                   /* its library has started: readings are missing only if it fails */
	struct device_info info;            /* with a runtime */
	struct clocks (*read_clocks)(void); /* the sensors now; NULL: none */
	unsigned locked_mhz;                /* set by the worker: the clock that is locked while it measures; 0: none */
	json_t *record; /* without a runtime: "name", "arch" and so on of the device record; owned */
};

/* Whether its work takes the time of the host's clock, and its sensors follow that; virtual time otherwise. */
static inline bool device_has_host_time(const struct opened_device *d)
{
	return !d->deterministic && !d->begin_noisy_point;
}

enum { DEVICE_SHORT_NAME = 32 }; /* bytes of a name that `list` returns */

/* Locks the clock of a device's cores. It holds for everyone who uses the device, until it is unlocked: only the
 * process that gives it back, however wavedeck ends, calls these (gpu/clocks/clock_guard.h). */
enum { CLOCK_COMMAND = 120 };
struct clock_locker {
	/* Loads what is needed, and checks that the device has this clock and that no process has it open. `give_back`
	 * gets the command with which a person unlocks the clock. */
	bool (*prepare)(const char *rest, unsigned mhz, char give_back[CLOCK_COMMAND], struct err *e);
	/* After prepare. */
	bool (*lock)(unsigned mhz, struct err *e);
	bool (*unlock)(struct err *e);
};

struct backend {
	const char *prefix;    /* "hip" */
	const char *form;      /* a device name for error messages: "hip:0"; NULL: the names that `list` returns */
	const char *remark;    /* shown after the device's name, such as "in software"; NULL: none */
	unsigned capabilities; /* of enum device_capability */
	const struct clock_locker *clock; /* NULL: its clock is not locked */
	const char *clock_advice;         /* then: why, and what to do instead; NULL: it has no clock */
	bool offer_form; /* offer `form` to the user even if `list` does not find it: opening it explains why */

	/* Whether the text after the prefix is well formed. NULL: any text is. Cheap. */
	bool (*accepts)(const char *rest);
	/* Checks the text after the prefix in depth: a model's name and constants. NULL: no check. */
	bool (*check)(const char *rest, struct err *e);
	/* Whether the device has these counters (NULL-terminated list). NULL: not known before it is open. */
	bool (*check_counters)(const char *const *names, struct err *e);
	/* Names of the devices on this machine, at most `max`. Opens nothing. NULL: no names. */
	size_t (*list)(char names[][DEVICE_SHORT_NAME], size_t max);
	/* The target of the device with this text after the prefix; `arch` is "". NULL: not known before it is open. */
	void (*read_arch)(const char *rest, char arch[DEVICE_ARCH]);
	/* The device to use when the user names none; NULL, the function or its result: not this backend. */
	const char *(*default_device)(void);

	/* The worker process only. A backend that needs other environment variables sets them in set_environment; the
	 * worker then starts itself again and calls clear_environment, which also checks that they took effect. */
	bool (*set_environment)(const char *rest, struct err *e);
	bool (*clear_environment)(struct err *e);
	/* Fills *out, which is zeroed; until the process ends. */
	bool (*open)(const char *rest, struct opened_device *out, struct err *e);
	/* For a backend without a runtime: the point record that answers a job record; the caller owns it. NULL with an
	 * error ends the worker. */
	json_t *(*answer)(void *handle, const json_t *job, struct err *e);
};

/* --- a device by its name --- */
/* NULL for an unknown prefix or a malformed rest. *rest, if not NULL, gets the text after the prefix. */
const struct backend *backend_find(const char *device, const char **rest);
/* False for such a name, with the nearest valid name. */
bool device_name_check(const char *device, struct err *e);
/* Also asks the backend: a model's name and constants. */
bool device_name_check_deep(const char *device, struct err *e);
bool device_check_counters(const char *device, const char *const *names, struct err *e);
/* Whether the device has all these capabilities; false for an unknown name. */
bool device_can(const char *device, unsigned capabilities);
/* Its target, "gfx900"; "" if that is not known before the device is open. Opens nothing. */
void device_read_arch(const char *device, char arch[DEVICE_ARCH]);
/* Whether its times have noise, or it has faults, although it is a software GPU; false for an unknown name. */
bool device_is_noisy(const char *device);
/* Whether the device of a record (docs/protocol.md) has these capabilities; false for NULL. */
bool device_record_can(const json_t *record, unsigned capabilities);
/* The backend's remark, "" if none. */
const char *device_record_remark(const json_t *record);
/* The peak bandwidth of its memory, bytes/s; 0 if the runtime reports no clock or bus width. */
double device_record_bandwidth(const json_t *record);
/* The text after the prefix; the whole text if it has no known prefix. Points into `device`. */
const char *device_rest(const char *device);

/* --- all backends --- */
/* The i-th backend; NULL after the last. The first with a default device wins. */
const struct backend *backend_get(size_t i);
/* Names of the devices found on this machine; `offered`: and of those offered although they are not found. */
size_t backends_list_devices(char names[][DEVICE_SHORT_NAME], size_t max, bool offered);
/* The device to use when the user names none. */
const char *device_default_name(void);

#endif
