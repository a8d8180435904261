/* Included before each source of QuickJS. It checks the depth of its calls everywhere but in WASI, where it would trap:
 * so the name of WASI is taken back once the headers that need it are read. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#undef __wasi__
/* Has `malloc_usable_size`, as WASI does. */
#define __GLIBC__ 2
