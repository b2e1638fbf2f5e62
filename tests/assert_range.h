/* assert_uint_in_range of cmocka 2, also with cmocka 1, whose assert_in_range cmocka 2 deprecates. */
#ifndef TESTS_ASSERT_RANGE_H
#define TESTS_ASSERT_RANGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#ifndef assert_uint_in_range
#define assert_uint_in_range assert_in_range
#endif

#endif
