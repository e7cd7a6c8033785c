package shop.till

import shop.stock.*
import shop.money.vat
import shop.people.Clerk as Person
import shop.stock.Shelf.Companion.EMPTY

class References<T : Item>(private val clerk: Person, sizes: List<Int>, val store: Store? = null) : Base<T>(clerk), Named {
  private val shelves: Map<String, Shelf> = mutableMapOf()
  private val till = Till(clerk)
  private var spare: Till? by lazy { Till(clerk) }
  val ready get() = till.isOpen()

  constructor(clerk: Person) : this(clerk, listOf())

  init { till.open() }

  override fun <R> find(key: String, of: T?): List<Item> {
    val shelf = shelves[key] ?: return emptyList()
    val made = Shelf.Item<String>(key)
    made.price()
    for (item in shelf.items()) item.sell()
    for ((name, item) in shelf.named()) item.sell(name)
    shelf.items.map { it.price() }.filter { item: Item -> item.good() }.map(::vat)
    shelf.items.map(Item::price)
    store?.lock()?.hold()
    clerk!!.greet()
    if (of is Priced<*>) of.raise()
    try { till.close() } catch (e: IOException) { e.report() }
    key matches shelf
    with(clerk) { rest() }
    val (first, second) = pair()
    (of as Shelf).items()
    this.till.close(); super.find(key, of)
    val named = object : Named { override fun name() = label(key) }
    return named.all()
  }
}

fun Shelf.sum(by: (Item) -> Int): Int = items().sumOf(by) + this.size()
fun String.shelf() = Shelf.of(this)
interface Deep : Named, Other<Item> { fun one(): Item }
object Single : Base<Item>(), Named
val EMPTY = Shelf()
@Tagged(Kind::class) enum class Kind(val till: Till) : Named { ONE(Till(null)), TWO }
class Wrapped(val inner: Named) : Named by inner
