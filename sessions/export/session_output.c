#include "sessions/export/session_output.h"

#include "base/atomic_file.h"
#include "base/printable_output.h"
#include "sessions/export/exporters.h"
#include "sessions/session.h"

/* Other exports are overwritten, as usual with -o. */
static bool file_holds_session(const char *path)
{
	json_t *header = session_read_header(path);
	json_decref(header);
	return header;
}

static void print_output_into(FILE *file, const void *ctx)
{
	struct session_output to = *(const struct session_output *)ctx;
	to.file = printable_stream_open(file);
	session_output_print(&to);
	fclose(to.file);
}

bool session_output_write(const struct session_output *o, const char *path, struct err *e)
{
	if (file_holds_session(path))
		return err_set(
			e, ST_REQUEST, "%s is a recorded session and is not overwritten; choose another file", path);
	return file_write_atomic(path, print_output_into, o, "; choose another file", e);
}

void session_output_print(const struct session_output *o)
{
	exporter_at(o->format)->write(o);
}
