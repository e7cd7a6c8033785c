<?php

declare(strict_types=1);

/**
 * The licence of the file.
 */

namespace Shop\Stock;

use ArrayAccess;
use Shop\Contracts\Shelf as ShelfContract;
use Shop\Support\{Arr, Str as Text, Deep\Path};
use function Shop\helper, strlen;
use const Shop\LIMIT;

require_once __DIR__ . '/../bootstrap.php';
include 'helpers.php';

const VERSION = '1.0', BUILD = 7;
define('SHOP_ROOT', dirname(__DIR__));

/** The registry of all. */
$registry = new Registry();
$registry = null;
$handler = function (int $n) use ($registry): int {
    $inside = $n;
    return $inside;
};
$twice = fn ($x) => $x * 2;
[$left, $right] = [1, 2];

/**
 * What a shop holds.
 *
 * @template T of Item
 */
#[Entity(table: 'stores')]
#[Deprecated]
abstract class Store extends Base implements ArrayAccess, ShelfContract
{
    use Countable, Logs {
        Logs::write as protected traced;
    }

    /** How many fit. */
    public const CAPACITY = 12;
    private const int SPARE = 3, MORE = 4;

    /**
     * The items by name.
     *
     * @var array<string, Item>
     */
    protected array $items = [];
    public static ?self $instance = null, $other;
    var $old;
    public private(set) string $state = 'open';

    public string $label {
        get => $this->state;
        set (string $value) {
            $this->state = $value;
        }
    }

    /**
     * Makes a store.
     */
    public function __construct(
        /** Where it stands. */
        private readonly Path $path,
        protected int $size = 10,
        string $note = '',
    ) {
        parent::__construct($note);
    }

    /** Above the attribute. */
    #[Pure] #[Cached(ttl: 60)]
    public function find(string $name, ?int $limit = null): ?Item
    {
        $callback = function (Item $item) use ($name) {
            return $item->name === $name;
        };
        function nested_helper(): void
        {
        }
        $local = 1;

        return $this->first($callback);
    }

    #[Pure]
    // Between attribute and method.
    final protected static function &make(self|Base|null ...$parts): static
    {
        return new class($parts) extends Base {
            private $parts = [];

            public function hidden(): void {}
        };
    }

    abstract protected function sort(callable $by): void;

    private function list() { return <<<TEXT
        class NotHere { function nor_here() {} }
        TEXT; }
}

interface Countable extends \Countable
{
    const ZERO = 0;

    public function count(): int;
}

trait Logs
{
    private static $lines = [];

    public function write($line) { static $times = 0; }
}

enum Suit: string implements HasLabel
{
    /** Red. */
    case Hearts = 'H';
    case Spades = 'S'; // black

    const Wild = self::Spades;

    public static function parse(string $s): self { return self::from($s); }
}

if (! function_exists('shop_path')) {
    // The path of the shop.
    function shop_path($path = '') { return SHOP_ROOT . $path; }
}

return [
    'key' => 'value',
];
