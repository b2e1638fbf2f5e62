/* Functions of two 64-bit numbers, compiled for the host and the GPU from the same source: every integer width,
 * divisions, conversions, halves and doubles, tables, recursion, well-known algorithms. HERE is defined as the function
 * attributes. They have no undefined behavior and use only correctly rounded operations, without contraction. */
#ifndef TESTS_PROGRAMS_NUMBERS_H
#define TESTS_PROGRAMS_NUMBERS_H

HERE uint64_t fold(uint64_t h, uint64_t v)
{
	h ^= v;
	h *= 0x9fb21c651e98df25u;
	return h ^ h >> 29;
}

HERE uint64_t fold_f32(uint64_t h, float f)
{
	union {
		float f;
		uint32_t u;
	} x = {f};

	return fold(h, f != f ? 0x7fc00000 : x.u);
}

HERE uint64_t fold_f64(uint64_t h, double f)
{
	union {
		double f;
		uint64_t u;
	} x = {f};

	return fold(h, f != f ? 0x7ff8000000000000u : x.u);
}

HERE uint64_t fold_f16(uint64_t h, _Float16 f)
{
	union {
		_Float16 f;
		uint16_t u;
	} x = {f};

	return fold(h, f != f ? 0x7e00 : x.u);
}

HERE float as_f32(uint32_t u)
{
	union {
		uint32_t u;
		float f;
	} x = {u};

	return x.f;
}

HERE double as_f64(uint64_t u)
{
	union {
		uint64_t u;
		double f;
	} x = {u};

	return x.f;
}

HERE _Float16 as_f16(uint16_t u)
{
	union {
		uint16_t u;
		_Float16 f;
	} x = {u};

	return x.f;
}

/* Signed and unsigned division and remainder of a type, except the division that overflows. */
#define DIVISION(name, stype, utype)                                                                    \
	HERE uint64_t name(uint64_t a, uint64_t b)                                                      \
	{                                                                                               \
		utype n = (utype)a, d = (utype)b;                                                       \
		stype sn = (stype)a, sd = (stype)b;                                                     \
		uint64_t h = 1;                                                                         \
		if (d) {                                                                                \
			h = fold(h, (utype)(n / d));                                                    \
			h = fold(h, (utype)(n % d));                                                    \
		}                                                                                       \
		if (sd && sd != -1) {                                                                   \
			h = fold(h, (uint64_t)(int64_t)(sn / sd));                                      \
			h = fold(h, (uint64_t)(int64_t)(sn % sd));                                      \
		}                                                                                       \
		h = fold(h, (uint64_t)(int64_t)(stype)(sn / 7) ^ (uint64_t)(n / 10));                   \
		h = fold(h, (uint64_t)(int64_t)(stype)(sn % 1000003) ^ (uint64_t)(n % 641));            \
		h = fold(h, (uint64_t)(int64_t)(stype)(sn / 16) ^ (uint64_t)(int64_t)(stype)(sn % 16)); \
		return fold(h, (utype)(n * d) ^ (utype)(n - d) << (d % (8 * sizeof n)));                \
	}
DIVISION(division_8, int8_t, uint8_t)
DIVISION(division_16, int16_t, uint16_t)
DIVISION(division_24, int32_t, uint32_t) /* called with 24-bit numbers */
DIVISION(division_32, int32_t, uint32_t)
DIVISION(division_64, int64_t, uint64_t)

