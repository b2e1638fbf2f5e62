/* Every image instruction of gfx9, one kernel each, on an image in rows of two dimensions: the registers of the address
 * are those that the name says, in the order of the Vega ISA guide (8.2.4); some lanes are outside the image. */
#include "tests/softgpu/core/device.h"

#include "tests/softgpu/isa/row_tests.h"

enum { LANES = 64, WIDTH = 19, HEIGHT = 11, PITCH = 64, ADDRESS = 16, DATA = 4 };
enum { FORMAT_8 = 1, FORMAT_32 = 4, NUMBER_UINT = 4, NUMBER_SINT = 5, NUMBER_FLOAT = 7 };

static struct device d;
static uint32_t *descriptors, *address, *data, *result, *texels;
static uint64_t image_va;

static bool is_sampled(unsigned op)
{
	return isa_info(op)->src[2] != T__;
}

static bool is_image_row(unsigned op)
{
	return isa_info(op)->enc == ENC_MIMG;
}

/* --- kernels --- */
static void write_row(FILE *f, unsigned op)
{
	static const char *const registers[] = {"", "v4", "v[4:5]", "v[4:6]", "v[4:7]"};
	const struct isa_info *row = isa_info(op);
	const bool pair = op == OP_image_atomic_cmpswap || op == OP_image_get_resinfo;

	fprintf(f, "\tkernel row%u\n\t%s %s, %s, s[16:23]%s dmask:0x%x unorm%s\n\tfinish\n", op, row->name,
		row->traits & GATHERS ? "v[20:23]"
			: pair        ? "v[20:21]"
				      : "v20",
		registers[isa_type_dwords(row->src[0])], is_sampled(op) ? ", s[24:27]" : "", pair ? 3 : 1,
		row->traits & VMEM_ATOMIC ? " glc" : "");
}

static void write_kernels(FILE *f)
{
	fprintf(f,
		"\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.macro kernel name\n\t.text\n\t.globl \\name\n\t.p2align 8\n"
		"\t.type \\name,@function\n\t.amdhsa_kernel \\name\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
		"\t.amdhsa_next_free_vgpr 32\n\t.amdhsa_next_free_sgpr 40\n\t.end_amdhsa_kernel\n\t.text\n\\name:\n"
		"\ts_load_dwordx8 s[4:11], s[0:1], 0x0\n\tv_lshlrev_b32 v1, 6, v0\n\tv_lshlrev_b32 v2, 4, v0\n"
		"\ts_waitcnt lgkmcnt(0)\n\ts_load_dwordx8 s[16:23], s[4:5], 0x0\n\ts_load_dwordx4 s[24:27], s[4:5], 0x20\n"
		"\tglobal_load_dwordx4 v[4:7], v1, s[6:7]\n\tglobal_load_dwordx4 v[8:11], v1, s[6:7] offset:16\n"
		"\tglobal_load_dwordx4 v[20:23], v2, s[8:9]\n\ts_waitcnt vmcnt(0) lgkmcnt(0)\n.endm\n"
		".macro finish\n\ts_waitcnt vmcnt(0)\n\tglobal_store_dwordx4 v2, v[20:23], s[10:11]\n\ts_endpgm\n.endm\n");
	for (unsigned op = 1; op < OP_COUNT; op++)
		if (is_image_row(op))
			write_row(f, op);
}

static int open_rows(void **state)
{
	char path[SCRATCH_PATH], co[SCRATCH_PATH + 8], command[1024], why[256];

	(void)state;
	FILE *f = fopen(scratch_path(path, "images.s"), "w");
	assert_non_null(f);
	write_kernels(f);
	fclose(f);
	snprintf(co, sizeof co, "%s.co", path);
	snprintf(command, sizeof command, "%s " ASSEMBLE " -o %s %s", toolchain_value("CLANG"), co, path);
	assert_int_equal(system(command), 0);
	d.gpu = open_gpu("mi25");
	bool loaded = loaded_object_open(&d.object, d.gpu, co, CODE_VA, UINT64_C(1) << 37, why, sizeof why);
	unlink(path);
	unlink(co);
	assert_true(loaded);
	device_map(&d);
	device_args(&d);
	descriptors = push_buffer(&d, 4096, 0);
	address = push_buffer(&d, 4096, 0);
	data = push_buffer(&d, 4096, 0);
	result = push_buffer(&d, 4096, 0);
	image_va = d.next;
	texels = push_buffer(&d, 65536, 0);
	return 0;
}

