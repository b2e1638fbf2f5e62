#include "softgpu/core/image/image_ops.h"

#include <string.h>
#include <xmmintrin.h>

#include "softgpu/core/check/checker.h"
#include "softgpu/core/image/image_sample.h"
#include "softgpu/core/image/texel_format.h"
#include "softgpu/core/memory/buffer_format.h"
#include "softgpu/core/memory/window/deferred_access.h"
#include "softgpu/core/memory/window/store_overlay.h"
#include "softgpu/isa/semantics_float.h"

enum { COMPONENTS = 4, HALF_MASK = 0xffff };
#define EACH_ACTIVE(l, mask) for (uint64_t e_ = (mask); e_ && ((l) = (unsigned)__builtin_ctzll(e_), 1); e_ &= e_ - 1)

/* --- descriptors --- */
static bool stop_at_descriptor(struct wave *w, const struct uop *i, const char *what, const char *reason)
{
	machine_halt(w, i, LAUNCH_ILLEGAL, "%s cannot use this %s: %s, which is not supported", isa_mnemonic(&i->d),
		what, reason);
	return false;
}

static bool read_image(struct wave *w, const struct uop *i, struct image *out)
{
	const char *reason =
		image_read_descriptor(&w->s[i->d.src[1] & 127], w->m->model.gpu->target->family->gb_addr_config, out);

	return !reason || stop_at_descriptor(w, i, "image", reason);
}

static bool read_sampler(struct wave *w, const struct uop *i, struct sampler *out)
{
	const char *reason = sampler_read_descriptor(&w->s[i->d.src[2] & 127], out);

	if (i->d.flags & FLAG_UNORM)
		out->unnormalized = true;
	return !reason || stop_at_descriptor(w, i, "sampler", reason);
}

/* --- addresses --- */
/* Address component n of a lane. */
static uint32_t address_component(const struct wave *w, const struct uop *i, unsigned n, unsigned l)
{
	const uint32_t *v = wave_vgpr(w, i->d.src[0]) + l;

	if (!(i->d.flags & FLAG_A16))
		return v[n * w->launch->lanes];
	return v[n / 2 * w->launch->lanes] >> n % 2 * 16 & HALF_MASK;
}

static float address_float(const struct wave *w, const struct uop *i, unsigned n, unsigned l)
{
	const uint32_t bits = address_component(w, i, n, l);

	return i->d.flags & FLAG_A16 ? f16_to_f32((uint16_t)bits) : bits_f32(bits);
}

/* The address of the texel at integer coordinates; false: outside the image. */
static bool locate_texel(
	const struct wave *w, const struct uop *i, const struct image *image, unsigned l, bool level, uint64_t *address)
{
	uint32_t at[3] = {0}, layer = 0;
	unsigned n = 0;
	bool inside = true;

	for (; n < image->dimensions; n++) {
		at[n] = address_component(w, i, n, l);
		inside &= at[n] < image->size[n];
	}
	if (i->d.flags & FLAG_DA) {
		layer = image->is_array ? address_component(w, i, n, l) : 0;
		inside &= layer < image->layers;
		n++;
	}
	if (level)
		inside &= address_component(w, i, n, l) == 0;
	if (inside)
		*address = image_texel_address(image, at, layer);
	return inside;
}

/* --- translation --- */
/* Replaces the GPU address of a lane's texel by the physical one, and finds the host's. */
static bool translate_texel(
	struct wave *w, const struct uop *i, struct image_access *x, unsigned k, unsigned l, unsigned access)
{
	struct vm_region *window = &w->m->thread.vm_window[i->pc / 4 % VM_WINDOWS];
	const uint64_t at = x->at[k][l];

	if (at - window->va >= window->size || window->size - (at - window->va) < x->bytes ||
		(window->access & access) != access) {
		const struct vm_region *r = vm_find(&w->m->vm, at, x->bytes, access);
		if (!r) {
			x->memory[k] &= ~(UINT64_C(1) << l);
			if (machine_is_checked(w->m))
				checker_report_unmapped(w, i, l, at, x->bytes, access);
			return machine_fault(w, i, l, at, x->bytes, access);
		}
		*window = *r;
	}
	x->host[k][l] = window->host + (at - window->va);
	x->at[k][l] = at - window->va + window->phys;
	return true;
}

