/* Cooperation of waves and workgroups: sums with DPP and without barriers, a scan with decoupled look-back, a grid barrier,
 * memory atomics, a matrix product that loads while it multiplies. */
typedef float float4 __attribute__((ext_vector_type(4)));
#define GLOBAL extern "C" __attribute__((global))
#define DEVICE static __attribute__((device)) inline
#define SHARED __attribute__((shared))
#define ITEM __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define LANES __AMDGCN_WAVEFRONT_SIZE
#define ADD(p, v) __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define READ(p) __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT)
#define WRITE(p, v) __hip_atomic_store(p, v, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT)

DEVICE void barrier()
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* --- sums ---------------------------------------------------------------------------------------------------------------- */
/* The prefix sum of a wave, with row shifts and broadcasts; gfx11 has no broadcasts. */
DEVICE int wave_scan(int v)
{
	v += __builtin_amdgcn_update_dpp(0, v, 0x111, 15, 15, false);
	v += __builtin_amdgcn_update_dpp(0, v, 0x112, 15, 15, false);
	v += __builtin_amdgcn_update_dpp(0, v, 0x114, 15, 15, false);
	v += __builtin_amdgcn_update_dpp(0, v, 0x118, 15, 15, false);
#ifdef __gfx1100__
	int before = __builtin_amdgcn_permlanex16(0, v, -1, -1, true, false);
	v += ITEM & 16 ? before : 0;
#if LANES == 64
	before = __builtin_amdgcn_readlane(v, 31);
	v += ITEM & 32 ? before : 0;
#endif
	return v;
#else
	v += __builtin_amdgcn_update_dpp(0, v, 0x142, 10, 15, false);
	return v + __builtin_amdgcn_update_dpp(0, v, 0x143, 12, 15, false);
#endif
}

GLOBAL void reduce_dpp(const int *in, int *out, int n, int items)
{
	int sum = 0;

	for (int i = GROUP * 256 + ITEM; i < n; i += items)
		sum += in[i];
	sum = __builtin_amdgcn_readlane(wave_scan(sum), LANES - 1);
	if (ITEM % LANES == 0)
		ADD(out, sum);
}

/* Each wave reduces in LDS without a barrier, because the lanes of a wave execute together. */
GLOBAL void reduce_wave(const int *in, int *out, int n, int items)
{
	SHARED volatile int row[256];
	unsigned t = ITEM, lane = t % LANES;
	int sum = 0;

	for (int i = GROUP * 256 + t; i < n; i += items)
		sum += in[i];
	row[t] = sum;
	for (unsigned k = LANES / 2; k; k >>= 1)
		if (lane < k)
			row[t] += row[t + k];
	if (!lane)
		ADD(out, row[t]);
}

GLOBAL void reduce_atomics(const int *in, int *out, int n, int items)
{
	for (int i = GROUP * 256 + ITEM; i < n; i += items)
		ADD(out, in[i]);
}

GLOBAL void histogram_global(const unsigned char *in, unsigned *bins, int n, int items)
{
	for (int i = GROUP * 256 + ITEM; i < n; i += items)
		ADD(&bins[in[i] % 61u], 1u);
}

/* --- one-pass scan with decoupled look-back: workgroups take parts in the order in which they start, publish their sum, add up
 * the sums of their predecessors, and publish the total. state: 0, then sum << 2 | 1, then total << 2 | 2 --------------------- */
GLOBAL void scan_look_back(const int *in, int *out, unsigned long *state, unsigned *next)
{
	SHARED int part, before, wave_sum[256 / LANES];
	unsigned t = ITEM;

	if (!t)
		part = ADD(next, 1u);
	barrier();
	int at = part, v = in[at * 256 + t], scan = wave_scan(v), earlier = 0;
	if (t % LANES == LANES - 1)
		wave_sum[t / LANES] = scan;
	barrier();
	for (unsigned k = 0; k < t / LANES; k++)
		earlier += wave_sum[k];
	if (t == 255)
		WRITE(&state[at], (unsigned long)(unsigned)(earlier + scan) << 2 | (at ? 1 : 2));
	if (!t) {
		unsigned sum = 0;
		for (int k = at - 1; k >= 0; k--) {
			unsigned long s;
			while (!((s = READ(&state[k])) & 3))
				__builtin_amdgcn_s_sleep(1);
			sum += (unsigned)(s >> 2);
			if (s & 2)
				break;
		}
		before = sum;
	}
	barrier();
	if (t == 255 && at)
		WRITE(&state[at], (unsigned long)(unsigned)(before + earlier + scan) << 2 | 2);
	out[at * 256 + t] = before + earlier + scan;
}

/* --- a barrier of the whole grid, whose workgroups are all resident, as in a cooperative launch ------------------------------- */
DEVICE void grid_barrier(unsigned *count, unsigned groups, unsigned round)
{
	barrier();
	if (!ITEM) {
		__hip_atomic_fetch_add(count, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
		while (READ(count) < groups * round)
			__builtin_amdgcn_s_sleep(2);
	}
	barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
}

/* A stencil: each item adds its neighbors' values from the previous step. */
GLOBAL void stencil(int *a, int *b, unsigned *count, int groups, int steps)
{
	int n = groups * 256, i = GROUP * 256 + ITEM;

	for (int k = 0; k < steps; k++) {
		int *from = k & 1 ? b : a, *to = k & 1 ? a : b;
		to[i] = from[(i + n - 1) % n] + 3 * from[i] - from[(i + 1) % n];
		grid_barrier(count, groups, k + 1);
	}
}

/* --- a product that loads the next tile while it multiplies: two LDS buffers, one barrier per tile; m, n: multiples of 64, k: of 8 */
GLOBAL void sgemm_buffers(const float *a, const float *b, float *c, int n, int k)
{
	SHARED float as[2][8][64], bs[2][8][64];
	unsigned t = ITEM, x = t % 16, y = t / 16, columns = n / 64, row = GROUP / columns * 64, col = GROUP % columns * 64;
	float sum[4][4] = {}, next_a[2], next_b[2];

	for (int e = 0; e < 2; e++) {
		as[0][t % 8][t / 8 + 32 * e] = a[(row + t / 8 + 32 * e) * k + t % 8];
		bs[0][t / 64 + 4 * e][t % 64] = b[(t / 64 + 4 * e) * n + col + t % 64];
	}
	barrier();
	for (int tile = 0; tile < k / 8; tile++) {
		int now = tile & 1, more = tile + 1 < k / 8;
		for (int e = 0; e < 2 && more; e++) {
			next_a[e] = a[(row + t / 8 + 32 * e) * k + (tile + 1) * 8 + t % 8];
			next_b[e] = b[((tile + 1) * 8 + t / 64 + 4 * e) * n + col + t % 64];
		}
		for (int i = 0; i < 8; i++) {
			float4 u = *(float4 *)&as[now][i][y * 4], v = *(float4 *)&bs[now][i][x * 4];
			for (int r = 0; r < 4; r++)
				for (int s = 0; s < 4; s++)
					sum[r][s] = __builtin_fmaf(u[r], v[s], sum[r][s]);
		}
		for (int e = 0; e < 2 && more; e++) {
			as[!now][t % 8][t / 8 + 32 * e] = next_a[e];
			bs[!now][t / 64 + 4 * e][t % 64] = next_b[e];
		}
		barrier();
	}
	for (int r = 0; r < 4; r++)
		*(float4 *)&c[(row + y * 4 + r) * n + col + x * 4] = (float4){ sum[r][0], sum[r][1], sum[r][2], sum[r][3] };
}
