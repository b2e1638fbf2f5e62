/* The open connections of a server, each with a limit of time. A client that sends its request byte by byte would else
 * hold a connection for good, and a few such clients all of them. */
#ifndef TUI_CLASSROOM_OPEN_CONNECTIONS_H
#define TUI_CLASSROOM_OPEN_CONNECTIONS_H

#include <netinet/in.h>

enum { OPEN_CONNECTIONS_MAX = 400 };

struct open_connections;

/* Shuts each connection down `limit_ms` after it was added, in a thread of its own; the oldest ones earlier when few
 * places are left. NULL if there can be no thread. open_connections_stop. */
struct open_connections *open_connections_start(int limit_ms);
void open_connections_stop(struct open_connections *o); /* NULL has no effect */

/* The caller owns the socket. It removes the socket before it closes it. If the address of its client has `most` open
 * connections already, the oldest of them is shut. */
void open_connections_add(struct open_connections *o, int fd, in_addr_t address, int most);
void open_connections_remove(struct open_connections *o, int fd);

#endif