/* Leaves out texels that must not be accessed. */
static void check_texels(struct wave *w, const struct uop *i, struct image_access *x, unsigned k, unsigned access)
{
	for (uint64_t m = x->memory[k]; m; m &= m - 1) {
		const unsigned l = __builtin_ctzll(m);
		if (!checker_access_texel(w, i, l, x->at[k][l], x->bytes, access))
			x->memory[k] &= ~(m & -m);
	}
}

static bool translate_texels(struct wave *w, const struct uop *i, struct image_access *x, unsigned access)
{
	unsigned l;

	for (unsigned k = 0; k < x->texels; k++) {
		if (machine_is_checked(w->m))
			check_texels(w, i, x, k, access);
		EACH_ACTIVE(l, x->memory[k])
		if (!translate_texel(w, i, x, k, l, access))
			return false;
	}
	return true;
}

/* The texel as the wave sees it. */
static const uint8_t *see_texel(
	const struct wave *w, const struct image_access *x, unsigned k, unsigned l, uint8_t copy[BUFFER_ELEMENT_MAX])
{
	const struct store_overlay *o = overlay_to_ask(w);

	if (!o)
		return x->host[k][l];
	overlay_read(o, x->host[k][l], copy, x->bytes);
	return copy;
}

static void store_texel(struct wave *w, const struct image_access *x, unsigned l, const void *from)
{
	struct store_overlay *o = overlay_to_write(w);

	if (o)
		overlay_write(o, x->host[0][l], from, x->bytes);
	else
		memcpy(x->host[0][l], from, x->bytes);
}

/* A texel of each lane, at integer coordinates. */
static bool begin_access(struct wave *w, const struct uop *i, const struct image *image, unsigned flags,
	enum memory_kind kind, struct image_access *x)
{
	static const uint8_t access[] = {
		[MEMORY_LOAD] = VM_READ, [MEMORY_STORE] = VM_WRITE, [MEMORY_ATOMIC] = VM_READ | VM_WRITE};
	unsigned l;

	x->texels = 1;
	x->memory[0] = 0;
	EACH_ACTIVE(l, wave_exec_mask(w))
	if (locate_texel(w, i, image, l, flags & IMAGE_MIP, &x->at[0][l]))
		x->memory[0] |= UINT64_C(1) << l;
	if (!translate_texels(w, i, x, access[kind]))
		return false;
	memory_schedule_image(w, i, x, kind, w->m->model.image_address_cycles);
	return true;
}

/* --- data registers --- */
static uint32_t pack_half(uint32_t value, bool is_float)
{
	return is_float ? f32_to_f16_nearest(bits_f32(value)) : value & HALF_MASK;
}

/* Writes n values to a lane's data registers, and the dword of TFE: 0, because all memory is resident. */
static void write_values(
	struct wave *w, const struct uop *i, unsigned l, const uint32_t *value, unsigned n, bool is_float)
{
	uint32_t packed[COMPONENTS + 1] = {0};
	const unsigned dwords = isa_image_data_dwords(&i->d);

	for (unsigned k = 0; k < n; k++)
		if (i->d.flags & FLAG_D16)
			packed[k / 2] |= pack_half(value[k], is_float) << k % 2 * 16;
		else
			packed[k] = value[k];
	for (unsigned k = 0; k < dwords; k++)
		wave_vgpr(w, i->d.dst + k)[l] = packed[k];
}

/* The components of dmask; without any, the instruction returns the first one (Vega ISA 8.2.1). */
static unsigned pick_components(const struct uop *i, const uint32_t component[4], uint32_t value[4])
{
	const unsigned mask = i->d.imm & 15 ? (unsigned)i->d.imm & 15 : 1;
	unsigned n = 0;

	for (unsigned k = 0; k < COMPONENTS; k++)
		if (mask >> k & 1)
			value[n++] = component[k];
	return n;
}

