/* Layouts shared with the runtime: packets of the HSA Platform System Architecture 1.2, and the AMD queue and signal of
 * amd_hsa_queue.h and amd_hsa_signal.h. */
#ifndef SOFTGPU_ABI_AQL_H
#define SOFTGPU_ABI_AQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AQL_PACKET_BYTES 64

enum aql_type {
	AQL_VENDOR = 0,
	AQL_INVALID = 1,
	AQL_DISPATCH = 2,
	AQL_BARRIER_AND = 3,
	AQL_AGENT = 4,
	AQL_BARRIER_OR = 5,
};

struct aql_dispatch {
	uint16_t header, setup, workgroup[3], reserved0;
	uint32_t grid[3], private_bytes, group_bytes;
	uint64_t kernel_object, kernarg, reserved1, completion;
};

struct aql_barrier {
	uint16_t header, reserved0;
	uint32_t reserved1;
	uint64_t dependency[5], reserved2, completion;
};

/* AMD's vendor packets have a format after the header (hsa_ext_amd.h). */
enum aql_vendor_format { AQL_PM4 = 1, AQL_BARRIER_VALUE = 2 };
struct aql_vendor {
	uint16_t header;
	uint8_t format, reserved;
};

struct aql_barrier_value {
	struct aql_vendor vendor;
	uint32_t reserved0;
	uint64_t signal;
	int64_t value, mask;
	uint32_t condition, reserved1; /* enum hsa_signal_condition: compares the masked signal value with `value` */
	uint64_t reserved2, reserved3, completion;
};

union aql_packet {
	uint16_t header;
	struct aql_vendor vendor;
	struct aql_barrier_value barrier_value;
	struct aql_dispatch dispatch;
	struct aql_barrier barrier;
};

struct amd_signal {
	int64_t kind, value;
	uint64_t mailbox;
	uint32_t event, reserved1;
	uint64_t start, end, queue;
	uint32_t reserved2[2];
};

struct amd_queue {
	uint32_t type, features;
	uint64_t base, doorbell;
	uint32_t size, reserved0;
	uint64_t id;
	uint32_t reserved1[4];
	uint64_t write_id;
	uint32_t group_aperture_hi, private_aperture_hi, max_cu, max_wave;
	uint64_t legacy_doorbell;
	uint32_t legacy_lock, reserved2[9];
	uint64_t read_id;
	uint32_t read_id_offset, tmpring_size, scratch_srd[4];
	uint64_t scratch_base, scratch_bytes;
	uint32_t scratch_lane_bytes, properties, reserved3[2];
	uint64_t inactive_signal;
	uint32_t reserved4[14];
};

/* As in hsa.h. */
enum hsa_signal_condition {
	HSA_SIGNAL_CONDITION_EQ,
	HSA_SIGNAL_CONDITION_NE,
	HSA_SIGNAL_CONDITION_LT,
	HSA_SIGNAL_CONDITION_GTE
};

static inline bool hsa_condition_is_met(int64_t value, enum hsa_signal_condition condition, int64_t compare)
{
	switch (condition) {
	case HSA_SIGNAL_CONDITION_EQ: return value == compare;
	case HSA_SIGNAL_CONDITION_NE: return value != compare;
	case HSA_SIGNAL_CONDITION_LT: return value < compare;
	case HSA_SIGNAL_CONDITION_GTE: return value >= compare;
	}
	return true;
}

_Static_assert(sizeof(struct aql_barrier_value) == AQL_PACKET_BYTES, "AMD barrier-value packet");
_Static_assert(sizeof(union aql_packet) == AQL_PACKET_BYTES, "AQL packet");
_Static_assert(sizeof(struct amd_signal) == 64, "AMD signal");
_Static_assert(offsetof(struct amd_queue, read_id) == 0x80 && offsetof(struct amd_queue, tmpring_size) == 0x8c &&
		offsetof(struct amd_queue, inactive_signal) == 0xc0,
	"AMD queue");

#endif
