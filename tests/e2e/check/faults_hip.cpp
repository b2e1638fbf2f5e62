/* Kernels with a fault, for the reports of `exec --check`, and the same without it. Arguments choose: "race",
 * "race-ok", "column", "column-ok", "barrier", "barrier-ok", "trips", "trips-ok", "atomic", "same", "known", "helper",
 * "caller", "many", "endless", "groups", "stuck", "returns"; `exit3`, `crash`; `child` launches "race" in a child too;
 * `interrupt FILE` makes the file and then waits for a signal. Comments "line: NAME" are for the test. */
#include <hip/hip_runtime.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 256 };

__global__ void race(const float *in, float *out)
{
	__shared__ float s[ITEMS];
	unsigned t = threadIdx.x;
	s[t] = in[t];       // line: race-write
	out[t] = s[t ^ 64]; // line: race-read
}

__global__ void race_ok(const float *in, float *out)
{
	__shared__ float s[ITEMS];
	unsigned t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	out[t] = s[t ^ 64];
}

/* Two axes: rows of 16, columns of 4. */
__global__ void column(const float *in, float *out, int columns)
{
	__shared__ float s[16][4];
	s[threadIdx.y][threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	if (threadIdx.x == 3 && threadIdx.y == 15)
		out[0] = s[threadIdx.y][columns]; // line: column
}

__global__ void barrier(float *out, unsigned items)
{
	__shared__ float s[ITEMS];
	unsigned t = threadIdx.x;
	if (t < items) {
		s[t] = t;
		__syncthreads(); // line: barrier
	}
	out[t] = t + 1.f; // line: after-barrier
}

/* In the loop's last trip, only some items reach the barrier; then all go on, and one stores. With `ends`, the others
 * end instead. The instruction is there so that the compiler does not compare before the loop. */
__global__ void trips(float *out, unsigned items, bool ends)
{
	__shared__ float s[ITEMS];
	unsigned t = threadIdx.x;
	s[t] = t;
	for (unsigned k = 0; k < 3; k++)
		if (k * ITEMS + t < items) {
			s[t] += k;
			__syncthreads(); // line: trips
		} else if (ends) {
			return;
		}
	asm volatile("v_mov_b32 %0, %0" : "+v"(t)); // line: after-trips
	if (t == 0)
		out[0] = s[1];
}

__global__ void atomic(float *out)
{
	__shared__ unsigned s[4];
	atomicAdd((unsigned *)((char *)s + 2), 1u); // line: atomic
	out[0] = s[3];
}

__global__ void same(float *out)
{
	__shared__ volatile float s;
	s = threadIdx.x; // line: same
	out[threadIdx.x] = s;
}

__global__ void known(const float *in, float *out)
{
	__shared__ float s[ITEMS];
	unsigned t = threadIdx.x;
	s[t] = in[t];
	out[t] = s[t ^ 64]; // wavedeck: ignore lds_race, lane_race
}

__device__ inline float read_partner(const float *s, unsigned t)
{
	return s[t ^ 64]; // line: partner
}

__global__ void helper(const float *in, float *out)
{
	__shared__ float s[ITEMS];
	unsigned t = threadIdx.x;
	s[t] = in[t];
	out[t] = read_partner(s, t); // line: call
}

__device__ __attribute__((noinline)) float read_far(const float *s, unsigned t)
{
	return s[t ^ 64]; // line: far
}

__global__ void caller(const float *in, float *out)
{
	__shared__ float s[ITEMS];
	unsigned t = threadIdx.x;
	s[t] = in[t];
	out[t] = read_far(s, t);
}

/* More places than a process keeps. */
__global__ void many(float *out)
{
	__shared__ volatile float s[64];
	s[threadIdx.x] = 0;
	asm volatile(".rept 4500\n ds_write_b32 %0, %1\n .endr" ::"v"(32768), "v"(0)); // line: many
	out[0] = s[0];
}

/* Workgroups write to two halves, and the first work-item of each reads from the other one. */
__global__ void groups(float *out, float *other)
{
	unsigned t = threadIdx.x, at = blockIdx.x * ITEMS / 2 + t;
	out[at] = t; // line: group-write
	if (!t)
		other[at] = out[at ^ (ITEMS / 2)]; // line: group-read
}

/* The first wave polls a flag that no one sets. */
__global__ void stuck(float *out)
{
	__shared__ volatile float flag;
	if (!threadIdx.x)
		flag = 0;
	__syncthreads();
	if (threadIdx.x < 64)
		while (flag == 0) // line: stuck-poll
			;
	__syncthreads(); // line: stuck-barrier
	out[threadIdx.x] = flag;
}

__global__ void returns(float *out, unsigned items)
{
	if (threadIdx.x >= items)
		return;
	__syncthreads(); // line: return-barrier
	out[threadIdx.x] = 1;
}

/* Never ends. */
__global__ void endless(const float *in, float *out)
{
	__shared__ float s[ITEMS];
	unsigned t = threadIdx.x;
	s[t] = in[t];
	float partner = s[t ^ 64]; // line: endless
	while (*(volatile const float *)in == 0)
		out[t] = partner;
}

static float *in, *out;

static void allocate_buffers()
{
	hipMalloc(&in, ITEMS * sizeof *in);
	hipMalloc(&out, ITEMS * sizeof *out);
	hipMemset(in, 0, ITEMS * sizeof *in);
}

static void launch_case(const char *name)
{
	if (!strcmp(name, "race"))
		race<<<1, ITEMS>>>(in, out);
	else if (!strcmp(name, "race-ok"))
		race_ok<<<1, ITEMS>>>(in, out);
	else if (!strncmp(name, "column", 6))
		column<<<dim3(2, 1), dim3(4, 16)>>>(in, out, name[6] ? 3 : 20);
	else if (!strncmp(name, "trips", 5))
		trips<<<1, ITEMS>>>(out, 2 * ITEMS + 48, name[5]);
	else if (!strncmp(name, "barrier", 7))
		barrier<<<1, 64>>>(out, name[7] ? 64 : 32);
	else if (!strcmp(name, "atomic"))
		atomic<<<1, 1>>>(out);
	else if (!strcmp(name, "same"))
		same<<<1, 64>>>(out);
	else if (!strcmp(name, "known"))
		known<<<1, ITEMS>>>(in, out);
	else if (!strcmp(name, "helper"))
		helper<<<1, ITEMS>>>(in, out);
	else if (!strcmp(name, "endless"))
		endless<<<1, ITEMS>>>(in, out);
	else if (!strcmp(name, "groups"))
		groups<<<2, ITEMS / 2>>>(out, in);
	else if (!strcmp(name, "stuck"))
		stuck<<<1, ITEMS>>>(out);
	else if (!strcmp(name, "returns"))
		returns<<<1, 64>>>(out, 60);
	else if (!strcmp(name, "many"))
		many<<<1, 1>>>(out);
	else if (!strcmp(name, "caller"))
		caller<<<1, ITEMS>>>(in, out);
	hipDeviceSynchronize();
}

static void end_as_told(const char *name, const char *file)
{
	if (!strcmp(name, "exit3"))
		exit(3);
	if (!strcmp(name, "again"))
		execl("/proc/self/exe", "faults", "race", nullptr);
	if (!strcmp(name, "crash"))
		raise(SIGSEGV);
	if (!strcmp(name, "interrupt") && file) {
		close(open(file, O_CREAT | O_WRONLY, 0600));
		for (;;)
			pause();
	}
}

static void run_child(char *self)
{
	pid_t child = fork();
	if (!child) {
		execl(self, self, "race", nullptr);
		_exit(1);
	}
	waitpid(child, nullptr, 0);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "child"))
			run_child(argv[0]);
	allocate_buffers();
	for (int i = 1; i < argc; i++) {
		launch_case(argv[i]);
		end_as_told(argv[i], argv[i + 1]);
	}
	puts("end");
}
