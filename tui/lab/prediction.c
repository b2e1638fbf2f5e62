#include "tui/lab/prediction.h"

#include <math.h>
#include <string.h>

#include "base/stats.h"

enum { INITIAL_TOP = 1000, TOP_MIN_EXPONENT = -10, TOP_MAX_EXPONENT = 50 };

void prediction_init(struct prediction *p, const double *x, int count, bool log, double top)
{
	memset(p, 0, sizeof *p);
	p->log = log && count && x[0] > 0;
	p->columns = count > PREDICTION_COLUMNS_MAX ? PREDICTION_COLUMNS_MAX : count;
	for (int i = 0; i < p->columns; i++)
		p->x[i] = x[p->columns < 2 ? 0 : (int)((long)i * (count - 1) / (p->columns - 1))];
	sort_doubles(p->x, p->columns);
	for (int i = 0; i < PREDICTION_COLUMNS_MAX; i++)
		p->level[i] = -1;
	p->top = p->first_top = top > 0 ? top : INITIAL_TOP;
	p->row = PREDICTION_ROWS / 2;
}

static int clamp_index(int v, int most)
{
	return v < 0 ? 0 : v > most ? most : v;
}

void prediction_move_cursor(struct prediction *p, int columns)
{
	p->column = clamp_index(p->column + columns, p->columns ? p->columns - 1 : 0);
	double here = p->columns ? prediction_value_at(p, p->x[p->column]) : NAN;
	if (!isnan(here))
		p->row = clamp_index((int)lround(here / p->top * PREDICTION_ROWS), PREDICTION_ROWS);
}

void prediction_raise_point(struct prediction *p, int rows)
{
	if (rows > 0 && p->row >= PREDICTION_ROWS)
		prediction_scale_y(p, true);
	p->row = clamp_index(p->row + rows, PREDICTION_ROWS);
	if (p->columns)
		p->level[p->column] = p->row;
}

void prediction_toggle_point(struct prediction *p)
{
	if (p->columns)
		p->level[p->column] = p->level[p->column] >= 0 ? -1 : p->row;
}

void prediction_erase_point(struct prediction *p)
{
	for (int i = p->column; i >= 0; i--)
		if (p->level[i] >= 0) {
			p->level[i] = -1;
			return;
		}
}

void prediction_scale_y(struct prediction *p, bool up)
{
	int exponent = ilogb(p->top);
	if (up ? exponent >= TOP_MAX_EXPONENT : exponent <= TOP_MIN_EXPONENT)
		return;
	p->top = up ? p->top * 2 : p->top / 2;
	for (int i = 0; i < p->columns; i++)
		if (p->level[i] >= 0)
			p->level[i] = clamp_index(up ? (p->level[i] + 1) / 2 : p->level[i] * 2, PREDICTION_ROWS);
	p->row = clamp_index(up ? (p->row + 1) / 2 : p->row * 2, PREDICTION_ROWS);
}

int prediction_point_count(const struct prediction *p)
{
	int n = 0;
	for (int i = 0; i < p->columns; i++)
		n += p->level[i] >= 0;
	return n;
}

double prediction_row_value(const struct prediction *p, int row)
{
	return p->top * row / PREDICTION_ROWS;
}

static double axis_position(const struct prediction *p, double x)
{
	return p->log ? log2(x) : x;
}

double prediction_value_at(const struct prediction *p, double x)
{
	int left = -1, right = -1;
	for (int i = 0; i < p->columns; i++) {
		if (p->level[i] < 0)
			continue;
		if (p->x[i] <= x)
			left = i;
		else if (right < 0)
			right = i;
	}
	if (left < 0 && right < 0)
		return NAN;
	if (left < 0 || right < 0)
		return prediction_row_value(p, p->level[left < 0 ? right : left]);
	double from = prediction_row_value(p, p->level[left]), to = prediction_row_value(p, p->level[right]);
	return from +
		(to - from) * (axis_position(p, x) - axis_position(p, p->x[left])) /
		(axis_position(p, p->x[right]) - axis_position(p, p->x[left]));
}

double prediction_mean_error(const struct prediction *p, const double *x, const double *y, int count)
{
	double sum = 0;
	int n = 0;
	for (int i = 0; i < count; i++) {
		double drawn = prediction_value_at(p, x[i]);
		if (isnan(drawn) || !isfinite(y[i]) || y[i] == 0)
			continue;
		sum += fabs(drawn - y[i]) / fabs(y[i]);
		n++;
	}
	return n ? sum / n : NAN;
}
