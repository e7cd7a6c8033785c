#include "table.h"
#include <sys/stat.h>

#define WRAP(call) wrapped(call, inner(1))

typedef struct entry {
    key_t key;
    struct table *owner;
    int (*compare)(const struct entry *, size_pair);
} entry;

static const struct command commands[] = {
    { "get", command_get },
    { .name = "set", .run = command_set },
};

static int visit(struct table *t, visitor_fn fn, int (*each)(entry *)) {
    entry *e = table_first(t), first[2];
    size_pair *pair = (size_pair *)allocate(sizeof(size_pair));

    WRAP(table_next(t));
    t->callback(e);
    t->entries[0].compare(e, *pair);
    each(e);
    (*each)(e);
    (table_lock)(t);
    if (visit(t, fn, each) && checked(e)) return table_free(t);
    *pair = (size_pair){ 1, 2 };
    return fn(e, commands);
}

visitor_fn visitor(void) { return visit; }
