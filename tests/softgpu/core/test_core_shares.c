/* Processes share the host's cores: none is had twice, who lacks one is seen, and those of a process that ends are
 * free. */
#include "softgpu/core/windows/core_shares.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/host/usable_cores.h"
#include "tests/softgpu/core/device.h"

static char folder[] = "/tmp/core-shares-XXXXXX";

static int open_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	unsetenv("SLURM_CPUS_PER_TASK");
	return setenv("XDG_RUNTIME_DIR", folder, 1);
}

static int remove_folder(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof path, "%s/wavedeck-cores-%u", folder, (unsigned)geteuid());
	unlink(path);
	return rmdir(folder);
}

/* Another process, which does what it gets a byte for: 't' takes, 'g' gives one back, and answers with what it has. */
struct other {
	pid_t pid;
	int to, from;
};

static void serve(int from, int to)
{
	struct core_share s = {0};
	char what;

	while (read(from, &what, 1) == 1) {
		if (what == 't')
			cores_take(&s, 1000);
		else
			cores_give_back(&s, 1);
		if (write(to, &s, sizeof s) != sizeof s)
			break;
	}
	_exit(0);
}

static struct other open_other(void)
{
	int to[2], from[2];
	struct other o = {0};

	assert_int_equal(pipe(to) | pipe(from), 0);
	o.pid = fork();
	if (!o.pid) {
		close(to[1]);
		serve(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	o.to = to[1];
	o.from = from[0];
	return o;
}

static struct core_share ask(const struct other *o, char what)
{
	struct core_share s;

	assert_int_equal(write(o->to, &what, 1), 1);
	assert_int_equal(read(o->from, &s, sizeof s), sizeof s);
	return s;
}

static void kill_other(const struct other *o)
{
	kill(o->pid, SIGKILL);
	waitpid(o->pid, NULL, 0);
	close(o->to);
	close(o->from);
}

static void no_core_is_had_twice(void **state)
{
	const unsigned cores = usable_cores();
	struct core_share s = {0};
	struct other a = open_other();

	(void)state;
	const struct core_share all = ask(&a, 't');
	assert_true(all.launcher);
	assert_int_equal(all.cores, cores - 1);
	assert_false(cores_are_wanted());
	cores_take(&s, 1000);
	assert_true(s.waits && !s.launcher && !s.cores);
	cores_take(&s, 1000);
	assert_true(s.waits);
	kill_other(&a);
	cores_take(&s, 1000);
	assert_true(s.launcher && !s.waits);
	assert_int_equal(s.cores, cores - 1);
	cores_give_back_all(&s);
}

static void who_lacks_a_core_is_seen(void **state)
{
	struct core_share s = {0};
	struct other a = open_other();

	(void)state;
	cores_take(&s, 1000);
	assert_true(s.launcher);
	assert_true(ask(&a, 't').waits);
	assert_true(cores_are_wanted());
	if (usable_cores() > 1) {
		cores_give_back(&s, 1);
		assert_true(ask(&a, 't').launcher);
		assert_false(cores_are_wanted());
	}
	kill_other(&a);
	assert_false(cores_are_wanted());
	cores_give_back_all(&s);
	assert_int_equal(s.cores, 0);
}

static void slurm_limits_cores(void **state)
{
	(void)state;
	setenv("SLURM_CPUS_PER_TASK", "1", 1);
	assert_int_equal(usable_cores(), 1);
	unsetenv("SLURM_CPUS_PER_TASK");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_core_is_had_twice),
		cmocka_unit_test(who_lacks_a_core_is_seen), cmocka_unit_test(slurm_limits_cores)};

	return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
