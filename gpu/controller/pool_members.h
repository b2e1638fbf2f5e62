/* What a pool of workers consists of. Private to worker_pool.c, pool_start.c and pool_death.c. */
#ifndef GPU_CONTROLLER_POOL_MEMBERS_H
#define GPU_CONTROLLER_POOL_MEMBERS_H

#include "gpu/controller/pool_jobs.h"
#include "gpu/controller/worker_pool.h"

/* A device and a way to it, which several workers may share. */
struct place {
	char *device, *via; /* via "": this machine */
	int deaths;         /* since a worker opened the device or delivered a result here */
	int unopened;       /* of these, before their device was open */
	bool was_open;      /* at least once */
	bool out;           /* no more workers start here */
};

struct member {
	int place, index;
	struct worker_controller *worker; /* NULL: not started, or dead */
	bool open;                        /* its device */
	int jobs, done, deaths;           /* jobs at the worker; points measured here; workers that died here */
	long long last_ms;                /* time of its last job; -1: none yet */
};

struct worker_pool {
	struct place places[WORKERS_MAX];
	struct member members[WORKERS_MAX];
	int place_count, size;
	struct pool_jobs jobs;
	json_t *records; /* for the caller; from next_record on */
	size_t next_record;
	json_t *device_record;
	const struct member *speaker; /* whose clocks are shown; NULL: none */
	long long waiting_since;      /* ms: since then, jobs have been waiting; 0: none is */
	long long place_started_at;   /* ms: the last time that a worker started in a place where none ran */
	int failed_in_a_row;          /* jobs that failed with their workers, without a result between them */
	bool dead, open_failed;
	enum status open_status;
	char crash_text[700];
};

/* --- pool_start.c: which workers start, and when --- */
/* Workers of this machine, without waiting for the first device to open. Places elsewhere start one after another. */
void pool_start_local_members(struct worker_pool *p);
bool pool_start_member(struct worker_pool *p, struct member *m, struct err *e);
/* One for each job that has waited long enough; and always one. */
void pool_start_wanted_workers(struct worker_pool *p);
/* Whether workers run, or can be started, at all; in another place than this one. */
bool pool_has_workers_left(const struct worker_pool *p);
bool pool_has_other_place(const struct worker_pool *p, int place);

/* --- pool_death.c: what follows when a worker dies --- */
/* Removes a dead worker, and decides what happens to its jobs and to its place. */
void pool_bury_worker(struct worker_pool *p, struct member *m);
/* Another device than that of the pool: no worker of its place is used. */
void pool_leave_out_other_device(struct worker_pool *p, struct member *m, const json_t *record);
/* Whether points are measured without this member: a device is open elsewhere, or can be opened in another place. */
bool pool_goes_on_without(const struct worker_pool *p, const struct member *m);
void pool_report_death(struct worker_pool *p, const struct member *m, const char *why, const char *then);
void pool_die(struct worker_pool *p, const char *why);
/* Appends a record for the caller, whose reference it takes. */
void pool_deliver_record(struct worker_pool *p, json_t *record);

#endif