/* --- one row --- */
static uint32_t random_u32(void)
{
	static uint64_t seed = 11;

	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 32);
}

static void describe(unsigned format, unsigned number)
{
	enum { IDENTITY = 4 | 5 << 3 | 6 << 6 | 7 << 9, TYPE_2D = 9, LAST_TEXEL = 2, LESS_OR_EQUAL = 3 };
	const uint32_t image[8] = {(uint32_t)(image_va >> 8), (uint32_t)(image_va >> 40) | format << 20 | number << 26,
		(WIDTH - 1) | (HEIGHT - 1) << 14, IDENTITY | (uint32_t)TYPE_2D << 28, (PITCH - 1) << 13};
	const uint32_t sampler[4] = {LAST_TEXEL | LAST_TEXEL << 3 | LAST_TEXEL << 6 | LESS_OR_EQUAL << 12 | 1 << 15};

	memcpy(descriptors, image, sizeof image);
	memcpy(descriptors + 8, sampler, sizeof sampler);
}

static uint32_t float_bits(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, 4);
	return bits;
}

/* Each lane has a texel of its own; every seventh is outside. */
static unsigned x_of(unsigned l)
{
	return l % 7 == 3 ? 1000 + l : l % 16;
}

static unsigned y_of(unsigned l)
{
	return l / 16 * 2 + 1;
}

static bool is_inside(unsigned l)
{
	return x_of(l) < WIDTH;
}

static void launch_row(unsigned op)
{
	char name[32];

	snprintf(name, sizeof name, "row%u", op);
	if (device_launch(&d, name, LANES, LANES) != LAUNCH_OK)
		fail_msg("%s: %s", isa_info(op)->name, d.out.message);
}

static void expect(unsigned op, unsigned l, const char *what, uint32_t got, uint32_t expected)
{
	if (got != expected)
		fail_msg("%s lane %u: %s is %08x, expected %08x", isa_info(op)->name, l, what, got, expected);
}

/* --- loads and stores: bytes with a sign --- */
static bool has_level(unsigned op)
{
	return strstr(isa_info(op)->name, "_mip") != NULL;
}

static void prepare_bytes(unsigned op)
{
	describe(FORMAT_8, NUMBER_SINT);
	for (unsigned k = 0; k < 65536 / 4; k++)
		texels[k] = random_u32();
	for (unsigned l = 0; l < LANES; l++) {
		address[l * ADDRESS] = x_of(l);
		address[l * ADDRESS + 1] = y_of(l);
		address[l * ADDRESS + 2] = has_level(op) && l % 5 == 4; /* the image has one level */
		data[l * DATA] = random_u32() >> (l % 2 ? 24 : 0);
	}
}

static bool reaches_texel(unsigned op, unsigned l)
{
	return is_inside(l) && !(has_level(op) && l % 5 == 4);
}

static void check_load(unsigned op)
{
	const bool bits = strstr(isa_info(op)->name, "_pck") && !strstr(isa_info(op)->name, "_sgn");

	prepare_bytes(op);
	launch_row(op);
	for (unsigned l = 0; l < LANES; l++) {
		const uint8_t v = ((uint8_t *)texels)[y_of(l) * PITCH + (is_inside(l) ? x_of(l) : 0)];
		const uint32_t expected = bits ? v : (uint32_t)(int32_t)(int8_t)v;
		expect(op, l, "value", result[l * DATA], reaches_texel(op, l) ? expected : 0);
	}
}

