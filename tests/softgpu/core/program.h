/* One function with a bit of everything, compiled for the host and for gfx900 from the same text. `HERE` is what a
 * function needs before its type. No undefined behaviour, no contraction, correctly rounded operations only. */
#ifndef TESTS_SOFTGPU_CORE_PROGRAM_H
#define TESTS_SOFTGPU_CORE_PROGRAM_H

HERE uint32_t mix(uint32_t h, uint32_t v)
{
	h ^= v * 0xcc9e2d51u;
	h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
	return h;
}

HERE uint32_t float_bits(float f)
{
	union {
		float f;
		uint32_t u;
	} x = {f};

	return f != f ? 0x7fc00000 : x.u;
}

HERE uint64_t double_bits(double f)
{
	union {
		double f;
		uint64_t u;
	} x = {f};

	return f != f ? 0x7ff8000000000000u : x.u;
}

HERE uint32_t integers(uint32_t h, uint32_t a, uint32_t b)
{
	int32_t x = (int32_t)(a * 2654435761u), y = (int32_t)(b * 40503u + 12345u) | 1;
	uint64_t w = (uint64_t)a << 32 | b * 77u, d = ((uint64_t)b << 13) + 3;

	h = mix(h, a / (b | 1));
	h = mix(h, a % (b | 1));
	h = mix(h, (uint32_t)(x / (y == -1 ? 3 : y)));
	h = mix(h, (uint32_t)(x % (y == -1 ? 3 : y)));
	h = mix(h, (uint32_t)(w / d));
	h = mix(h, (uint32_t)(w % d));
	h = mix(h, (uint32_t)((int64_t)w / ((int64_t)d + 1)));
	h = mix(h, (uint32_t)(w * d >> 17));
	h = mix(h, (uint32_t)((int64_t)w >> (b & 63)));
	h = mix(h, (uint32_t)(((uint64_t)a * b) >> 32));
	h = mix(h, (uint32_t)(((int64_t)x * y) >> 32));
	h = mix(h, (uint32_t)__builtin_popcount(a) + (uint32_t)__builtin_popcountll(w));
	h = mix(h, a ? (uint32_t)__builtin_clz(a) : 32);
	h = mix(h, b ? (uint32_t)__builtin_ctz(b) : 32);
	h = mix(h, w ? (uint32_t)__builtin_clzll(w) : 64);
	h = mix(h, x < y ? (uint32_t)x : (uint32_t)y);
	h = mix(h, (uint32_t)(int8_t)a + (uint32_t)(int16_t)b + (uint8_t)(a >> 8) + (uint16_t)(b >> 8));
	h = mix(h, a << (b & 31) | a >> (31 & -b));
	return mix(h, (uint32_t)(x >> (b & 31)));
}

HERE uint32_t floats(uint32_t h, uint32_t a, uint32_t b)
{
	float x = (float)(int32_t)a * 0.0009765625f, y = (float)b / 1024.0f + 0.25f, z = x / y;

	h = mix(h, float_bits(x * y + z));
	h = mix(h, float_bits(z));
	h = mix(h, float_bits(__builtin_sqrtf(y)));
	h = mix(h, float_bits(__builtin_fmaf(x, y, z)));
	h = mix(h, float_bits(__builtin_floorf(z) + __builtin_ceilf(x) - __builtin_truncf(y)));
	h = mix(h, float_bits(__builtin_fabsf(x) - __builtin_rintf(z)));
	h = mix(h, float_bits(1e-38f / (y + 1e6f))); /* a denormal */
	h = mix(h, (uint32_t)(int32_t)(z < 1e9f && z > -1e9f ? z : 0.5f));
	h = mix(h, (uint32_t)(y < 4e9f ? y : 1.0f));
	h = mix(h, x < y ? 1 : x > y ? 2 : 3);
	h = mix(h, float_bits(-x * y - -z));
	return mix(h, float_bits(x < z ? x : z));
}

HERE uint32_t doubles(uint32_t h, uint32_t a, uint32_t b)
{
	double x = (double)(int32_t)a * 1.0000001, y = (double)b + 0.125, z = x / y;

	h = mix(h, (uint32_t)(double_bits(z) >> 7));
	h = mix(h, (uint32_t)(double_bits(x * y - z) >> 3));
	h = mix(h, (uint32_t)double_bits(__builtin_fma(x, y, z)));
	h = mix(h, (uint32_t)double_bits(__builtin_sqrt(y)));
	h = mix(h, (uint32_t)double_bits(__builtin_floor(z) + __builtin_trunc(x) + __builtin_rint(y / 3)));
	h = mix(h, float_bits((float)z));
	h = mix(h, (uint32_t)(int64_t)(z < 1e15 && z > -1e15 ? z * 1000 : 1));
	h = mix(h, (uint32_t)(int32_t)(z < 1e9 && z > -1e9 ? z : 7));
	h = mix(h, (uint32_t)double_bits((double)(float)x - (double)((uint64_t)a << 20)));
	return mix(h, x < y ? 4 : 5);
}

/* A table in memory, of bytes and words, with indices that only run time knows. */
HERE uint32_t memory(uint32_t h, uint32_t a, uint32_t b)
{
	uint32_t word[16];
	uint8_t byte[32];
	uint16_t half[8];

	for (uint32_t k = 0; k < 16; k++)
		word[k] = k * a + b;
	for (uint32_t k = 0; k < 32; k++)
		byte[k] = (uint8_t)(word[k & 15] >> (k & 24));
	for (uint32_t k = 0; k < 8; k++)
		half[k] = (uint16_t)(byte[(a + k) & 31] * 257 + k);
	for (uint32_t k = 0; k < 5 + (b & 15); k++) {
		word[(a + k) & 15] += byte[(b * k) & 31];
		half[k & 7] ^= (uint16_t)word[(k * 5) & 15];
		if (byte[k & 31] & 1)
			h = mix(h, half[(a >> k) & 7]);
	}
	return mix(h, word[b & 15] + half[a & 7]);
}

HERE uint32_t everything(uint32_t a, uint32_t b)
{
	uint32_t h = 17;

	for (uint32_t k = 0; k < 1 + (a & 3); k++) {
		h = integers(h, a + k, b ^ k << 9);
		h = floats(h, a * 3 + k, b);
		h = doubles(h, a, b + k);
		h = memory(h, a + k, b);
	}
	switch (a & 7) {
	case 1: return h + 1;
	case 2: return mix(h, b);
	case 5: return h ^ a;
	case 7: return integers(h, b, a);
	}
	return h;
}

#endif