static void read_values(const struct wave *w, const struct uop *i, unsigned l, unsigned number, uint32_t value[4])
{
	const unsigned lanes = w->launch->lanes, dwords = isa_image_data_dwords(&i->d),
		       mask = i->d.imm & 15 ? (unsigned)i->d.imm & 15 : 1;
	const uint32_t *data = wave_vgpr(w, i->d.data) + l;
	unsigned n = 0;

	for (unsigned k = 0; k < COMPONENTS; k++) {
		value[k] = 0;
		if (!(mask >> k & 1))
			continue;
		if (i->d.flags & FLAG_D16)
			value[k] = buffer_format_widen(number, data[n / 2 * lanes] >> n % 2 * 16 & HALF_MASK);
		else if (n < dwords)
			value[k] = data[n * lanes];
		n++;
	}
}

/* --- loads and stores --- */
static void load_components(const struct image *image, const uint8_t *from, uint32_t out[4])
{
	uint32_t component[COMPONENTS] = {0};

	if (from)
		texel_decode(image->data, image->number, from, component);
	image_select(image, component, out);
}

static void load_bits(const struct image *image, const uint8_t *from, bool is_signed, uint32_t out[4])
{
	const unsigned unused = image->texel_bytes < 4 ? 32 - 8 * image->texel_bytes : 0;

	memset(out, 0, COMPONENTS * sizeof *out);
	if (from)
		memcpy(out, from, image->texel_bytes);
	if (is_signed)
		out[0] = (uint32_t)((int32_t)(out[0] << unused) >> unused);
}

void image_load(struct wave *w, const struct uop *i, unsigned flags)
{
	const uint32_t csr = _mm_getcsr();
	uint32_t component[COMPONENTS], value[COMPONENTS];
	struct image image;
	struct image_access x;
	unsigned l;

	if (!read_image(w, i, &image))
		return;
	x.bytes = image.texel_bytes;
	if (!begin_access(w, i, &image, flags, MEMORY_LOAD, &x))
		return;
	_mm_setcsr(w->mxcsr[FP_NONE]);
	EACH_ACTIVE(l, wave_exec_mask(w))
	{
		uint8_t copy[BUFFER_ELEMENT_MAX];
		const uint8_t *from = x.memory[0] >> l & 1 ? see_texel(w, &x, 0, l, copy) : NULL;
		if (flags & IMAGE_PACKED)
			load_bits(&image, from, flags & IMAGE_SIGNED, component);
		else
			load_components(&image, from, component);
		write_values(w, i, l, value, pick_components(i, component, value),
			!(flags & IMAGE_PACKED) && !texel_format_is_integer(image.number));
	}
	_mm_setcsr(csr);
}

void image_store(struct wave *w, const struct uop *i, unsigned flags)
{
	const uint32_t csr = _mm_getcsr();
	uint32_t value[COMPONENTS], component[COMPONENTS];
	uint8_t texel[BUFFER_ELEMENT_MAX];
	struct image image;
	struct image_access x;
	unsigned l;

	if (!read_image(w, i, &image))
		return;
	x.bytes = image.texel_bytes;
	if (!begin_access(w, i, &image, flags, MEMORY_STORE, &x))
		return;
	_mm_setcsr(w->mxcsr[FP_NONE]);
	EACH_ACTIVE(l, x.memory[0])
	{
		read_values(w, i, l, image.number, value);
		if (flags & IMAGE_PACKED) {
			store_texel(w, &x, l, value);
			continue;
		}
		image_unselect(&image, value, component);
		texel_encode(image.data, image.number, component, texel);
		store_texel(w, &x, l, texel);
	}
	_mm_setcsr(csr);
}

static void take_applied(const struct deferred_access *d, struct image_access *x)
{
	x->texels = 1;
	x->bytes = d->x.bytes;
	x->memory[0] = d->x.memory;
	memcpy(x->host[0], d->x.host, sizeof x->host[0]);
}