static void check_store(unsigned op)
{
	uint8_t expected[65536];

	prepare_bytes(op);
	memcpy(expected, texels, sizeof expected);
	for (unsigned l = 0; l < LANES; l++) {
		const int32_t v = (int32_t)data[l * DATA], limited = v > 127 ? 127 : v < -128 ? -128 : v;
		if (reaches_texel(op, l))
			expected[y_of(l) * PITCH + x_of(l)] =
				(uint8_t)(strstr(isa_info(op)->name, "_pck") ? v : limited);
	}
	launch_row(op);
	for (unsigned k = 0; k < sizeof expected; k++)
		expect(op, 0, "a byte of the image", ((uint8_t *)texels)[k], expected[k]);
}

static void check_size(unsigned op)
{
	describe(FORMAT_8, NUMBER_SINT);
	for (unsigned l = 0; l < LANES; l++)
		address[l * ADDRESS] = l % 2; /* the level */
	launch_row(op);
	for (unsigned l = 0; l < LANES; l++) {
		expect(op, l, "the width", result[l * DATA], l % 2 ? 0 : WIDTH);
		expect(op, l, "the height", result[l * DATA + 1], l % 2 ? 0 : HEIGHT);
	}
}

/* --- atomics --- */
static uint32_t new_cell(unsigned op, uint32_t old, uint32_t a, uint32_t b)
{
	switch (op) {
	case OP_image_atomic_swap: return a;
	case OP_image_atomic_cmpswap: return old == b ? a : old;
	case OP_image_atomic_add: return old + a;
	case OP_image_atomic_sub: return old - a;
	case OP_image_atomic_smin: return (int32_t)old < (int32_t)a ? old : a;
	case OP_image_atomic_umin: return old < a ? old : a;
	case OP_image_atomic_smax: return (int32_t)old > (int32_t)a ? old : a;
	case OP_image_atomic_umax: return old > a ? old : a;
	case OP_image_atomic_and: return old & a;
	case OP_image_atomic_or: return old | a;
	case OP_image_atomic_xor: return old ^ a;
	case OP_image_atomic_inc: return old >= a ? 0 : old + 1;
	case OP_image_atomic_dec: return old == 0 || old > a ? a : old - 1;
	}
	fail_msg("%s has no model", isa_info(op)->name);
	return 0;
}

static void check_atomic(unsigned op)
{
	static const uint32_t values[] = {0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678};
	uint32_t old[LANES];

	describe(FORMAT_32, NUMBER_UINT);
	for (unsigned l = 0; l < LANES; l++) {
		address[l * ADDRESS] = x_of(l);
		address[l * ADDRESS + 1] = y_of(l);
		old[l] = values[l % 7];
		if (is_inside(l))
			texels[y_of(l) * PITCH + x_of(l)] = old[l];
		data[l * DATA] = values[l / 7 % 7];
		data[l * DATA + 1] = l % 2 ? old[l] : 3;
	}
	launch_row(op);
	for (unsigned l = 0; l < LANES; l++) {
		expect(op, l, "the returned value", result[l * DATA], is_inside(l) ? old[l] : 0);
		if (is_inside(l))
			expect(op, l, "the cell", texels[y_of(l) * PITCH + x_of(l)],
				new_cell(op, old[l], data[l * DATA], data[l * DATA + 1]));
	}
}

/* --- samples --- */
/* Whether the name has the part, between underscores. */
static bool has_part(unsigned op, const char *part)
{
	char name[64], *rest = name;
	const char *word;

	snprintf(name, sizeof name, "%s", isa_info(op)->name);
	while ((word = strsep(&rest, "_")))
		if (!strcmp(word, part))
			return true;
	return false;
}

/* A lane samples the middle of a texel, two more to the right if the row has offsets. */
static void write_sample_address(unsigned op, unsigned l, float reference)
{
	uint32_t *a = address + l * ADDRESS;

	if (has_part(op, "o"))
		*a++ = 2 | 0x3f << 8; /* +2, -1 */
	if (has_part(op, "b"))
		*a++ = 0;
	if (has_part(op, "c"))
		*a++ = float_bits(reference);
	for (int k = 0; k < 4 && (has_part(op, "d") || has_part(op, "cd")); k++)
		*a++ = float_bits(0.5f);
	*a++ = float_bits((float)(l % 16) + 0.5f);
	*a++ = float_bits((float)y_of(l) + 0.5f);
	*a = 0;
}

