#include "experiments/definition/device_number.h"

#include <math.h>
#include <string.h>

#include "base/vendor/vendor_words.h"
#include "experiments/definition/experiment.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/header_record.h"
#include "kernels/inspect/target_limits.h"

static const char *const names[] = {"", "units", "cus", "bandwidth", "fma", NULL};

enum device_number device_number_of(const char *name)
{
	int i = *name ? name_list_index(name, names) : -1;
	return i < 0 ? DEVICE_NUMBER_NONE : (enum device_number)i;
}

static double property_of(const json_t *device, const char *name)
{
	return json_number_value(json_object_get(device_get_properties(device), name));
}

/* HIP counts WGPs where waves have 32 lanes. */
static double cus_of_unit(const json_t *device)
{
	return property_of(device, "lanes_per_wave") == 32 && !vendor_is_nvidia(device_get_arch(device)) ? 2 : 1;
}

static double find_fma_rate(const json_t *device)
{
	const char *arch = device_get_arch(device);
	return *arch ? target_limits(arch, (unsigned)property_of(device, "lanes_per_wave")).fma : 0;
}

/* 0: not known. */
static double read_number(const json_t *device, enum device_number which)
{
	switch (which) {
	case DEVICE_NUMBER_NONE: break;
	case DEVICE_NUMBER_UNITS: return property_of(device, "compute_units");
	case DEVICE_NUMBER_CUS: return property_of(device, "compute_units") * cus_of_unit(device);
	case DEVICE_NUMBER_FMA: return find_fma_rate(device);
	case DEVICE_NUMBER_BANDWIDTH: return round(device_record_bandwidth(device) / 1e9);
	}
	return 0;
}

void experiment_use_device(struct experiment *x, const json_t *device)
{
	for (int i = 0; i < x->param_count; i++) {
		struct param *p = &x->params[i];
		double v = device ? read_number(device, p->of_device) : 0;
		p->device_value = v >= p->low && v <= p->high ? v : 0;
	}
}
