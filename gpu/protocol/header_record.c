#include "gpu/protocol/header_record.h"

json_t *header_get_device(const json_t *header)
{
	return json_object_get(header, "device");
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

bool device_is_deterministic(const json_t *device)
{
	return json_is_true(json_object_get(device, "deterministic"));
}
