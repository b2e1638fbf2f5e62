#include "softgpu/capture/captured_launch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC_BYTES = 16, TAG_BYTES = 4, MAPPINGS_MAX = 1 << 16, PAGE = 4096 };
#define ADDRESS_END (UINT64_C(1) << 48)

uint64_t capture_digest(uint64_t h, uint64_t at, const void *data, size_t bytes)
{
	const uint8_t *p = data;

	h ^= at + UINT64_C(0x2545f4914f6cdd1d);
	for (; bytes >= 8; p += 8, bytes -= 8) {
		uint64_t x;
		memcpy(&x, p, sizeof x);
		h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	for (; bytes; p++, bytes--)
		h = (h ^ *p) * UINT64_C(0x9e3779b97f4a7c15);
	return h;
}

/* --- the parts of fixed size, as they are in the file --- */
struct file_dispatch {
	uint16_t workgroup[4];
	uint32_t grid[4];
	uint32_t private_bytes, group_bytes, legacy, scratch_wave_bytes, scratch_waves, has_gws;
	uint64_t kernel_object, kernarg, packet_va, queue_va, dispatch_id, scratch_base;
	uint32_t scratch_srd[4];
	uint64_t shared_aperture, private_aperture, start_cycle, start_ns;
	uint32_t cus_limited, pad;
	uint64_t cus[CU_MASK_ENGINES];
	struct bulk_move move;
	struct gws_resources gws;
};

struct file_result {
	uint32_t status, pad;
	uint64_t number, cycles, ps, valu_cycles, waves, instructions, digest;
};

struct file_page {
	uint64_t at, bytes, flags; /* then the bytes before, and those after */
};
enum page_flag { PAGE_WRITTEN = 1, PAGE_HAS_BEFORE = 2, PAGE_HAS_AFTER = 4 };

static struct file_dispatch pack_dispatch(const struct captured_launch *c)
{
	const struct dispatch *d = &c->dispatch;
	struct file_dispatch f;

	memset(&f, 0, sizeof f);
	memcpy(f.workgroup, d->workgroup, sizeof d->workgroup);
	memcpy(f.grid, d->grid, sizeof d->grid);
	f.private_bytes = d->private_bytes;
	f.group_bytes = d->group_bytes;
	f.legacy = d->legacy;
	f.scratch_wave_bytes = d->scratch_wave_bytes;
	f.scratch_waves = d->scratch_waves;
	f.has_gws = c->has_gws;
	f.kernel_object = d->kernel_object;
	f.kernarg = d->kernarg;
	f.packet_va = d->packet_va;
	f.queue_va = d->queue_va;
	f.dispatch_id = d->dispatch_id;
	f.scratch_base = d->scratch_base;
	memcpy(f.scratch_srd, d->scratch_srd, sizeof f.scratch_srd);
	f.shared_aperture = d->shared_aperture;
	f.private_aperture = d->private_aperture;
	f.start_cycle = d->start_cycle;
	f.start_ns = d->start_ns;
	f.cus_limited = d->cus.limited;
	memcpy(f.cus, d->cus.engine, sizeof f.cus);
	f.move = d->move;
	f.gws = c->gws;
	return f;
}

static void unpack_dispatch(const struct file_dispatch *f, struct captured_launch *c)
{
	struct dispatch *d = &c->dispatch;

	memcpy(d->workgroup, f->workgroup, sizeof d->workgroup);
	memcpy(d->grid, f->grid, sizeof d->grid);
	d->private_bytes = f->private_bytes;
	d->group_bytes = f->group_bytes;
	d->legacy = f->legacy & 1;
	d->scratch_wave_bytes = f->scratch_wave_bytes;
	d->scratch_waves = f->scratch_waves;
	c->has_gws = f->has_gws & 1;
	d->kernel_object = f->kernel_object;
	d->kernarg = f->kernarg;
	d->packet_va = f->packet_va;
	d->queue_va = f->queue_va;
	d->dispatch_id = f->dispatch_id;
	d->scratch_base = f->scratch_base;
	memcpy(d->scratch_srd, f->scratch_srd, sizeof f->scratch_srd);
	d->shared_aperture = f->shared_aperture;
	d->private_aperture = f->private_aperture;
	d->start_cycle = f->start_cycle;
	d->start_ns = f->start_ns;
	d->cus.limited = f->cus_limited & 1;
	memcpy(d->cus.engine, f->cus, sizeof f->cus);
	d->move = f->move;
	c->gws = f->gws;
}

static struct file_result pack_result(const struct captured_launch *c)
{
	const struct launch_result *r = &c->result;

	return (struct file_result){.status = r->status,
		.number = c->number,
		.cycles = r->cycles,
		.ps = r->ps,
		.valu_cycles = r->valu_cycles,
		.waves = r->waves,
		.instructions = r->instructions,
		.digest = c->digest};
}

static void unpack_result(const struct file_result *f, struct captured_launch *c)
{
	c->result = (struct launch_result){.status = f->status,
		.cycles = f->cycles,
		.ps = f->ps,
		.valu_cycles = f->valu_cycles,
		.waves = f->waves,
		.instructions = f->instructions};
	c->number = f->number;
	c->digest = f->digest;
}

/* --- writing --- */
static bool write_head(FILE *out, const char tag[TAG_BYTES], uint64_t bytes)
{
	return fwrite(tag, TAG_BYTES, 1, out) == 1 && fwrite(&bytes, sizeof bytes, 1, out) == 1;
}

static bool write_part(FILE *out, const char tag[TAG_BYTES], const void *data, size_t bytes)
{
	return write_head(out, tag, bytes) && (!bytes || fwrite(data, bytes, 1, out) == 1);
}

static unsigned flags_of_page(const struct captured_page *p)
{
	return (p->written ? PAGE_WRITTEN : 0) | (p->before ? PAGE_HAS_BEFORE : 0) | (p->after ? PAGE_HAS_AFTER : 0);
}

static bool write_page(FILE *out, const struct captured_page *p)
{
	const struct file_page f = {p->at, p->bytes, flags_of_page(p)};
	const uint64_t bytes = (p->before ? p->bytes : 0) + (p->after ? p->bytes : 0);

	return write_head(out, "page", sizeof f + bytes) && fwrite(&f, sizeof f, 1, out) == 1 &&
		(!p->before || fwrite(p->before, p->bytes, 1, out) == 1) &&
		(!p->after || fwrite(p->after, p->bytes, 1, out) == 1);
}

bool captured_launch_write(const struct captured_launch *c, FILE *out)
{
	const uint64_t version = CAPTURE_VERSION;
	const struct file_dispatch d = pack_dispatch(c);
	const struct file_result r = pack_result(c);
	bool ok = fwrite(CAPTURE_MAGIC "\n", MAGIC_BYTES, 1, out) == 1 &&
		fwrite(&version, sizeof version, 1, out) == 1 && write_part(out, "modl", c->model, strlen(c->model)) &&
		write_part(out, "name", c->kernel, strlen(c->kernel)) &&
		write_part(out, "why ", c->reason, strlen(c->reason)) &&
		write_part(out, "code", c->code, strlen(c->code)) && write_part(out, "disp", &d, sizeof d) &&
		write_part(out, "rslt", &r, sizeof r) &&
		write_part(out, "maps", c->mappings, c->mapping_count * sizeof *c->mappings) &&
		write_part(out, "aloc", c->allocations, c->allocation_count * sizeof *c->allocations) &&
		write_part(out, "cach", c->state, c->state_bytes);

	for (size_t i = 0; ok && i < c->page_count; i++)
		ok = write_page(out, &c->pages[i]);
	return ok;
}

/* --- reading --- */
struct part {
	char tag[TAG_BYTES];
	const uint8_t *data;
	uint64_t bytes;
};

static bool take_part(const uint8_t **at, size_t *left, struct part *out)
{
	if (*left < TAG_BYTES + sizeof out->bytes)
		return false;
	memcpy(out->tag, *at, TAG_BYTES);
	memcpy(&out->bytes, *at + TAG_BYTES, sizeof out->bytes);
	*at += TAG_BYTES + sizeof out->bytes;
	*left -= TAG_BYTES + sizeof out->bytes;
	if (out->bytes > *left)
		return false;
	out->data = *at;
	*at += out->bytes;
	*left -= out->bytes;
	return true;
}

static bool take_text(const struct part *p, char *out, size_t size)
{
	if (p->bytes >= size || memchr(p->data, 0, p->bytes))
		return false;
	memcpy(out, p->data, p->bytes);
	out[p->bytes] = 0;
	return true;
}

static bool is_range_of_pages(uint64_t at, uint64_t bytes)
{
	return at % PAGE == 0 && bytes % PAGE == 0 && bytes && at < ADDRESS_END && bytes <= ADDRESS_END - at;
}

static bool take_mappings(const struct part *p, struct captured_launch *c)
{
	const size_t count = p->bytes / sizeof *c->mappings;

	if (c->mappings || p->bytes % sizeof *c->mappings || count > MAPPINGS_MAX)
		return false;
	c->mappings = malloc(p->bytes + 1);
	if (!c->mappings)
		return false;
	memcpy(c->mappings, p->data, p->bytes);
	c->mapping_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct captured_mapping *m = &c->mappings[i];
		if (!is_range_of_pages(m->va, m->size) || !is_range_of_pages(m->at, m->size) || m->phys % PAGE)
			return false;
	}
	return true;
}

