/*
 * The licence of the file is no documentation.
 */

#include <stdio.h>
#include "queue.h"

/* The longest name. */
#define MAX_NAME 64
#define SQUARE(x) ((x) * (x)) /* not for side effects */
#define SWAP(a, b) do { \
    int swap_tmp = (a); (a) = (b); (b) = swap_tmp; (void)"a body that is much too long to be read with the signature"; \
    (void)"and goes on here for some more words"; \
} while (0)

struct later;
extern int elsewhere;
int prototype(int a, char *b);

/* A node of the queue. */
typedef struct node {
    int value;
    struct stamp { long at; } made; /* nested, and no field */
    struct node *next;
#define NODE_EMPTY 0
} node_t, *node_p;

/**
 * @brief Has no tag.
 */
typedef struct {
    int width;
    int height;
} size_pair;

typedef enum { LOW, HIGH = 2 /* far */ } level;

// Colours have
// two lines.
enum colour {
    RED,        /* hot */
    GREEN = 5,
    BLUE        // cold
};

union number { int i; double d; };

typedef unsigned long word_t;
typedef int8_t small;
typedef int (*compare_fn)(const void *, const void *);
typedef void handler(int);
typedef char name_t[MAX_NAME];
typedef struct later later;

/* Limits. */
static const int limit = 3;
const double pi = 3.14, e = 2.71;
static const char *const days[] = { "Mon", "Tue" };
int counter; /* of calls */
static char *buffer = NULL, other[16];
struct point { int x, y; } origin = { 0, 0 };
static struct { int open; } state;
int (*hook)(int) = 0;
size_pair grid[2][2];

/* Adds. */
int add(int a, int b)
{
    int local = a;
    static int calls;
    struct inside { int z; } s;

    calls++;
    return local + b + s.z;
}

static inline char *
joined(const char *a,
       const char *b) /* may be NULL */
{
    return (char *)a;
}

node_t **all(void) { return 0; }
int (*chosen(int kind))(int) { return hook; }
void (parenthesised)(int a) { }
__attribute__((noreturn)) void die(const char *why) { }

/* The old way. */
int old(a, b)
    int a;
    char *b;
{
    return a;
}

#ifdef WITH_EXTRA
/* In a condition. */
void extra(void) { }
#else
void extra(void) { counter = 1; }
#endif

int main(int argc, char **argv) {
    if (argc > 1) { die(argv[1]); }
    return 0;
}

int bounded(void) {
#define BOUND 3
    return BOUND;
#undef BOUND
}

#define OPEN 1 /* may be read */
#define CLOSED 2
#define CALL(x) x /* no constant */

/*
** Has two stars
** on a line.
*/
int starred(void) { return 0; }
