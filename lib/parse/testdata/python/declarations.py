#!/usr/bin/env python
"""Module docstring."""
from __future__ import annotations

import os.path as p, sys
from . import sibling
from ..pkg.mod import (a as b, c)

__all__ = ["Base"]
VERSION: str = "1.0"  # the version
LIMIT, other = 1, 2
lower = {"k": [1, 2,
               3]}
lower = None
value: int

if True:
    import json
    FLAG = 1
else:
    FLAG = 2

try:
    import fast
except ImportError:
    def fast(x): return x
    fallback = True


# Above the decorator.
@decorator
@other.decorator(
    arg=lambda x: x,
)
async def fetch(url: str,
                *, timeout: float = 1.0) -> dict[str, int]:
    """Fetch a thing.

    Indented more.
      And more.
    """
    LOCAL = 1
    local = 2

    def inner(x):
        'single quotes'
        return x

    class Local:
        attribute = 1

    return inner


class Base(object, metaclass=Meta):
    r'''Raw doc.'''

    CONSTANT = 1
    #: documented attribute
    attribute: int = 2

    def __init__(self): self.x = 1

    # Comment doc
    @property
    def name(self):
        return self._name

    @name.setter
    # Between.
    def name(self, v): pass

    @overload
    def f(self, a: int) -> int: ...
    @overload
    def f(self, a: str) -> str: ...

    def _private(self):
        # no docstring
        pass

    class Nested[T]:
        def method(self): pass

    if sys.version_info > (3,):
        def conditional(self): pass


@dataclass
class Data:
    x: int
    y: int = 0


class _Hidden: pass


def no_doc():  # trailing
    return 1


type Point[T] = tuple[T, T]
type Plain = int

square = lambda x: x * x
obj.attribute = 1
[first, *rest] = values
first = second = third = 0
MIN = LOW = 1
