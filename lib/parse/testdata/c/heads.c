/* Functions headed by macros. */

PHP_METHOD(Store, open)
{
    opened(1);
}

PHP_METHOD(Store, close, int)
{
}

SYSCALL_DEFINE3(read, unsigned int, fd, char __user *, buf, size_t, count)
{
    return ksys_read(fd, buf, count);
}

static DEFINE_HANDLER(handle)
{
}

DEFINE_ALL()
{
}

double WRAP(cosine)(double x) { return x; }

typedef NS_ENUM(NSInteger, State) {
  StateOn = 1,
};

struct __packed header { int size; };

DRIVER(serial) = {
  .name = "serial",
};

static DEFINE_LOCK(lock);

_Success_(return) BOOL open_it(_In_ HANDLE handle, __out DWORD *size) { return 1; }

static int format(1, 2)
print(const char *text, ...) { return 0; }

char *name_of(path)
char *path;
{
  return path;
}

void keep(void) { A_TYPE template[] = { 1 }; }
