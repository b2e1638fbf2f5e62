// Textures, surfaces and arrays, one case per run: images-hip CASE. Exit status 0 means success. Each case compares
// what kernels read and write with what the host computes.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { WIDTH = 67, HEIGHT = 35, DEPTH = 9, POINTS = 4096 };

#define CHECK(call) check((call), #call, __LINE__)

static void check(hipError_t error, const char *what, int line)
{
	if (error == hipSuccess)
		return;
	printf("line %d: %s: %s\n", line, what, hipGetErrorString(error));
	exit(1);
}

static unsigned random_u32()
{
	static unsigned long long seed = 5;

	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return seed >> 32;
}

static float random_between(float low, float high)
{
	return low + (high - low) * (random_u32() & 0xffffff) / 0x1000000;
}

static int compare(const float *got, const std::vector<float> &expected, float tolerance)
{
	for (size_t k = 0; k < expected.size(); k++)
		if (!(std::fabs(got[k] - expected[k]) <= tolerance)) {
			printf("value %zu is %g, expected %g\n", k, got[k], expected[k]);
			return 1;
		}
	return 0;
}

template <typename T> static T *managed(size_t count)
{
	T *p;

	CHECK(hipMallocManaged((void **)&p, count * sizeof(T)));
	return p;
}

// --- kernels ---
__global__ void sample_1d(hipTextureObject_t t, const float *x, float *out)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = tex1D<float>(t, x[i]);
}

__global__ void sample_2d(hipTextureObject_t t, const float *x, const float *y, float *out)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = tex2D<float>(t, x[i], y[i]);
}

__global__ void sample_3d(hipTextureObject_t t, const float *x, const float *y, const float *z, float *out)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = tex3D<float>(t, x[i], y[i], z[i]);
}

__global__ void sample_layers(hipTextureObject_t t, const float *x, const float *y, float *out)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = tex2DLayered<float>(t, x[i], y[i], i % DEPTH);
}

__global__ void fetch_all(hipTextureObject_t t, int n, float *out)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = tex1Dfetch<float>(t, i);
}

__global__ void fetch_bytes(hipTextureObject_t t, float *out)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	if (x >= WIDTH)
		return;
	const float4 v = tex2D<float4>(t, x + 0.5f, y + 0.5f);
	out[4 * (y * WIDTH + x)] = v.x;
	out[4 * (y * WIDTH + x) + 1] = v.y;
	out[4 * (y * WIDTH + x) + 2] = v.z;
	out[4 * (y * WIDTH + x) + 3] = v.w;
}

__global__ void transpose_surface(hipSurfaceObject_t from, hipSurfaceObject_t to)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	float v;
	if (x >= WIDTH)
		return;
	surf2Dread(&v, from, x * (int)sizeof v, y);
	surf2Dwrite(v + 1, to, y * (int)sizeof v, x);
}

// --- what the host expects ---
// The index of a texel; -1: the border, which is 0.
static int wrap(hipTextureAddressMode mode, int i, int n)
{
	if (mode == hipAddressModeWrap)
		return ((i % n) + n) % n;
	if (mode == hipAddressModeMirror) {
		i = ((i % (2 * n)) + 2 * n) % (2 * n);
		return i < n ? i : 2 * n - 1 - i;
	}
	if (mode == hipAddressModeClamp)
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	return i < 0 || i >= n ? -1 : i;
}

struct volume {
	const float *texel;
	int size[3];
	hipTextureAddressMode mode;
	bool linear;
};

static float texel_at(const volume &v, const int at[3])
{
	int i[3];

	for (int k = 0; k < 3; k++)
		if ((i[k] = wrap(v.mode, at[k], v.size[k])) < 0)
			return 0;
	return v.texel[(i[2] * v.size[1] + i[1]) * v.size[0] + i[0]];
}

