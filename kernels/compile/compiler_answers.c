/* An answer depends on the arguments, on the compiler and on the input. A file is the same if its inode, size and times
 * are. Only programs in machine code have answers in the cache: a script may call another compiler. Nor are failures
 * kept, which may have other reasons.
 *
 * A file in the cache begins with a line "ok", so that one that is empty after a crash of the machine does not count.
 */
#include "kernels/compile/compiler_answers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/host/child_program.h"
#include "base/input_file.h"
#include "base/paths.h"

enum { ANSWER_MAX = 4096 };
static const char mark[] = "ok\n";

static bool is_machine_code(const char *path)
{
	char start[4] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool yes = fd >= 0 && read(fd, start, sizeof start) == (ssize_t)sizeof start && !memcmp(start, "\177ELF", 4);
	if (fd >= 0)
		close(fd);
	return yes;
}

static bool hash_identity(uint64_t *h, const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return false;
	const uint64_t identity[] = {st.st_dev, st.st_ino, (uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec,
		(uint64_t)st.st_mtim.tv_nsec, (uint64_t)st.st_ctim.tv_sec, (uint64_t)st.st_ctim.tv_nsec};
	*h = hash_bytes(*h, identity, sizeof identity);
	return true;
}

/* The file in the cache; NULL: such an answer is not kept. The caller frees it. */
static char *answer_path(char *const argv[], const char *input)
{
	uint64_t h = HASH_START;
	if (!is_machine_code(argv[0]) || !hash_identity(&h, argv[0]) || (input && !hash_identity(&h, input)))
		return NULL;
	for (int i = 0; argv[i]; i++)
		h = hash_text(h, argv[i]);
	char *name = xasprintf("compilers/%016llx", (unsigned long long)h), *path = path_user_cache(name);
	free(name);
	return path;
}

static void print_answer(FILE *out, const void *ctx)
{
	const struct buf *answer = ctx;
	fputs(mark, out);
	if (answer->len)
		fwrite(answer->data, 1, answer->len, out);
}

static void keep_answer(const char *path, const struct buf *answer)
{
	char *folder = path_user_cache("compilers");
	if (path_make_directories(folder, NULL))
		file_write_atomic(path, print_answer, answer, "", NULL);
	free(folder);
}

/* Whether the cache has it. */
static bool load_answer(const char *path, struct buf *answer)
{
	const char *why;
	bool kept = input_file_read(path, ANSWER_MAX, answer, &why) && answer->len >= strlen(mark) &&
		!strncmp(answer->data, mark, strlen(mark));
	if (kept)
		buf_consume(answer, strlen(mark));
	else
		buf_clear(answer);
	return kept;
}

bool compiler_ask(char *const argv[], const char *input, struct buf *answer)
{
	struct buf own = {0};
	char *path = argv[0] ? answer_path(argv, input) : NULL;
	bool kept = path && load_answer(path, &own), ok = kept || child_succeeds(argv, &own);
	if (path && ok && !kept && own.len < ANSWER_MAX - strlen(mark))
		keep_answer(path, &own);
	if (answer && own.len)
		buf_add(answer, own.data, own.len);
	buf_free(&own);
	free(path);
	return ok;
}
