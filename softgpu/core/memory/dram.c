#include "softgpu/core/memory/dram.h"

#include <math.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/timing/core_clock.h"

/* The cycles that a busy bank of L2 loses for each that it works, in 1/1024. With l2_in_order an L1's oldest request
 * holds up those behind it. Then each of r CUs for a bank has one request that waits for a bank; a bank serves one in a
 * cycle, so that it is a queue with Poisson arrivals and constant service, which has p + p^2 / (2 (1 - p)) requests in
 * it if it is busy in a part p of its time. That is r for p = 1 + r - sqrt(1 + r^2) (Karol, Hluchyj and Morgan, "Input
 * Versus Output Queueing on a Space-Division Packet Switch", 1987). */
static uint64_t find_lost_cycles(const struct model *c)
{
	if (!c->l2_in_order)
		return 0;
	const double r = (double)c->compute_units / (double)(c->l2_channels * c->l2_banks), p = 1 + r - sqrt(1 + r * r);
	return (uint64_t)(1024 * (1 / p - 1));
}

void dram_begin_launch(struct machine *m)
{
	const struct model *c = &m->model;
	struct channel_rates *n = &m->rates;
	uint64_t sclk = sclk_idle_khz(c);

	/* ns, and bytes / (MB/s / channels), converted to 1/1024 core cycle */
	n->dram_line = 64 * 1024 * sclk * m->channels / (c->dram_mbps * 1000);
	n->l2_lost = find_lost_cycles(c);
	n->l3_line = c->l3_mbps ? 64 * 1024 * sclk * m->channels / (c->l3_mbps * 1000) : 0;
	n->dram_row = c->dram_row_ns * 1024 * sclk / 1000000;
	n->dram_turnaround = c->dram_turn_ns * 1024 * sclk / 1000000;
	n->dram_refresh = c->dram_refresh_ns * 1024 * sclk / 1000000;
	n->dram_refresh_period = c->dram_refresh_period_ns * 1024 * sclk / 1000000;
	memset(&m->pooled, 0, sizeof m->pooled);
	for (uint32_t k = 0; k < m->channels; k++) {
		m->channel[k].l3_free = 0;
		memset(&m->channel[k].dram, 0, sizeof m->channel[k].dram);
		m->channel[k].dram.next_refresh = n->dram_refresh_period;
	}
}

/* When the bus can transfer next, no earlier than `at`. A due refresh takes place in idle time if there was enough,
 * else now. Times in 1/1024 cycle, here and in open_row. */
static uint64_t reserve_bus(struct machine *m, struct dram *d, uint64_t at)
{
	const struct channel_rates *n = &m->rates;
	uint64_t start = max_u64(at, d->bus_free);

	if (start < d->next_refresh)
		return start;
	if (at < d->bus_free + n->dram_refresh) {
		start = d->bus_free + n->dram_refresh;
		memset(d->open_row, 0, sizeof d->open_row);
	}
	d->next_refresh = start + n->dram_refresh_period;
	return start;
}

/* When the bus transfers for so long, no earlier than `at`. Of ideal channels, all transfer at the same time, and their
 * refreshes are a part of what they do. */
static uint64_t take_bus(struct machine *m, struct dram *d, uint64_t at, uint64_t work)
{
	const struct channel_rates *n = &m->rates;

	if (model_is_ideal(&m->model, IDEAL_channels)) {
		const uint64_t refresh = n->dram_refresh_period ? work * n->dram_refresh / n->dram_refresh_period : 0;
		return pooled_queue_take(&m->pooled.buses, at, (work + refresh) / m->channels);
	}
	const uint64_t start = reserve_bus(m, d, at);
	d->bus_free = start + work;
	return start;
}

static uint64_t row_of_line(const struct machine *m, uint64_t line)
{
	return line * 64 / m->model.dram_row_bytes;
}

/* When a row is open: immediately, or after a row cycle of its bank. Consecutive rows are in consecutive banks, XORed
 * with higher address bits so that streams a power of two apart do not conflict in one bank. */
static uint64_t open_dram_row(struct machine *m, struct dram *d, uint64_t row, uint64_t at)
{
	uint64_t banks = m->model.dram_banks;
	uint32_t number = row / banks + 1, bank = (row ^ row / banks ^ row / banks / banks) & (banks - 1);

	if (d->open_row[bank] == number)
		return at;
	uint64_t open = max_u64(at, d->bank_ready[bank]);
	d->open_row[bank] = number;
	d->bank_ready[bank] = open + m->rates.dram_row;
	return open;
}

cycle_t dram_read(struct machine *m, struct dram *d, uint64_t line, cycle_t at)
{
	uint64_t start = take_bus(m, d, at << 10, m->rates.dram_line << m->l2_shift);

	d->writing = false;
	return open_dram_row(m, d, row_of_line(m, line), start) >> 10;
}

/* Opens the rows of a batch, from time `at` on; returns when the last of them is open. */
static uint64_t open_pending_rows(struct machine *m, struct dram *d, uint64_t at)
{
	uint64_t last = at;

	for (uint32_t k = 0; k < d->pending_rows; k++)
		last = max_u64(last, open_dram_row(m, d, d->pending_row[k], at));
	d->pending_rows = 0;
	return last;
}

static void add_pending_row(struct dram *d, uint32_t row)
{
	for (uint32_t k = d->pending_rows; k--;)
		if (d->pending_row[k] == row)
			return;
	d->pending_row[d->pending_rows++] = row;
}

/* The bus does not wait for the rows, as with reads. */
cycle_t dram_write(struct machine *m, struct dram *d, uint64_t line, unsigned lines, cycle_t at)
{
	uint64_t free = d->bus_free, open = 0;

	d->pending_writes += lines;
	add_pending_row(d, row_of_line(m, line));
	if (d->pending_writes >= (uint64_t)m->model.dram_write_batch) {
		const uint64_t work =
			d->pending_writes * m->rates.dram_line + (d->writing ? 0 : m->rates.dram_turnaround);
		const uint64_t start = take_bus(m, d, at << 10, work);
		open = open_pending_rows(m, d, start);
		free = start + work;
		d->writing = true;
		d->pending_writes = 0;
	}
	return max_u64(free, open) >> 10;
}
