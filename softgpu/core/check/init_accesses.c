/* Undefined values in memory and LDS: what loads, stores and atomics do with them. */
#include "softgpu/core/check/checker.h"

#include "softgpu/core/check/load_extension.h"
#include "softgpu/core/check/stored_origins.h"
#include "softgpu/core/check/undefined_memory.h"
#include "softgpu/core/check/undefined_registers.h"

static struct undefined_registers *registers_of(const struct wave *w)
{
	return w->group->check ? w->group->check->wave[w->index].registers : NULL;
}

/* A bit per byte to the bits of a dword, and back. */
static uint32_t bits_of_bytes(uint32_t bytes)
{
	uint32_t bits = 0;

	for (unsigned k = 0; k < 4; k++)
		bits |= bytes >> k & 1 ? UINT32_C(0xff) << 8 * k : 0;
	return bits;
}

static uint32_t bytes_of_bits(uint32_t bits)
{
	uint32_t bytes = 0;

	for (unsigned k = 0; k < 4; k++)
		bytes |= (uint32_t)((bits >> 8 * k & 255) != 0) << k;
	return bytes;
}

/* --- results of loads --- */
/* Lane's registers from `first` on get elements, whose undefined bytes are bits of `undefined`. */
static void define_loaded(const struct wave *w, struct undefined_registers *u, const struct uop *i, unsigned first,
	unsigned lane, uint64_t undefined, uint32_t bytes, uint32_t element)
{
	const uint32_t each = element < 4 ? element : 4;

	for (uint32_t k = 0; k * each < bytes; k++) {
		const unsigned n = first - ISA_VGPR0 + k;
		const uint32_t of = undefined >> k * each & ((1u << each) - 1);
		if (!of && !undefined_lane(u, n, lane))
			continue;
		const struct load_extension x = find_load_extension(&w->m->model, i);
		set_undefined_lane(
			u, n, lane, extend_undefined_bits(&x, bits_of_bytes(of), each, undefined_lane(u, n, lane)));
	}
}

/* The undefined bytes of the lane's data for a store of so many bytes, a bit each. */
static uint32_t stored_undefined(
	struct undefined_registers *u, unsigned first, unsigned lane, uint32_t bytes, uint32_t element, uint32_t shift)
{
	const uint32_t each = element < 4 ? element : 4;
	uint32_t undefined = 0;

	for (uint32_t k = 0; first >= ISA_VGPR0 && first != ISA_NONE && k * each < bytes; k++)
		if (undefined_lane(u, first - ISA_VGPR0 + k, lane))
			undefined |= (bytes_of_bits(undefined_lane(u, first - ISA_VGPR0 + k, lane) >> shift) &
					     ((1u << each) - 1))
				<< k * each;
	return undefined;
}

/* --- loads that are faults by themselves --- */
static void report_load(struct wave *w, const struct uop *i, unsigned lane, struct check_report found)
{
	const struct check_side access = found.at;
	struct check_extent e = {0};

	if (!checker_checks(w, CHECK_LOADS) || checker_checks(w, CHECK_QUIET))
		return;
	found.kind = CHECK_KIND_UNDEFINED_LOAD;
	found.at = checker_describe_side(w, i, lane);
	found.at.address = access.address;
	found.at.bytes = access.bytes;
	found.at.access = VM_READ;
	if (found.space == SPACE_GLOBAL && w->m->checker->find && w->m->checker->find(access.address, &e))
		found.allocation = e.allocation;
	check_reports_add(&w->m->checker->reports, &found);
}

static uint32_t load_undefined(struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint32_t bytes)
{
	const uint32_t undefined = undefined_memory_read(w->m, va, bytes);

	if (undefined)
		report_load(w, i, lane, (struct check_report){.at = {.address = va, .bytes = bytes}});
	return undefined;
}

/* --- memory --- */
/* Where only upper bytes of a dword are undefined, a structure with padding may have been stored as a whole. */
static bool may_be_padding(uint32_t bytes, uint32_t undefined)
{
	for (uint32_t k = 0; k < bytes; k += 4)
		if (undefined >> k & 1)
			return false;
	return bytes >= 4;
}

/* Bytes that the host may read later. What the runtime's own kernels copy has no origin. */
static void store_undefined(
	struct wave *w, const struct uop *i, unsigned lane, struct check_side access, uint32_t undefined)
{
	struct stored_origin from = {.launch = w->m->checker->launch};
	const bool known = undefined && !checker_checks(w, CHECK_QUIET) && !may_be_padding(access.bytes, undefined);

