/* Sensor readings: a function of the last launch on the GPU, as if it had run forever. Host time does not matter, so an
 * interrupted and resumed sweep gets the same readings as an uninterrupted one. The exception are the two busy
 * percentages: they show how busy the simulation was in the last second (utilization.h), as a monitor of a real card
 * does. */
#ifndef SOFTGPU_DRIVER_TIME_SENSORS_H
#define SOFTGPU_DRIVER_TIME_SENSORS_H

#include <stdint.h>

struct sensor_readings {
	int64_t edge_mc, junction_mc, memory_mc; /* m°C */
	int64_t power_uw;
	int64_t busy_percent, memory_busy_percent;
	int64_t sclk_khz, mclk_khz;
	uint64_t vram_total, vram_used, gtt_used;
};

struct sensor_readings sensors_read(unsigned gpu);
void sensors_reset_in_child(void);

#endif