// `at` is in texels. Coordinates are multiples of 1/256 texel, which the hardware represents.
static float expected_sample(const volume &v, const float at[3], int dimensions)
{
	int base[3] = {0, 0, 0};
	float fraction[3] = {0, 0, 0}, sum = 0;

	for (int k = 0; k < dimensions; k++) {
		const float p = v.linear ? at[k] - 0.5f : at[k];
		base[k] = (int)std::floor(p);
		fraction[k] = v.linear ? p - base[k] : 0;
	}
	for (int corner = 0; corner < 1 << dimensions; corner++) {
		int index[3] = {0, 0, 0};
		float weight = 1;
		for (int k = 0; k < dimensions; k++) {
			index[k] = base[k] + (corner >> k & 1);
			weight *= corner >> k & 1 ? fraction[k] : 1 - fraction[k];
		}
		if (weight > 0)
			sum += weight * texel_at(v, index);
	}
	return sum;
}

// --- textures of arrays ---
static hipArray_t filled_array(const float *texel, int w, int h, int d, unsigned flags)
{
	const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
	hipArray_t array;
	hipMemcpy3DParms copy = {};

	if (!d) {
		CHECK(hipMallocArray(&array, &format, w, h, flags));
		CHECK(hipMemcpy2DToArray(array, 0, 0, texel, w * 4, w * 4, h ? h : 1, hipMemcpyHostToDevice));
		return array;
	}
	CHECK(hipMalloc3DArray(&array, &format, make_hipExtent(w, h, d), flags));
	copy.srcPtr = make_hipPitchedPtr((void *)texel, w * 4, w, h);
	copy.dstArray = array;
	copy.extent = make_hipExtent(w, h, d);
	copy.kind = hipMemcpyHostToDevice;
	CHECK(hipMemcpy3D(&copy));
	return array;
}

static hipTextureObject_t texture_of(
	hipArray_t array, hipTextureAddressMode mode, hipTextureFilterMode filter, bool normalized)
{
	hipResourceDesc resource = {};
	hipTextureDesc texture = {};
	hipTextureObject_t t;

	resource.resType = hipResourceTypeArray;
	resource.res.array.array = array;
	for (int k = 0; k < 3; k++)
		texture.addressMode[k] = mode;
	texture.filterMode = filter;
	texture.readMode = hipReadModeElementType;
	texture.normalizedCoords = normalized;
	CHECK(hipCreateTextureObject(&t, &resource, &texture, nullptr));
	return t;
}

static std::vector<float> random_texels(int count)
{
	std::vector<float> texel(count);

	for (float &v : texel)
		v = random_between(-100, 100);
	return texel;
}

// Samples at random points; those of normalized coordinates are exact because the sizes are powers of two then.
static int check_samples(int dimensions, bool layers, hipTextureAddressMode mode, bool linear, bool normalized)
{
	const int w = normalized ? 64 : WIDTH,
		  h = dimensions < 2 ? 0
		: normalized         ? 32
				     : HEIGHT,
		  d = dimensions < 3 && !layers ? 0
		: normalized && !layers         ? 8
						: DEPTH;
	const int size[3] = {w, h ? h : 1, d ? d : 1};
	const std::vector<float> texel = random_texels(size[0] * size[1] * size[2]);
	hipArray_t array = filled_array(texel.data(), w, h, d, layers ? hipArrayLayered : hipArrayDefault);
	hipTextureObject_t t = texture_of(array, mode, linear ? hipFilterModeLinear : hipFilterModePoint, normalized);
	float *at[3], *out = managed<float>(POINTS);
	std::vector<float> expected(POINTS);

	for (int k = 0; k < 3; k++)
		at[k] = managed<float>(POINTS);
	for (int i = 0; i < POINTS; i++) {
		float p[3] = {0, 0, 0};
		volume v = {texel.data(), {size[0], size[1], size[2]}, mode, linear};
		for (int k = 0; k < dimensions; k++) {
			p[k] = std::floor(random_between(-1.6f * size[k], 2.7f * size[k]) * 256) / 256;
			at[k][i] = normalized ? p[k] / size[k] : p[k];
		}
		if (layers) {
			v.texel += i % DEPTH * size[0] * size[1];
			v.size[2] = 1;
		}
		expected[i] = expected_sample(v, p, dimensions);
	}
	if (layers)
		sample_layers<<<POINTS / 256, 256>>>(t, at[0], at[1], out);
	else if (dimensions == 1)
		sample_1d<<<POINTS / 256, 256>>>(t, at[0], out);
	else if (dimensions == 2)
		sample_2d<<<POINTS / 256, 256>>>(t, at[0], at[1], out);
	else
		sample_3d<<<POINTS / 256, 256>>>(t, at[0], at[1], at[2], out);
	CHECK(hipDeviceSynchronize());
	const int bad = compare(out, expected, 1e-4f);
	if (bad)
		printf("%d dimensions%s, address mode %d, %s, %s\n", dimensions, layers ? ", layers" : "", mode,
			linear ? "linear" : "point", normalized ? "normalized" : "in texels");
	CHECK(hipDestroyTextureObject(t));
	CHECK(hipFreeArray(array));
	return bad;
}

