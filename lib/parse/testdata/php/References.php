<?php
namespace App\Http;
use A\B\C;
use A\D as E, F;
use function G\h;
use X\{Y, Z as W, function k};
require_once __DIR__ . '/a/b.php';
interface I extends J, \K\L {}
#[Attr(1)]
abstract class Foo extends Base implements I, \Countable {
    use T1, \Ns\T2;
    private ?Store $store = null;
    public array $xs;
    public function __construct(protected Logger $logger, private int $n = 1, ?Req $r = null) {
        $this->cache = new Cache($r->get('x'));
        parent::__construct();
        self::make()->run(static::$inst->go());
        \strlen("x");
        sub\fn1();
        $x = $this->store->find(1);
        $x?->save();
        foreach ($this->xs as $k => $v) { $v->y(); }
        foreach (E::all() as $e) $e->z();
        try { throw new \RuntimeException(); } catch (FooEx | BarEx $ex) { $ex->m(); }
        $f = function (Bar $b) use ($x) { return $b->c($this->logger->info("x")); };
        $g = fn(Baz $z) => $z->q();
        $z->nope();
        if ($x instanceof Qux) echo Foo::BAR, Pop::$x;
        (new Cache)->clear();
        app(Foo::class)->bar();
    }
    public static function make(): static { return new static; }
    public function s(): ?Store { return $this->store; }
}
