#include "softgpu/driver/identity.h"

#include <string.h>

#include "softgpu/core/model.h"

/* PCI ids as in libdrm's amdgpu.ids, which turns them into the marketing name. */
static const struct identity identities[] = {
	{ "mi25", "vega10", 90000, 0x6860, 0x01, 0x0c35, 0x2150e7d4b1c0ffee, "113-D0513700-001" },
};

const struct identity *identity_of(const struct model *m)
{
	for (size_t i = 0; i < sizeof identities / sizeof *identities; i++)
		if (!strcmp(identities[i].model, m->name))
			return &identities[i];
	return &identities[0];
}