// Wrap and mirror need normalized coordinates.
static int check_all_modes(int dimensions, bool layers)
{
	static const hipTextureAddressMode modes[] = {
		hipAddressModeClamp, hipAddressModeBorder, hipAddressModeWrap, hipAddressModeMirror};
	int bad = 0;

	for (int m = 0; m < 4; m++)
		for (int linear = 0; linear < 2; linear++)
			for (int normalized = m > 1; normalized < 2; normalized++)
				bad |= check_samples(dimensions, layers, modes[m], linear, normalized);
	return bad;
}

// --- textures of linear memory ---
static int check_fetch()
{
	const int n = 5000;
	float *in = managed<float>(n), *out = managed<float>(n);
	hipResourceDesc resource = {};
	hipTextureDesc texture = {};
	hipTextureObject_t t;
	std::vector<float> expected = random_texels(n);

	std::memcpy(in, expected.data(), n * sizeof *in);
	resource.resType = hipResourceTypeLinear;
	resource.res.linear.devPtr = in;
	resource.res.linear.desc = hipCreateChannelDesc<float>();
	resource.res.linear.sizeInBytes = n * sizeof *in;
	texture.readMode = hipReadModeElementType;
	CHECK(hipCreateTextureObject(&t, &resource, &texture, nullptr));
	fetch_all<<<(n + 255) / 256, 256>>>(t, n, out);
	CHECK(hipDeviceSynchronize());
	CHECK(hipDestroyTextureObject(t));
	return compare(out, expected, 0);
}

// Four bytes per texel, as floats between 0 and 1, in rows with a pitch.
static int check_pitched()
{
	unsigned char *rows;
	size_t pitch;
	std::vector<unsigned char> bytes(WIDTH * HEIGHT * 4);
	std::vector<float> expected;
	float *out = managed<float>(bytes.size());
	hipResourceDesc resource = {};
	hipTextureDesc texture = {};
	hipTextureObject_t t;

	for (unsigned char &b : bytes) {
		b = random_u32();
		expected.push_back(b / 255.0f);
	}
	CHECK(hipMallocPitch((void **)&rows, &pitch, WIDTH * 4, HEIGHT));
	CHECK(hipMemcpy2D(rows, pitch, bytes.data(), WIDTH * 4, WIDTH * 4, HEIGHT, hipMemcpyHostToDevice));
	resource.resType = hipResourceTypePitch2D;
	resource.res.pitch2D.devPtr = rows;
	resource.res.pitch2D.desc = hipCreateChannelDesc(8, 8, 8, 8, hipChannelFormatKindUnsigned);
	resource.res.pitch2D.width = WIDTH;
	resource.res.pitch2D.height = HEIGHT;
	resource.res.pitch2D.pitchInBytes = pitch;
	texture.readMode = hipReadModeNormalizedFloat;
	CHECK(hipCreateTextureObject(&t, &resource, &texture, nullptr));
	fetch_bytes<<<dim3((WIDTH + 63) / 64, HEIGHT), 64>>>(t, out);
	CHECK(hipDeviceSynchronize());
	CHECK(hipDestroyTextureObject(t));
	return compare(out, expected, 1e-7f);
}