static bool is_name(const char text[CAPTURE_HOW_BYTES])
{
	const size_t length = strnlen(text, CAPTURE_HOW_BYTES);

	return length < CAPTURE_HOW_BYTES &&
		strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

static bool take_allocations(const struct part *p, struct captured_launch *c)
{
	const size_t count = p->bytes / sizeof *c->allocations;
	uint64_t end = 0;

	if (c->allocations || p->bytes % sizeof *c->allocations || count > CAPTURE_ALLOCATIONS_MAX)
		return false;
	c->allocations = malloc(p->bytes + 1);
	if (!c->allocations)
		return false;
	memcpy(c->allocations, p->data, p->bytes);
	c->allocation_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct captured_allocation *a = &c->allocations[i];
		if (a->va < end || !a->bytes || a->va >= ADDRESS_END || a->bytes > ADDRESS_END - a->va ||
			!is_name(a->how))
			return false;
		end = a->va + a->bytes;
	}
	return true;
}

/* The next bytes of a page, copied; true without them if it has none. */
static bool take_content(const struct part *p, size_t *used, uint64_t bytes, bool has, uint8_t **out)
{
	*out = NULL;
	if (!has)
		return true;
	if (bytes > p->bytes - *used || !(*out = malloc(bytes)))
		return false;
	memcpy(*out, p->data + *used, bytes);
	*used += bytes;
	return true;
}

