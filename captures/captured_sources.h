/* The sources of captured kernels: the files that the line tables of their code objects name. */
#ifndef CAPTURES_CAPTURED_SOURCES_H
#define CAPTURES_CAPTURED_SOURCES_H

#include <jansson.h>
#include <stdbool.h>

/* Copies them to sources/ in the folder, apart from files of the system, and from files that are large or that are not
 * text. Adds to each launch "source", the kernel's file there, if it has one. A list of {"path", "file"}; an empty one
 * if they are not wanted. */
json_t *captured_sources_collect(const char *folder, json_t *launches, bool wanted);

#endif
