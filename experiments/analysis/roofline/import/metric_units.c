#include "experiments/analysis/roofline/import/metric_units.h"

#include <stdio.h>
#include <string.h>

/* A kind of metric: what its name contains; the first row that fits counts. */
static const struct kind {
	const char *part, *units[8];
	double factors[8];
} kinds[] = {
	{"cycles_elapsed.avg.per_second", {"hz", "Khz", "Mhz", "Ghz", "cycle/second", "cycle/usecond", "cycle/nsecond"},
		{1, 1e3, 1e6, 1e9, 1, 1e6, 1e9}},
	{"cycles_elapsed.avg", {"cycle", "Kcycle", "Mcycle", "Gcycle"}, {1, 1e3, 1e6, 1e9}},
	{"bytes.sum.peak_sustained", {"byte/cycle", "Kbyte/cycle"}, {1, 1e3}},
	{"bytes.sum.per_second", {"byte/s", "Kbyte/s", "Mbyte/s", "Gbyte/s", "Tbyte/s", "byte/second", "Gbyte/second"},
		{1, 1e3, 1e6, 1e9, 1e12, 1, 1e9}},
	{"dram__bytes", {"byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte"}, {1, 1e3, 1e6, 1e9, 1e12}},
	{"time_duration", {"ns", "us", "ms", "s", "nsecond", "usecond", "msecond", "second"},
		{1e-9, 1e-6, 1e-3, 1, 1e-9, 1e-6, 1e-3, 1}},
	{"inst_executed", {"inst", "inst/cycle", "Kinst", "Minst", "Ginst"}, {1, 1, 1e3, 1e6, 1e9}},
};

bool metric_unit_factor(const char *metric, const char *unit, double *factor)
{
	size_t k = 0, count = sizeof kinds / sizeof *kinds;
	while (k < count && !strstr(metric, kinds[k].part))
		k++;
	for (int i = 0; k < count && i < 8 && kinds[k].units[i]; i++)
		if (!strcmp(unit, kinds[k].units[i])) {
			*factor = kinds[k].factors[i];
			return true;
		}
	return false;
}

char *metric_format(char *out, size_t size, double value, const char *unit)
{
	static const struct {
		double factor;
		const char *name;
	} prefixes[] = {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"},
		{1e-9, "n"}};
	size_t i = 0, last = sizeof prefixes / sizeof *prefixes - 1;
	while (i < last && value < prefixes[i].factor)
		i++;
	if (value <= 0)
		snprintf(out, size, "0 %s", unit);
	else
		snprintf(out, size, "%.3g %s%s", value / prefixes[i].factor, prefixes[i].name, unit);
	return out;
}