HERE uint64_t bits(uint64_t a, uint64_t b)
{
	uint32_t x = (uint32_t)a, y = (uint32_t)b;
	uint64_t h = 2;

	h = fold(h, (a << (b & 63)) ^ (a >> (b & 63)) ^ (uint64_t)((int64_t)a >> (y & 63)));
	h = fold(h, (x << (y & 31)) ^ (x >> (y & 31)) ^ (uint32_t)((int32_t)x >> (y & 31)));
	h = fold(h, (uint64_t)__builtin_popcountll(a) << 8 | (uint64_t)__builtin_popcount(y));
	h = fold(h, (uint64_t)(a ? __builtin_clzll(a) : 99) << 8 | (uint64_t)(b ? __builtin_ctzll(b) : 77));
	h = fold(h, (uint64_t)(x ? __builtin_clz(x) : 99) << 8 | (uint64_t)(y ? __builtin_ctz(y) : 77));
	h = fold(h, __builtin_bswap64(a) ^ __builtin_bswap32(y) ^ (uint64_t)__builtin_bswap16((uint16_t)x) << 17);
	h = fold(h, (uint64_t)(((unsigned __int128)a * b) >> 64) ^ a * b);
	h = fold(h, (uint64_t)(((__int128)(int64_t)a * (int64_t)b) >> 64));
	h = fold(h, (uint64_t)((int64_t)(int32_t)x * (int32_t)y) ^ (uint64_t)x * y);
	h = fold(h, (x & y) | (~x & (uint32_t)(a >> 32)));
	h = fold(h, (x >> 5 & 0x7ff) | (uint64_t)((int32_t)(x << 9) >> 20) << 32);
	h = fold(h, (uint64_t)(int64_t)(int8_t)x ^ (uint64_t)(uint16_t)y ^ (uint64_t)(int64_t)(int16_t)(y >> 8));
	h = fold(h, x > y ? x - y : y - x);
	h = fold(h, (int32_t)x < (int32_t)y ? a : b);
	return fold(h, (a + b < a) + 2 * (a < b) + 4 * ((int64_t)a < (int64_t)b));
}

HERE int32_t whole_32(double f)
{
	return f > -2147483648.0 && f < 2147483647.0 ? (int32_t)f : -5;
}

HERE int64_t whole_64(double f)
{
	return f > -9e18 && f < 9e18 ? (int64_t)f : -6;
}

HERE uint64_t singles(uint64_t a, uint64_t b)
{
	float x = as_f32((uint32_t)a), y = as_f32((uint32_t)b), s = (float)(int32_t)(a >> 32) / 65536.0f;
	uint64_t h = 3;

	h = fold_f32(h, x + y);
	h = fold_f32(h, x * y);
	h = fold_f32(h, x / y);
	h = fold_f32(h, x - s * y);
	h = fold_f32(h, __builtin_fmaf(x, y, s));
	h = fold_f32(h,
		__builtin_sqrtf(
			__builtin_fabsf(x) < 0x1p-126f ? 3 : __builtin_fabsf(x))); /* v_sqrt_f32 flushes denormals */
	h = fold_f32(h, __builtin_floorf(s) + __builtin_ceilf(y));
	h = fold_f32(h, __builtin_truncf(x) - __builtin_rintf(s));
	h = fold(h, (uint64_t)(x < y) | (uint64_t)(x <= s) << 1 | (uint64_t)(x == y) << 2 | (uint64_t)(x != x) << 3);
	h = fold(h, (uint32_t)whole_32(s) ^ (uint64_t)whole_64(x));
	h = fold_f32(h, (float)(int64_t)a + (float)b);
	h = fold_f32(h, (float)(uint32_t)a - (float)(int16_t)b);
	h = fold_f64(h, (double)x);
	h = fold_f16(h, (_Float16)y);
	return fold_f32(h, x < s ? x : s);
}

HERE uint64_t doubles(uint64_t a, uint64_t b)
{
	double x = as_f64(a), y = as_f64(b), s = (double)(int64_t)a / 4294967296.0;
	uint64_t h = 4;

	h = fold_f64(h, x + y);
	h = fold_f64(h, x * y);
	h = fold_f64(h, x / y);
	h = fold_f64(h, s - y * x);
	h = fold_f64(h, __builtin_fma(x, y, s));
	h = fold_f64(h, __builtin_sqrt(__builtin_fabs(x)));
	h = fold_f64(h, __builtin_floor(s) + __builtin_ceil(y));
	h = fold_f64(h, __builtin_trunc(x) - __builtin_rint(s));
	h = fold(h, (uint64_t)(x < y) | (uint64_t)(x >= s) << 1 | (uint64_t)(x == y) << 2 | (uint64_t)(x != x) << 3);
	h = fold(h, (uint32_t)whole_32(s) ^ (uint64_t)whole_64(x));
	h = fold_f64(h, (double)a + (double)(int64_t)b);
	h = fold_f64(h, (double)(uint32_t)a * (double)(int32_t)b);
	h = fold_f32(h, (float)y);
	return fold_f64(h, x > s ? x : s);
}