bool image_begin_atomic(struct wave *w, const struct uop *i, struct image_access *x)
{
	const struct deferred_access *applied = access_applied(w);
	const unsigned cells = isa_info(i->d.op)->dst2 == T_B64 ? 2 : 1;
	struct isa_inst d = i->d;
	struct image image;

	if (applied) {
		take_applied(applied, x);
		return true;
	}
	d.flags &= (uint16_t)~FLAG_TFE;
	x->bytes = 4 * isa_image_data_dwords(&d) / cells;
	if (!read_image(w, i, &image) || !begin_access(w, i, &image, 0, MEMORY_ATOMIC, x))
		return false;
	return !w->m->windowed || !access_defer_image(w, i, x);
}

void image_get_resinfo(struct wave *w, const struct uop *i)
{
	struct image_access none = {.texels = 0};
	uint32_t value[COMPONENTS];
	struct image image;
	unsigned l;

	if (!read_image(w, i, &image))
		return;
	memory_schedule_image(w, i, &none, MEMORY_LOAD, w->m->model.image_address_cycles);
	EACH_ACTIVE(l, wave_exec_mask(w))
	{
		const bool exists = address_component(w, i, 0, l) < image.levels;
		const uint32_t size[COMPONENTS] = {exists ? image.size[0] : 0, exists ? image.size[1] : 0,
			!exists                  ? 0
				: image.is_array ? image.layers
						 : image.size[2],
			image.levels};
		write_values(w, i, l, value, pick_components(i, size, value), false);
	}
}

/* --- samples --- */
/* What each lane samples. */
struct sample {
	struct image image;
	struct sampler sampler;
	unsigned flags;
	bool linear[2][3]; /* magnified, minified */
	struct sample_texels texels[MAX_LANES];
	uint32_t reference[MAX_LANES];
	struct image_access x;
};

/* Three offsets of 6 bits, in bytes. */
static void read_offsets(uint32_t word, int8_t offset[3])
{
	for (unsigned k = 0; k < 3; k++)
		offset[k] = (int8_t)((int32_t)(word >> 8 * k << 26) >> 26);
}

/* Components come in the order offset, bias, reference, derivatives, coordinates, layer, level or its limit (Vega ISA
 * 8.2.4). With one level, only the choice between the filters depends on the level. */
static void locate_sample(const struct wave *w, const struct uop *i, struct sample *s, unsigned l)
{
	const unsigned flags = s->flags;
	struct sample_position p = {.layer = 0};
	unsigned n = 0;
	bool minified = false;

	if (flags & SAMPLE_OFFSET)
		read_offsets(address_component(w, i, n++, l), p.offset);
	n += flags & SAMPLE_BIAS ? 1 : 0;
	if (flags & SAMPLE_COMPARE)
		s->reference[l] = address_component(w, i, n++, l);
	n += flags & SAMPLE_DERIVATIVES ? 2 * s->image.dimensions : 0;
	for (unsigned k = 0; k < s->image.dimensions; k++)
		p.at[k] = address_float(w, i, n++, l);
	if (i->d.flags & FLAG_DA)
		p.layer = address_float(w, i, n++, l);
	if (flags & SAMPLE_LOD)
		minified = address_float(w, i, n, l) > 0;
	image_find_texels(&s->image, &s->sampler, s->linear[minified], &p, &s->texels[l]);
}

/* Finds the texels of all lanes. */
static void locate_samples(const struct wave *w, const struct uop *i, struct sample *s)
{
	struct image_access *x = &s->x;
	unsigned l;

	x->texels = 0;
	x->bytes = s->image.texel_bytes;
	memset(x->memory, 0, sizeof x->memory);
	EACH_ACTIVE(l, wave_exec_mask(w))
	{
		const struct sample_texels *t = &s->texels[l];
		locate_sample(w, i, s, l);
		x->texels = t->count > x->texels ? t->count : x->texels;
		for (unsigned k = 0; k < t->count; k++)
			if (!(t->border >> k & 1)) {
				x->at[k][l] = image_texel_address(&s->image, t->at[k], t->layer);
				x->memory[k] |= UINT64_C(1) << l;
			}
	}
}

