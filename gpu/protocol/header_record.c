#include "gpu/protocol/header_record.h"

#include <stdio.h>

json_int_t header_get_schema(const json_t *header)
{
	return record_get_integer(header, "schema");
}

bool header_check_schema(json_int_t schema, const char *path, struct err *e)
{
	return schema <= SESSION_SCHEMA ||
		err_set(e, ST_REQUEST,
			"%s was recorded by a newer wavedeck (schema %" JSON_INTEGER_FORMAT
			", this version reads %d); update wavedeck",
			path, schema, SESSION_SCHEMA);
}

json_t *header_get_device(const json_t *header)
{
	return json_object_get(header, "device");
}

json_t *header_get_sampling(const json_t *header)
{
	return json_object_get(header, "sampling");
}

json_t *header_get_sweep(const json_t *header)
{
	return json_object_get(header, "sweep");
}

json_t *header_get_columns(const json_t *header)
{
	return json_object_get(header, "columns");
}

json_t *header_get_definition(const json_t *header)
{
	return json_object_get(header, "definition");
}

const char *header_get_program(const json_t *header)
{
	return record_get_text(header_get_definition(header), "lua");
}

const char *header_format_own_experiment(const json_t *header, char *out, size_t size)
{
	bool captured = json_is_true(json_object_get(header_get_definition(header), "captured"));
	bool program = *header_get_program(header);
	snprintf(out, size,
		captured          ? "FILE.wbc:%.60s"
			: program ? "./%.50s --args ..."
				  : "PATH/%.60s.lua",
		record_get_text(header, "experiment"));
	return out;
}

const char *header_get_title(const json_t *header)
{
	return record_get_text(header, "title");
}

const char *device_get_id(const json_t *device)
{
	return record_get_text(device, "device");
}

const char *device_get_name(const json_t *device)
{
	return record_get_text(device, "name");
}

const char *device_get_arch(const json_t *device)
{
	return record_get_text(device, "arch");
}

json_t *device_get_versions(const json_t *device)
{
	return json_object_get(device, "versions");
}

json_t *device_get_properties(const json_t *device)
{
	return json_object_get(device, "properties");
}

json_t *device_copy_for_session(const json_t *device)
{
	json_t *copy = json_deep_copy(device);
	json_object_del(device_get_properties(copy), "pci");
	return copy;
}

bool device_is_deterministic(const json_t *device)
{
	return json_is_true(json_object_get(device, "deterministic"));
}

bool device_times_vary(const json_t *device)
{
	return json_is_false(json_object_get(device, "deterministic"));
}