HERE uint64_t halves(uint64_t a, uint64_t b)
{
	_Float16 x = as_f16((uint16_t)a), y = as_f16((uint16_t)b), s = (_Float16)((float)(int16_t)(a >> 16) / 64.0f);
	uint64_t h = 5;

	h = fold_f16(h, x + y);
	h = fold_f16(h, x * y);
	h = fold_f16(h, x / y);
	h = fold_f16(h, s - y);
	h = fold(h, (uint64_t)(x < y) | (uint64_t)(x >= s) << 1 | (uint64_t)(x == y) << 2 | (uint64_t)(x != x) << 3);
	h = fold_f32(h, (float)x * (float)y);
	h = fold(h, (uint64_t)whole_32((double)s));
	h = fold_f16(h, (_Float16)(float)(int16_t)b);
	for (int k = 0; k < 5; k++) {
		_Float16 product = s * x; /* rounded separately: hosts compute halves in floats */
		s = product + y;
	}
	return fold_f16(h, s);
}

/* Arrays in scratch, of every width, with run-time indices. */
HERE uint64_t arrays(uint64_t a, uint64_t b)
{
	uint64_t wide[9], h = 6;
	uint32_t word[16];
	uint16_t half[21];
	uint8_t byte[64];
	struct {
		uint8_t c;
		uint16_t s;
		uint32_t w;
		uint64_t q;
	} mixed[5];

	for (uint32_t k = 0; k < 64; k++)
		byte[k] = (uint8_t)(a >> (k & 31)) + (uint8_t)k;
	for (uint32_t k = 0; k < 21; k++)
		half[k] = (uint16_t)(b >> (k * 2)) ^ byte[(k * a) & 63];
	for (uint32_t k = 0; k < 16; k++)
		word[k] = half[(k + b) % 21] * 40503u + byte[k];
	for (uint32_t k = 0; k < 9; k++)
		wide[k] = (uint64_t)word[(a >> k) & 15] << 32 | word[(b >> k) & 15];
	for (uint32_t k = 0; k < 5; k++) {
		mixed[k].c = byte[(b >> k) & 63];
		mixed[k].s = half[k * 3];
		mixed[k].w = word[k + 7];
		mixed[k].q = wide[(a + k) % 9];
	}
	for (uint32_t k = 0; k < 12 + (a & 7); k++) {
		uint32_t at = (uint32_t)(b >> k) % 5;
		mixed[at].q += mixed[k % 5].w * (uint64_t)mixed[at].c;
		mixed[k % 5].s ^= (uint16_t)mixed[at].q;
		byte[mixed[at].q & 63]++;
		h = fold(h, mixed[k % 5].s + byte[k]);
	}
	return fold(h, wide[a % 9] ^ word[b & 15] ^ mixed[a % 5].q);
}

