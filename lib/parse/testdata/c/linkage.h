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
