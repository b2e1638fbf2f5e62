/* Cleanups that run before a signal ends the process: the terminal's modes, temporary folders, a compiler at work. */
#ifndef BASE_HOST_FATAL_SIGNALS_H
#define BASE_HOST_FATAL_SIGNALS_H

/* Called in a signal handler, so it may use async-signal-safe calls only. The last one added is called first. */
typedef void fatal_cleanup(void);

/* Catches each signal that ends a process by default and is not ignored. After the cleanups the signal takes its usual
 * course. Call it once, in the main thread; until then the functions below have no effect. */
void fatal_signals_catch(void);

/* At most 8 at a time. Adding one that is there already does nothing. */
void fatal_signals_add(fatal_cleanup *f);
void fatal_signals_remove(fatal_cleanup *f);

/* Runs the cleanups, each once; for a handler of the caller's own that ends the process. */
void fatal_signals_run_cleanups(void);

#endif
