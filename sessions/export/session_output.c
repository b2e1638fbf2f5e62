#include "sessions/export/session_output.h"

#include "base/atomic_file.h"
#include "base/printable_output.h"
#include "gpu/protocol/record.h"
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

const char *session_output_note(const struct session_output *o, size_t i)
{
	return i < json_array_size(o->notes) ? record_get_text(json_array_get(o->notes, i), "text") : NULL;
}

void session_output_print(const struct session_output *o)
{
	exporter_at(o->format)->write(o);
}
