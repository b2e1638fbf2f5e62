/* `wavedeck --script FILE`: the screen driven by names and dumped as text, without a terminal.
 *
 *   size 80x24                 before the first dump; 80x24 unless said otherwise
 *   glyphs ascii|unicode       else by the locale
 *   experiment ID              chooses and measures it
 *   action NAME [ARGUMENT]     of the keys table (the help view lists them): action param-more stride
 *   key NAME                   Left, Tab, Space, q ...
 *   mouse X Y [left|up|down]   a click, or the wheel, on that column and row
 *   theme NAME                 other colours
 *   type TEXT                  into the line being typed
 *   wait sweep|device|telemetry|idle [SECONDS]   up to a minute, or so long; idle: no sweep runs or is about to
 *   wait MS
 *   expect TEXT                the screen must hold it, else the script ends with status 1
 *   dump [FILE]                the screen as text, to standard output
 *   colours [FILE]             what each cell means: its role's letter (theme.h), a blank where there is nothing
 *   # comment
 */
#ifndef TUI_SCRIPT_H
#define TUI_SCRIPT_H

int script_main(const char *file, const char *device);   /* "-": standard input. Returns an exit status. */

#endif
