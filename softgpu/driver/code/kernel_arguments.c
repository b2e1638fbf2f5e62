#include "softgpu/driver/code/kernel_arguments.h"

#include <string.h>

#include "base/metadata/msgpack.h"
#include "softgpu/driver/code/loaded_image.h"

struct text {
	const char *at;
	size_t length;
};

static bool text_is(struct text t, const char *want)
{
	return t.length == strlen(want) && !memcmp(t.at, want, t.length);
}

static struct text read_text(struct msgpack *m)
{
	struct text t;

	t.at = msgpack_string(m, &t.length);
	return t;
}

struct described_argument {
	struct text name, kind;
	uint64_t offset, bytes;
};

/* Keys here and below: LLVM AMDGPU usage, "Code Object V3 Metadata"; later versions add to it. */
static struct described_argument read_argument(struct msgpack *m)
{
	struct described_argument a = {0};

	for (uint32_t pairs = msgpack_map(m); pairs && !m->bad; pairs--) {
		struct text key = read_text(m);
		if (text_is(key, ".name"))
			a.name = read_text(m);
		else if (text_is(key, ".value_kind"))
			a.kind = read_text(m);
		else if (text_is(key, ".offset"))
			a.offset = msgpack_uint(m);
		else if (text_is(key, ".size"))
			a.bytes = msgpack_uint(m);
		else
			msgpack_skip(m);
	}
	return a;
}

static bool is_hidden_argument(const struct described_argument *a)
{
	static const char prefix[] = "hidden_";

	return a->kind.length >= sizeof prefix - 1 && !memcmp(a->kind.at, prefix, sizeof prefix - 1);
}

static bool arguments_match(struct msgpack *m, const struct kernel_argument *want, size_t count)
{
	size_t found = 0;

	for (uint32_t left = msgpack_array(m); left && !m->bad; left--) {
		struct described_argument a = read_argument(m);
		if (is_hidden_argument(&a))
			continue;
		if (found == count || !text_is(a.name, want[found].name) || a.offset != want[found].offset ||
			a.bytes != want[found].bytes)
			return false;
		found++;
	}
	return found == count && !m->bad;
}

/* Reads one kernel: its name, and where the description of its arguments begins. */
static struct text read_kernel(struct msgpack *m, struct msgpack *arguments)
{
	struct text name = {0};

	*arguments = (struct msgpack){.bad = true};
	for (uint32_t pairs = msgpack_map(m); pairs && !m->bad; pairs--) {
		struct text key = read_text(m);
		if (text_is(key, ".name")) {
			name = read_text(m);
			continue;
		}
		if (text_is(key, ".args"))
			*arguments = *m;
		msgpack_skip(m);
	}
	return name;
}

static bool find_kernel(struct msgpack *m, const char *name, struct msgpack *arguments)
{
	for (uint32_t pairs = msgpack_map(m); pairs && !m->bad; pairs--) {
		if (!text_is(read_text(m), "amdhsa.kernels")) {
			msgpack_skip(m);
			continue;
		}
		for (uint32_t kernels = msgpack_array(m); kernels && !m->bad; kernels--)
			if (text_is(read_kernel(m, arguments), name))
				return !m->bad;
		return false;
	}
	return false;
}

bool kernel_arguments_are(struct softgpu_device *d, uint64_t kernel_object, const char *name,
	const struct kernel_argument *arguments, size_t count)
{
	struct loaded_image image;
	struct msgpack m = {0}, found;
	size_t size;

	if (!loaded_image_find(d, kernel_object, &image))
		return false;
	m.at = loaded_image_metadata(&image, &size);
	if (!m.at)
		return false;
	m.end = m.at + size;
	return find_kernel(&m, name, &found) && arguments_match(&found, arguments, count);
}