static uint32_t sampled(unsigned op, int x, int y, float reference)
{
	const float v = (float)((y < 0 ? 0 : y) * 100 + (x < 0 ? 0 : x < WIDTH ? x : WIDTH - 1));

	return float_bits(!has_part(op, "c") ? v : reference <= v ? 1 : 0);
}

/* A gather from the middle of a texel has this texel and those with higher coordinates. */
static void check_sample(unsigned op)
{
	static const int8_t corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	static const char *const names[] = {"sample 0", "sample 1", "sample 2", "sample 3"};
	const bool gathers = isa_info(op)->traits & GATHERS;

	describe(FORMAT_32, NUMBER_FLOAT);
	for (unsigned y = 0; y < HEIGHT; y++)
		for (unsigned x = 0; x < PITCH; x++)
			texels[y * PITCH + x] = float_bits((float)(y * 100 + x));
	for (unsigned l = 0; l < LANES; l++)
		write_sample_address(op, l, (float)(y_of(l) * 100 + 8));
	launch_row(op);
	for (unsigned l = 0; l < LANES; l++) {
		const int x = (int)(l % 16) + (has_part(op, "o") ? 2 : 0), y = (int)y_of(l) - has_part(op, "o");
		const float reference = (float)(y_of(l) * 100 + 8);
		for (unsigned k = 0; k < (gathers ? 4 : 1); k++)
			expect(op, l, names[k], result[l * DATA + k],
				gathers ? sampled(op, x + corners[k][0], y + corners[k][1], reference)
					: sampled(op, x, y, reference));
	}
}

static void every_image_row_matches(void **state)
{
	unsigned rows = 0;

	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++) {
		if (!is_image_row(op))
			continue;
		rows++;
		if (is_sampled(op))
			check_sample(op);
		else if (isa_info(op)->traits & VMEM_ATOMIC)
			check_atomic(op);
		else if (op == OP_image_get_resinfo)
			check_size(op);
		else if (strstr(isa_info(op)->name, "_store"))
			check_store(op);
		else
			check_load(op);
	}
	print_message("# %u rows\n", rows);
	assert_int_equal(rows, 24 + 32 + 24 + 8);
	device_close(&d);
}

/* A descriptor that is not supported stops the kernel, and the message says why. */
static void stops_with(unsigned op, const char *reason)
{
	char name[32];

	snprintf(name, sizeof name, "row%u", op);
	assert_int_equal(device_launch(&d, name, LANES, LANES), LAUNCH_ILLEGAL);
	assert_non_null(strstr(d.out.message, isa_info(op)->name));
	if (!strstr(d.out.message, reason))
		fail_msg("'%s' does not contain '%s'", d.out.message, reason);
}

static void unsupported_descriptors_stop_the_kernel(void **state)
{
	open_rows(state);
	describe(FORMAT_32, NUMBER_UINT);
	descriptors[3] |= 3 << 16; /* LAST_LEVEL */
	stops_with(OP_image_load, "mip maps");
	describe(FORMAT_32, NUMBER_UINT);
	descriptors[3] = 0x00027fac; /* a buffer of 32-bit floats */
	stops_with(OP_image_sample_lz, "tex1Dfetch");
	describe(FORMAT_32, NUMBER_UINT);
	descriptors[3] = (descriptors[3] & 0x0fffffff) | UINT32_C(11) << 28; /* a cube */
	stops_with(OP_image_load, "its type is not");
	describe(FORMAT_32, 6);
	descriptors[1] |= 63 << 20; /* no data format */
	stops_with(OP_image_load, "its format");
	describe(FORMAT_32, NUMBER_FLOAT);
	descriptors[8 + 3] = UINT32_C(3) << 30; /* BORDER_COLOR_TYPE: a register */
	stops_with(OP_image_sample, "border color");
	device_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_setup(every_image_row_matches, open_rows),
		cmocka_unit_test(unsupported_descriptors_stop_the_kernel)};

	return cmocka_run_group_tests_name("row images", tests, NULL, NULL);
}