// --- surfaces and copies ---
static hipSurfaceObject_t surface_of(hipArray_t array)
{
	hipResourceDesc resource = {};
	hipSurfaceObject_t s;

	resource.resType = hipResourceTypeArray;
	resource.res.array.array = array;
	CHECK(hipCreateSurfaceObject(&s, &resource));
	return s;
}

// Of floats: HIP 5.2 converts integers of surfaces to floats and back.
static int check_surfaces()
{
	const std::vector<float> in = random_texels(WIDTH * HEIGHT);
	const std::vector<float> none(WIDTH * HEIGHT);
	std::vector<float> out(WIDTH * HEIGHT), expected(WIDTH * HEIGHT);
	hipArray_t from = filled_array(in.data(), WIDTH, HEIGHT, 0, hipArrayDefault);
	hipArray_t to = filled_array(none.data(), HEIGHT, WIDTH, 0, hipArrayDefault);
	hipSurfaceObject_t a = surface_of(from), b = surface_of(to);

	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			expected[x * HEIGHT + y] = in[y * WIDTH + x] + 1;
	transpose_surface<<<dim3((WIDTH + 63) / 64, HEIGHT), 64>>>(a, b);
	CHECK(hipDeviceSynchronize());
	CHECK(hipMemcpy2DFromArray(out.data(), HEIGHT * 4, to, 0, 0, HEIGHT * 4, WIDTH, hipMemcpyDeviceToHost));
	CHECK(hipDestroySurfaceObject(a));
	CHECK(hipDestroySurfaceObject(b));
	return compare(out.data(), expected, 0);
}

// To a volume and back, with another array between.
static int check_copies()
{
	const std::vector<float> texel = random_texels(WIDTH * HEIGHT * DEPTH);
	std::vector<float> back(texel.size());
	hipArray_t first = filled_array(texel.data(), WIDTH, HEIGHT, DEPTH, hipArrayDefault);
	hipMemcpy3DParms copy = {};

	copy.srcArray = first;
	copy.dstPtr = make_hipPitchedPtr(back.data(), WIDTH * 4, WIDTH, HEIGHT);
	copy.extent = make_hipExtent(WIDTH, HEIGHT, DEPTH);
	copy.kind = hipMemcpyDeviceToHost;
	CHECK(hipMemcpy3D(&copy));
	return compare(back.data(), texel, 0);
}

// --- texture references ---
texture<float, hipTextureType2D, hipReadModeElementType> reference;

__global__ void sample_reference(float *out)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	if (x < WIDTH)
		out[y * WIDTH + x] = tex2D(reference, x + 0.5f, y + 0.5f);
}

static int check_references()
{
	const std::vector<float> texel = random_texels(WIDTH * HEIGHT);
	hipArray_t array = filled_array(texel.data(), WIDTH, HEIGHT, 0, hipArrayDefault);
	float *out = managed<float>(texel.size());

	reference.filterMode = hipFilterModePoint;
	CHECK(hipBindTextureToArray(reference, array));
	sample_reference<<<dim3((WIDTH + 63) / 64, HEIGHT), 64>>>(out);
	CHECK(hipDeviceSynchronize());
	CHECK(hipUnbindTexture(&reference));
	return compare(out, texel, 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)();
	} cases[] = {
		{"textures-1d", [] { return check_all_modes(1, false); }},
		{"textures-2d", [] { return check_all_modes(2, false); }},
		{"textures-3d", [] { return check_all_modes(3, false); }},
		{"layers", [] { return check_all_modes(2, true); }},
		{"linear-memory", check_fetch},
		{"pitched-memory", check_pitched},
		{"surfaces", check_surfaces},
		{"copies", check_copies},
		{"references", check_references},
	};

	for (const auto &c : cases)
		if (argc == 2 && !strcmp(argv[1], c.name))
			return c.run();
	return 2;
}