static bool grow_pages(struct captured_launch *c)
{
	struct captured_page *more;

	if (c->page_count & (c->page_count - 1))
		return true; /* room up to the next power of two */
	more = realloc(c->pages, (2 * c->page_count + 1) * sizeof *more);
	if (more)
		c->pages = more;
	return more;
}

static bool take_page(const struct part *p, struct captured_launch *c)
{
	const struct captured_page *last = c->page_count ? &c->pages[c->page_count - 1] : NULL;
	size_t used = sizeof(struct file_page);
	struct file_page f;

	if (p->bytes < sizeof f)
		return false;
	memcpy(&f, p->data, sizeof f);
	if (!is_range_of_pages(f.at, f.bytes) || (last && f.at < last->at + last->bytes) ||
		f.bytes > CAPTURE_MEMORY_MAX - c->page_bytes || !grow_pages(c))
		return false;
	c->page_bytes += f.bytes;
	struct captured_page *page = &c->pages[c->page_count++];
	*page = (struct captured_page){.at = f.at, .bytes = f.bytes, .written = f.flags & PAGE_WRITTEN};
	return take_content(p, &used, f.bytes, f.flags & PAGE_HAS_BEFORE, &page->before) &&
		take_content(p, &used, f.bytes, f.flags & PAGE_HAS_AFTER, &page->after) && used == p->bytes;
}

static bool take_state(const struct part *p, struct captured_launch *c)
{
	free(c->state);
	c->state = malloc(p->bytes + 1);
	if (!c->state)
		return false;
	memcpy(c->state, p->data, p->bytes);
	c->state_bytes = p->bytes;
	return true;
}

static bool take_dispatch(const struct part *p, struct captured_launch *c)
{
	struct file_dispatch f;

	if (p->bytes != sizeof f)
		return false;
	memcpy(&f, p->data, sizeof f);
	unpack_dispatch(&f, c);
	return f.move.bytes <= BULK_MOVE_BYTES;
}

