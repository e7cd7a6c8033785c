#define EXPORTED __attribute__((visibility("default")))
#define DEFINE_SETTER(name) void set_##name(int v) { name = v; }

EXPORTED void first(void) { }

EXPORTED static int
second(int a)
{
    return a;
}

DEFINE_SETTER(speed)
DEFINE_SETTER(size)

/* Behind macros that look like declarations. */
int third(void) { return 3; }

#if defined(A)
static int fourth(int a) {
#else
static int fourth(int a, int b) {
#endif
    if (a) {
#ifdef B
        return 1;
    } else {
#endif
        return 2;
    }
}

int fifth(void
{
    return 5;
}

int sixth(void) { return 6; }
