/* New files with names that are not taken. */
#ifndef SESSIONS_RECORD_NUMBERED_FILE_H
#define SESSIONS_RECORD_NUMBERED_FILE_H

/* Creates FOLDER/NAME.SUFFIX, or FOLDER/NAME-2.SUFFIX and so on if that exists, and opens it to append; `suffix` has
 * the dot. *path is the last name that it tried, which the caller frees. Returns the descriptor; -1 with errno. */
int numbered_file_create(const char *folder, const char *name, const char *suffix, char **path);

#endif
