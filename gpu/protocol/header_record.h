/* Fields of session headers and of the device records in them (docs/protocol.md). */
#ifndef GPU_PROTOCOL_HEADER_RECORD_H
#define GPU_PROTOCOL_HEADER_RECORD_H

#include "gpu/protocol/record.h"

enum {
	SESSION_SCHEMA = 2,          /* the version of written files; files with a newer one are rejected */
	SCHEMA_WITH_CODE_RECORDS = 2 /* and later: point_record.h */
};

json_int_t header_get_schema(const json_t *header); /* version of its format; also of the description of a batch */
/* False, with one line, for a file that this version cannot read. */
bool header_check_schema(json_int_t schema, const char *path, struct err *e);
/* Texts are "" if missing; objects and lists are borrowed, NULL if missing. */
json_t *header_get_device(const json_t *header);      /* device record of a session */
json_t *header_get_sampling(const json_t *header);    /* how samples were taken; NULL: as by default */
json_t *header_get_sweep(const json_t *header);       /* swept parameters: an object, or a list of several */
json_t *header_get_columns(const json_t *header);     /* parameters, metrics and counters of its points */
json_t *header_get_definition(const json_t *header);  /* file and hash of the experiment */
const char *header_get_program(const json_t *header); /* text of the definition of a program's sweep */
/* What chooses the experiment on the command line, if the catalog does not have it: "PATH/NAME.lua", "FILE.wbc:NAME"
 * for a captured launch, or "./NAME --args ..." for a program. Returns out. */
const char *header_format_own_experiment(const json_t *header, char *out, size_t size);
const char *header_get_title(const json_t *header);  /* of the experiment */
const char *device_get_id(const json_t *device);     /* "soft:mi25" */
const char *device_get_name(const json_t *device);   /* of the GPU */
const char *device_get_arch(const json_t *device);   /* target: "gfx900" */
json_t *device_get_versions(const json_t *device);   /* of libraries, by name */
json_t *device_get_properties(const json_t *device); /* sizes and clocks, by name */
/* For a session: without the address of its slot, which tells about the machine and not about what is measured.
 * Sessions of older programs have it. The caller owns the copy. */
json_t *device_copy_for_session(const json_t *device);
bool device_is_deterministic(const json_t *device); /* its times do not vary */
bool device_times_vary(const json_t *device);       /* its record has that they do */

#endif