static void read_sample_texel(
	const struct wave *w, const struct sample *s, unsigned k, unsigned l, uint32_t component[4])
{
	uint8_t copy[BUFFER_ELEMENT_MAX];

	memset(component, 0, COMPONENTS * sizeof *component);
	if (s->texels[l].border >> k & 1)
		image_border_color(&s->image, &s->sampler, component);
	else if (s->x.memory[k] >> l & 1)
		texel_decode(s->image.data, s->image.number, see_texel(w, &s->x, k, l, copy), component);
	if (s->flags & SAMPLE_COMPARE)
		component[0] = image_compare(&s->image, &s->sampler, component[0], s->reference[l]);
}

/* One component of the four texels, counterclockwise from the lower left one. */
static unsigned gather_texels(const struct uop *i, const struct sample *s, uint32_t component[][4], uint32_t value[4])
{
	static const uint8_t order[COMPONENTS] = {2, 3, 1, 0};
	const unsigned select = i->d.imm & 15 ? (unsigned)__builtin_ctz((unsigned)i->d.imm & 15) : 0;
	uint32_t selected[COMPONENTS];

	for (unsigned k = 0; k < COMPONENTS; k++) {
		image_select(&s->image, component[order[k]], selected);
		value[k] = selected[select];
	}
	return COMPONENTS;
}

static void write_sample(struct wave *w, const struct uop *i, const struct sample *s, unsigned l)
{
	uint32_t component[SAMPLE_TEXELS_MAX][COMPONENTS], blended[COMPONENTS], selected[COMPONENTS], value[COMPONENTS];
	const struct sample_texels *t = &s->texels[l];
	unsigned n;

	for (unsigned k = 0; k < t->count; k++)
		read_sample_texel(w, s, k, l, component[k]);
	if (s->flags & SAMPLE_GATHER) {
		n = gather_texels(i, s, component, value);
	} else {
		image_blend(t, component, blended);
		image_select(&s->image, blended, selected);
		n = pick_components(i, selected, value);
	}
	write_values(w, i, l, value, n, !texel_format_is_integer(s->image.number));
}

static bool prepare_sample(struct wave *w, const struct uop *i, struct sample *s)
{
	if (!read_image(w, i, &s->image) || !read_sampler(w, i, &s->sampler))
		return false;
	if (i->d.flags & FLAG_A16 && s->flags & (SAMPLE_OFFSET | SAMPLE_BIAS | SAMPLE_COMPARE | SAMPLE_DERIVATIVES))
		return stop_at_descriptor(w, i, "address", "it mixes components of 16 and 32 bits");
	for (unsigned minified = 0; minified < 2; minified++)
		image_choose_filter(&s->image, &s->sampler, minified, s->linear[minified]);
	if (s->flags & SAMPLE_GATHER) {
		if (s->image.dimensions != 2)
			return stop_at_descriptor(w, i, "image", "gather4 needs two dimensions");
		memcpy(s->linear, (bool[2][3]){{true, true}, {true, true}}, sizeof s->linear);
	}
	return true;
}

/* The filter units need a pass for each 32 bits of a texel, and for each slice of a volume. */
static unsigned sample_cycles(const struct wave *w, const struct sample *s)
{
	const unsigned slices = s->x.texels > 4 ? 2 : 1, passes = s->x.texels > 1 ? (s->image.texel_bytes + 3u) / 4 : 1;

	return w->m->model.image_address_cycles * slices * passes;
}

void image_sample(struct wave *w, const struct uop *i, unsigned flags)
{
	const uint32_t csr = _mm_getcsr();
	struct sample s;
	unsigned l;

	s.flags = flags;
	if (!prepare_sample(w, i, &s))
		return;
	_mm_setcsr(w->mxcsr[FP_NONE]);
	locate_samples(w, i, &s);
	if (translate_texels(w, i, &s.x, VM_READ)) {
		memory_schedule_image(w, i, &s.x, MEMORY_LOAD, sample_cycles(w, &s));
		EACH_ACTIVE(l, wave_exec_mask(w))
		write_sample(w, i, &s, l);
	}
	_mm_setcsr(csr);
}
