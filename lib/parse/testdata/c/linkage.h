/* A header of C that C++ may include: see class Foo of namespace x. */
#ifndef LINKAGE_H
#define LINKAGE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque. */
typedef struct engine engine;

engine *engine_new(void);

/* Is here for speed, and seen by who includes the header. */
static inline int engine_ready(engine *e) { return e != 0; }

#ifdef __cplusplus
}
#endif

#endif

LINK_EXTERN LINK_SIZE(2) void *engine_malloc(int n, int size);

enum engine_option {
    ENGINE_OLD LINK_DEPRECATED("now") = 3,
    OPTION(ENGINE_FUEL, TYPE_LONG, 1),
    OPTION(ENGINE_SPEED, TYPE_LONG, 2)
};

LINK_STATIC engine *engine_find(engine *LINK_NONNULL from, int id LINK_UNUSED) { return from; }

#if LINK_INCLUDE(<engine/more.h>)
#define LINK_MORE 1
#endif
