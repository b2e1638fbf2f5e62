/* Address spaces: pointers to a different memory in each lane, unaligned data, recursion, arguments of several kilobytes,
 * workgroups of the largest size. No stack arrays of variable size: LLVM 15 miscompiles alloca for this target. */
typedef int int4 __attribute__((ext_vector_type(4)));
#define GLOBAL extern "C" __attribute__((global))
#define DEVICE static __attribute__((device, noinline))
#define SHARED __attribute__((shared))
#define BARRIER (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), __builtin_amdgcn_s_barrier(), __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
#define ITEM __builtin_amdgcn_workitem_id_x()
#define INDEX (__builtin_amdgcn_workgroup_id_x() * 256 + ITEM)

/* Reads, changes and writes elements of 1 to 16 bytes: in LDS in a third of the lanes, in scratch in a third, in memory in the
 * others. */
DEVICE long change(char *c, short *s, int *i, long *q, int4 *v, int by)
{
	*c += by, *s -= by, *i ^= by, *q *= by, *v += (int4){ by, 2, 3, 4 };
	return *c + *s + *i + *q + v->x + v->w;
}

GLOBAL void spaces(int *data, long *out)
{
	SHARED int4 shared[256];
	int4 own[3];
	unsigned t = ITEM, i = INDEX, kind = data[4 * i] % 3u;
	int4 *place = kind == 0 ? &shared[t] : kind == 1 ? &own[t % 3] : (int4 *)data + i;
	long sum = 0;

	*place = ((int4 *)data)[i];
	for (int k = 0; k < 3; k++)
		sum = sum * 3 + change((char *)place + 1, (short *)place + 1, (int *)place + 1, (long *)place + 1, place, (int)t + 3 * k + 1);
	out[i] = sum + place->y + place->z;
}

/* Elements at any byte offset; at -O0 the compiler reads each with one access. */
struct __attribute__((packed)) packed { char c; short s; int i; long q; };
DEVICE long mix(struct packed *p, int by)
{
	p->s += by, p->i = p->i * by + p->c, p->q -= p->i;
	return p->q ^ p->s;
}

GLOBAL void packed(const int *in, long *out)
{
	SHARED char shared[32 * 256];
	char own[32];
	unsigned i = INDEX, shift = in[i] % 16u;
	struct packed *p = (struct packed *)((in[i] & 64 ? shared + 32 * ITEM : own) + shift);
	long sum = 0;

	p->c = in[i], p->s = 2 * in[i], p->i = -in[i], p->q = 1000000007l * in[i];
	for (int k = 0; k < 3; k++)
		sum += mix(p, in[i] % 100 + k);
	out[i] = sum + p->c;
}

/* Recursion over an array in scratch: quicksort (Hoare) of each lane's numbers. */
DEVICE void sort(int *v, int low, int high)
{
	int a = low, b = high, pivot = v[(low + high) / 2];

	while (a <= b) {
		while (v[a] < pivot)
			a++;
		while (v[b] > pivot)
			b--;
		if (a <= b) {
			int t = v[a];
			v[a++] = v[b];
			v[b--] = t;
		}
	}
	if (low < b)
		sort(v, low, b);
	if (a < high)
		sort(v, a, high);
}

GLOBAL void quicksort(const int *in, int *out)
{
	int v[24], i = INDEX, n = 4 + in[24 * i] % 20u;

	for (int k = 0; k < 24; k++)
		v[k] = in[24 * i + k];
	sort(v, 0, n - 1);
	for (int k = 0; k < 24; k++)
		out[24 * i + k] = v[k];
}

/* Large arguments passed by value, indexed by lane, and passed on by value. */
struct large { int v[300]; };
DEVICE int sum_of(struct large l, int from, int step)
{
	int sum = 0;

	for (int k = from; k < 300; k += step)
		sum = sum * 3 + l.v[k];
	return sum;
}

GLOBAL void arguments(int *out, struct large l, short after)
{
	int i = INDEX;

	out[i] = sum_of(l, i % 300, 1 + i % 37) + l.v[i * 7 % 300] + after;
}

/* The largest workgroup: 16 waves pass their values around. */
__attribute__((amdgpu_flat_work_group_size(1024, 1024))) GLOBAL void around(const int *in, int *out)
{
	SHARED int shared[1024];
	unsigned t = ITEM, i = __builtin_amdgcn_workgroup_id_x() * 1024 + t;
	int v = in[i];

	for (int k = 1; k < 1024; k *= 4) {
		shared[t] = v;
		BARRIER;
		v += shared[(t + k * 67) % 1024];
		BARRIER;
	}
	out[i] = v;
}
