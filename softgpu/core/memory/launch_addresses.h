/* Where caches and channels see a launch's packet, kernel arguments and scratch.
 *
 * The runtime puts each packet in the next slot of a ring, and the arguments behind those of the launch before; scratch
 * moves when it grows, and large scratch is given back after a launch. With these addresses, the channels and sets of
 * their lines, and so the cycles of a launch, would depend on the launches that came before. So every launch has them
 * at the same physical addresses, as if it were the first. Launches that are resident together have them at addresses
 * of their own, by their number. */
#ifndef SOFTGPU_CORE_MEMORY_LAUNCH_ADDRESSES_H
#define SOFTGPU_CORE_MEMORY_LAUNCH_ADDRESSES_H

struct launch;

void launch_addresses_begin(const struct launch *n);
void launch_addresses_end(const struct launch *n);

#endif
