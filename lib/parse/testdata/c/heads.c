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
