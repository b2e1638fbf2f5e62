/* csmith's programs with float name <math.h> and use nothing of it that include/csmith.h has not. A GPU has no C
 * library. */
