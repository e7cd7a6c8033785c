from __future__ import annotations

import os.path
import a.b as c, d
from . import x
from ..y.z import w as v, u
from q import *
from typing import Optional, List
import typing as t

app = Flask(__name__)


@app.route("/")
@cached
def index(request: "Request", *args: int, node=Node(), **kw) -> Optional[Response]:
    s = request.session
    s.get("x").strip()
    for item in s.items:
        item.run()
    ys = [z.go() for z in s.all if z.ok()]
    f = lambda k: k.call()
    with open("f") as file, Lock() as (l):
        file.read()
    try:
        raise ValueError
    except (KeyError, os.error) as e:
        e.args()
    except TypeError as g:
        g.m()
    cb = get_cb()
    cb()
    if (m := find(s)) and isinstance(m, (Foo, t.Bar)):
        m.group()
    return super(A, self).foo()


class A(B, c.D, Generic[T], metaclass=Meta):
    x: int = 1
    y: Dict[str, List[Foo]] = field(default_factory=Foo)
    store: Store | None = None
    opt: t.Optional[t.List[Baz]]

    def __init__(self, a: Alpha, b=None):
        self.a = a
        self.b = b or Beta()
        self.c = C() if a else None
        self._e: Eps = None
        self.a.run().b[0].c()
        super().__init__(a)
        self.__class__.make()

    @classmethod
    def make(cls):
        return cls(1)

    @property
    def p(self) -> Store: return self.store

    def q(self, k):
        self.p.get(k)
        "".join(x)
        (await self.a).b()
        match k:
            case Point(x=0): pass
        A.make().q(1)
        return self

    def made(self):
        if self.x:
            return None
        value = Gamma(self)
        return value

    def each(self):
        yield Delta()