HERE_RECURSIVE uint32_t ackermann(uint32_t m, uint32_t n)
{
	return !m ? n + 1 : !n ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

HERE_RECURSIVE uint32_t queens(uint32_t all, uint32_t columns, uint32_t left, uint32_t right)
{
	uint32_t count = columns == all;

	for (uint32_t free = all & ~(columns | left | right); free; free &= free - 1) {
		uint32_t bit = free & -free;
		count += queens(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
	}
	return count;
}

HERE uint64_t recursion(uint64_t a, uint64_t b)
{
	return fold(ackermann((uint32_t)a % 3, (uint32_t)(b % 5)), queens((1u << (3 + b % 4)) - 1, 0, 0, 0));
}

/* Loops with a different trip count in each lane, and early exits. */
HERE uint64_t branches(uint64_t a, uint64_t b)
{
	uint64_t n = (a & 0xffff) | 1, h = 7;
	uint32_t steps = 0;

	while (n != 1 && steps < 400) {
		n = n & 1 ? 3 * n + 1 : n / 2;
		steps++;
	}
	h = fold(h, steps);
	for (uint32_t k = 0; k < (b & 31); k++) {
		if ((a >> k & 3) == 1)
			continue;
		for (uint32_t j = k; j < 32; j++) {
			if ((b >> j & 7) == 5)
				break;
			if ((a >> j & 15) == 9)
				return fold(h, j * 100 + k);
			h = fold(h, j);
		}
		switch ((a >> k) % 7) {
		case 0: h += 3; break;
		case 2: h ^= a; /* fall through */
		case 3: h = fold(h, b); break;
		case 6: k += 2; break;
		default: h = h << 1 | h >> 63;
		}
	}
	return h;
}

HERE uint32_t rotate(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

/* One block of SHA-256 (FIPS 180-4), the constants computed from cube roots of primes by integers. */
HERE uint32_t cube_root_bits(uint32_t prime)
{
	uint64_t root = 0; /* of prime * 2^96, bit by bit: 35 bits */

	for (int bit = 34; bit >= 0; bit--) {
		uint64_t t = root | UINT64_C(1) << bit;
		if ((unsigned __int128)t * t * t <= (unsigned __int128)prime << 96)
			root = t;
	}
	return (uint32_t)root;
}

HERE uint64_t sha256(uint64_t a, uint64_t b)
{
	uint32_t w[64], s[8], prime = 1;

	for (int k = 0; k < 8; k++)
		s[k] = (uint32_t)(a >> (k * 4)) * 2654435761u + (uint32_t)k;
	for (int k = 0; k < 16; k++)
		w[k] = (uint32_t)(b >> (k * 2)) ^ (uint32_t)(a << k);
	for (int k = 16; k < 64; k++)
		w[k] = w[k - 16] + w[k - 7] + (rotate(w[k - 15], 7) ^ rotate(w[k - 15], 18) ^ w[k - 15] >> 3) +
			(rotate(w[k - 2], 17) ^ rotate(w[k - 2], 19) ^ w[k - 2] >> 10);
	for (int k = 0; k < 64; k++) {
		prime = k < 4 ? prime + 1 + (k > 1) : prime + 2;
		uint32_t t = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
			((s[4] & s[5]) ^ (~s[4] & s[6])) + w[k] + (k & 15 ? prime * 40503u : cube_root_bits(prime));
		uint32_t u = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
			((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		for (int j = 7; j > 0; j--)
			s[j] = s[j - 1];
		s[4] += t;
		s[0] = t + u;
	}
	return (uint64_t)s[0] << 32 | s[5];
}

/* Solves a system of linear equations with pivoting: double divisions and data-dependent row swaps. */
HERE uint64_t equations(uint64_t a, uint64_t b)
{
	enum { N = 5 };
	double m[N][N + 1];
	uint64_t h = 8;

	for (int r = 0; r < N; r++)
		for (int c = 0; c <= N; c++)
			m[r][c] = (double)(int32_t)((a >> (r * 5)) * (b >> (c * 3)) + (uint64_t)(r * c)) / 1024;
	for (int p = 0; p < N; p++) {
		int best = p;
		for (int r = p + 1; r < N; r++)
			if (__builtin_fabs(m[r][p]) > __builtin_fabs(m[best][p]))
				best = r;
		if (m[best][p] == 0)
			return h + p;
		for (int c = 0; c <= N; c++) {
			double t = m[p][c];
			m[p][c] = m[best][c];
			m[best][c] = t;
		}
		for (int r = p + 1; r < N; r++) {
			double factor = m[r][p] / m[p][p];
			for (int c = p; c <= N; c++)
				m[r][c] -= factor * m[p][c];
		}
	}
	for (int p = N - 1; p >= 0; p--) {
		for (int c = p + 1; c < N; c++)
			m[p][N] -= m[p][c] * m[c][N];
		m[p][N] /= m[p][p];
		h = fold_f64(h, m[p][N]);
	}
	return h;
}

/* clang-format off */
#define EACH_NUMBERS(X) \
	X(division_8) X(division_16) X(division_24) X(division_32) X(division_64) X(bits) X(singles) \
	X(doubles) X(halves) X(arrays) X(recursion) X(branches) X(sha256) X(equations)
/* clang-format on */

#endif