static bool take_result(const struct part *p, struct captured_launch *c)
{
	struct file_result f;

	if (p->bytes != sizeof f)
		return false;
	memcpy(&f, p->data, sizeof f);
	unpack_result(&f, c);
	return f.status <= LAUNCH_OUT_OF_BOUNDS;
}

/* A kind of part; it must come once unless it is a page. */
enum part_kind {
	PART_MODEL = 1,
	PART_NAME = 2,
	PART_REASON = 4,
	PART_DISPATCH = 8,
	PART_RESULT = 16,
	PART_MAPS = 32,
	PART_STATE = 64
};
enum { PARTS_NEEDED = 127 };

static bool read_part(const struct part *p, struct captured_launch *c, unsigned *seen)
{
	static const struct {
		char tag[TAG_BYTES + 1];
		enum part_kind kind;
		bool (*take)(const struct part *p, struct captured_launch *c);
	} kinds[] = {{"disp", PART_DISPATCH, take_dispatch}, {"rslt", PART_RESULT, take_result},
		{"maps", PART_MAPS, take_mappings}, {"aloc", 0, take_allocations}, {"cach", PART_STATE, take_state},
		{"page", 0, take_page}};
	static const struct {
		char tag[TAG_BYTES + 1];
		enum part_kind kind;
		size_t at, size;
	} texts[] = {{"modl", PART_MODEL, offsetof(struct captured_launch, model), CAPTURE_MODEL_BYTES},
		{"name", PART_NAME, offsetof(struct captured_launch, kernel), CAPTURE_NAME_BYTES},
		{"why ", PART_REASON, offsetof(struct captured_launch, reason), CAPTURE_REASON_BYTES},
		{"code", 0, offsetof(struct captured_launch, code), CAPTURE_CODE_BYTES}};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!memcmp(p->tag, kinds[i].tag, TAG_BYTES)) {
			*seen |= kinds[i].kind;
			return kinds[i].take(p, c);
		}
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (!memcmp(p->tag, texts[i].tag, TAG_BYTES)) {
			*seen |= texts[i].kind;
			return take_text(p, (char *)c + texts[i].at, texts[i].size);
		}
	return true;
}

bool captured_launch_read(struct captured_launch *c, const uint8_t *data, size_t bytes, char *why, size_t size)
{
	unsigned seen = 0;
	uint64_t version;
	struct part p;

	memset(c, 0, sizeof *c);
	if (bytes < MAGIC_BYTES + sizeof version || memcmp(data, CAPTURE_MAGIC "\n", MAGIC_BYTES)) {
		snprintf(why, size, "not a captured launch");
		return false;
	}
	memcpy(&version, data + MAGIC_BYTES, sizeof version);
	if (version != CAPTURE_VERSION) {
		snprintf(why, size, "a captured launch of version %llu; this program reads version %d",
			(unsigned long long)version, CAPTURE_VERSION);
		return false;
	}
	data += MAGIC_BYTES + sizeof version;
	bytes -= MAGIC_BYTES + sizeof version;
	while (bytes)
		if (!take_part(&data, &bytes, &p) || !read_part(&p, c, &seen)) {
			snprintf(why, size, "the captured launch is damaged");
			return false;
		}
	if (seen == PARTS_NEEDED)
		return true;
	snprintf(why, size, "the captured launch is not complete");
	return false;
}

bool captured_launch_load(struct captured_launch *c, const char *file, char *why, size_t size)
{
	const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *data = MAP_FAILED;

	memset(c, 0, sizeof *c);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (data == MAP_FAILED) {
		snprintf(why, size, "cannot be read");
		return false;
	}
	const bool ok = captured_launch_read(c, data, (size_t)st.st_size, why, size);
	munmap(data, (size_t)st.st_size);
	return ok;
}

void captured_launch_clear(struct captured_launch *c)
{
	for (size_t i = 0; i < c->page_count; i++) {
		free(c->pages[i].before);
		free(c->pages[i].after);
	}
	free(c->pages);
	free(c->mappings);
	free(c->allocations);
	free(c->state);
	memset(c, 0, sizeof *c);
}
