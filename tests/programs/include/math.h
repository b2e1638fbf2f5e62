/* csmith programs with floats include <math.h>, but use only what csmith.h provides. A GPU has no C library. */
