/* A page on the local network where phones vote: one question at a time, one vote a device (vote_box.h). libmicrohttpd
 * serves it, in a thread of its own; it is loaded when the server starts. The server accepts connections only at the
 * address that the lecturer has confirmed, answers only requests for that address, limits how often a device may ask,
 * and how long a request may take. The votes are in a box that stays when the server stops. */
#ifndef TUI_CLASSROOM_VOTE_SERVER_H
#define TUI_CLASSROOM_VOTE_SERVER_H

#include <stddef.h>

#include "base/err.h"
#include "tui/classroom/vote_box.h"

enum {
	VOTE_REQUESTS_MAX = 60, /* of one device, in VOTE_WINDOW_MS */
	VOTE_NEW_MAX = 300,     /* of all browsers without a cookie at one address, in VOTE_WINDOW_MS */
	VOTE_WINDOW_MS = 60000,
	VOTE_REQUEST_MS = 10000 /* from the connection to the end of the answer */
};

struct vote_server;

/* "ADDRESS:PORT", an IPv4 address of this machine; port 0 takes a free one. Borrows the box. NULL with an error.
 * vote_server_stop. */
struct vote_server *vote_server_start(const char *where, struct vote_box *box, struct err *e);
void vote_server_stop(struct vote_server *s);             /* NULL has no effect */
const char *vote_server_url(const struct vote_server *s); /* "http://192.168.1.5:8080/" */

/* The first IPv4 address of this machine that is not the loopback, with a port: "192.168.1.5:8080"; without a network
 * "127.0.0.1:8080". */
void vote_server_suggest_address(char *out, size_t size);

#endif
