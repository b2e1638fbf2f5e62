/* Export format "svg": a picture with its metadata. */
#include "sessions/export/exporters.h"
#include "sessions/export/svg_picture.h"

/* A session with nothing to draw gives a picture with that message. */
void svg_export(const struct session_output *o)
{
	struct buf b = {0};
	buf_puts(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	if (!svg_append_picture(&b, o, true))
		buf_puts(&b,
			"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"500\" height=\"40\"><text x=\"12\" y=\"24\">this session has no points to draw</text></svg>\n");
	fputs(b.data, o->file);
	buf_free(&b);
}