	if (known) {
		from.store = checker_describe_side(w, i, lane);
		from.store.bytes = access.bytes;
		from.store.access = VM_WRITE;
		w->m->checker->left_undefined = true;
	}
	undefined_memory_write(w->m, access.address, access.bytes, undefined, known ? &from : NULL);
}

static void store_lane_undefined(
	struct wave *w, const struct uop *i, const struct checked_access *a, unsigned lane, uint32_t undefined)
{
	struct machine *m = w->m;

	if (undefined && undefined_memory_is_host(m, a->at[lane])) {
		report_undefined(w, i, lane, CHECK_KIND_UNDEFINED_STORE);
		undefined = 0;
	}
	store_undefined(w, i, lane, (struct check_side){.address = a->at[lane], .bytes = a->bytes}, undefined);
}

static void access_lane(struct wave *w, const struct uop *i, const struct checked_access *a, unsigned lane)
{
	struct undefined_registers *u = registers_of(w);
	const unsigned data = stored_register(i);

	if (a->access == VM_READ) {
		define_loaded(w, u, i, i->d.dst, lane, load_undefined(w, i, lane, a->at[lane], a->bytes), a->bytes,
			a->element);
		return;
	}
	const uint32_t undefined = stored_undefined(u, data, lane, a->bytes, a->element, a->shift);
	if (a->access == VM_WRITE) {
		store_lane_undefined(w, i, a, lane, undefined);
		return;
	}
	if (undefined || undefined_memory_read(w->m, a->at[lane], a->bytes))
		report_undefined(w, i, lane, CHECK_KIND_UNDEFINED_ATOMIC);
	undefined_memory_write(w->m, a->at[lane], a->bytes, 0, NULL);
}

void init_access_memory(struct wave *w, const struct uop *i, const struct checked_access *a, uint64_t lanes)
{
	if (!registers_of(w) || a->space != SPACE_GLOBAL || a->pieces != 1)
		return;
	for (uint64_t l = lanes; l; l &= l - 1)
		access_lane(w, i, a, __builtin_ctzll(l));
}

void init_access_scalar(struct wave *w, const struct uop *i, uint64_t at, uint32_t bytes, unsigned access)
{
	struct undefined_registers *u = registers_of(w);

	for (uint32_t k = 0; u && k < bytes; k += 4) {
		if (access == VM_READ)
			u->s[(i->d.dst + k / 4) % SGPR_FILE_SIZE] = bits_of_bytes(load_undefined(w, i, 0, at + k, 4));
		else
			store_undefined(w, i, 0, (struct check_side){.address = at + k, .bytes = 4},
				bytes_of_bits(u->s[(i->d.src[2] + k / 4) % SGPR_FILE_SIZE]));
	}
}

/* --- LDS --- */
static uint32_t lds_undefined(const uint8_t *lds, uint32_t at, uint32_t bytes)
{
	uint32_t undefined = 0;

	for (uint32_t k = 0; k < bytes; k++)
		undefined |= (uint32_t)lds[at + k] << k;
	return undefined;
}

static void access_lds_lane(struct wave *w, const struct uop *i, const struct checked_lds *a, unsigned lane)
{
	struct undefined_registers *u = registers_of(w);
	uint8_t *lds = w->group->check->undefined_lds;
	const uint32_t at = a->at[lane], element = a->element ? a->element : a->bytes;
	const unsigned data = i->unit == UNIT_LDS ? i->d.src[1 + a->part] : stored_register(i);
	const uint32_t registers = (a->bytes + 3) / 4;

	if (!a->data && !a->atomic) {
		const uint32_t loaded = lds_undefined(lds, at, a->bytes);
		if (loaded)
			report_load(w, i, lane,
				(struct check_report){.space = SPACE_LDS,
					.room = w->launch->group_bytes_asked,
					.at = {.address = at, .bytes = a->bytes}});
		define_loaded(w, u, i, i->d.dst + a->part * registers, lane, loaded, a->bytes, element);
		return;
	}
	const uint32_t undefined = stored_undefined(u, data, lane, a->bytes, element, a->shift);
	if (a->atomic && (undefined || lds_undefined(lds, at, a->bytes)))
		report_undefined(w, i, lane, CHECK_KIND_UNDEFINED_ATOMIC);
	for (uint32_t k = 0; k < a->bytes; k++)
		lds[at + k] = !a->atomic && undefined >> k & 1;
}

void init_access_lds(struct wave *w, const struct uop *i, const struct checked_lds *a, uint64_t lanes)
{
	if (!registers_of(w) || !w->group->check->undefined_lds)
		return;
	for (uint64_t l = lanes; l; l &= l - 1)
		access_lds_lane(w, i, a, __builtin_ctzll(l));
}
