/* `wavedeck --script FILE`: the screen driven by names and dumped as text, without a terminal.
 *
 *   size 80x24                 before the first dump; 80x24 unless said otherwise
 *   glyphs ascii|unicode       else by the locale
 *   experiment ID              chooses and measures it
 *   action NAME [ARGUMENT]     of the keys table (the help view lists them): action param-more stride
 *   key NAME                   Left, Tab, Space, q ...
 *   type TEXT                  into the line being typed
 *   wait sweep|device|telemetry|idle|beside|sessions [SECONDS]   up to a minute, or so long; idle: no sweep runs or is about to; beside: nor anything that a
 *                              lesson or the device view measures
 *   wait MS
 *   expect TEXT                the screen must hold it, else the script ends with status 1
 *   dump [FILE]                the screen as text, to standard output
 *   # comment
 */
#ifndef TUI_SCRIPT_H
#define TUI_SCRIPT_H

int script_main(const char *file, const char *device);   /* "-": standard input. Returns an exit status. */

#endif
