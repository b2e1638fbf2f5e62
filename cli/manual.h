/* The manual, made of the program's tables: commands, settings, actions and their keys, roles, script lines.
 *
 * The program's English texts, for whoever translates them: hints and help of actions in keymap.h and keys_*.h,
 * view_table.h, settings.h, roles in theme.h, script lines in screen_script.c, commands in cli_commands.c, sections
 * here. What is said while it runs stands where it is said: the texts of err_set, app_show_message, log_printf,
 * input_line_open and the area_ functions. Experiments and lessons are files of their own. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include <stdbool.h>

/* One topic as text on standard output; false when there is none of that name. */
bool manual_print_topic(const char *name);
/* All topics with what they are about; NULL behind the last. */
const char *manual_topic_name(int i, const char **about);
/* All of it as roff on standard output. */
void manual_print_roff(void);

#endif
