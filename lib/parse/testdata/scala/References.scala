package shop.till

import shop.stock._
import shop.money.{vat, Rates => Money, _}
import shop.people.Clerk
import java.util.List, scala.util.Try

class References[T <: Item](clerk: Clerk, val store: Option[Store] = None) extends Base[T](clerk) with Named with stock.Priced[T] {
  private val shelves: Map[String, Shelf] = Map.empty
  private val till = new Till(clerk)
  lazy val open = till.isOpen()

  def this(clerk: Clerk) = this(clerk, None)

  override def find[R](key: String, of: T)(implicit by: Order[T]): Seq[Item] = {
    val shelf = shelves(key)
    val made = new Shelf.Item[String](key)
    made.price()
    for (item <- shelf.items(); price = item.price()) yield item.sell(price)
    shelf.items.map(_.price()).filter(item => item.good()).map((i: Item) => i.price())
    store.foreach { s => s.lock() }
    of match {
      case p: Priced => p.raise()
      case Pair(left, right) => left.price()
      case other => other.rest()
    }
    Money.round[Int](vat(key))
    (of: Shelf).items()
    this.till.close()
    super.find(key, of)
    key matches shelf
  }
}

trait Deep[A] extends Named { def one(a: A): Item }
object References { def apply(clerk: Clerk): References[Item] = new References[Item](clerk) with Named { mark() } }
case class Pair(left: Item, right: Item) { def sum: Int = left.price() + right.price() }
