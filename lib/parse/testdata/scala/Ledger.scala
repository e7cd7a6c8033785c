/*
 * Licence text that belongs to nothing.
 */
package com.example
package ledger

import java.util.{Map => JMap, UUID, _}
import scala.collection.mutable, cats.syntax.all._
import scala.annotation.tailrec

/** A book of accounts.
  *
  * @tparam A what is booked
  */
@SerialVersionUID(1L)
abstract class Ledger[+A <: AnyRef, F[_]](val owner: String, private var count: Int = 0, hint: Int)(implicit
    ord: Ordering[A]
) extends Base[A](owner)
    with Serializable { self: Audited =>

  /** How many there are. */
  val size, limit: Int = 10
  var open = Map.empty[String, A] // not closed
  lazy val total: Int = {
    val local = 1
    def fold(n: Int): Int = n
    local
  }
  val (first, second: Int) = (1, 2)
  val Some(third) = Option(3)
  protected val secret: String
  private[ledger] var state: Int

  type Entry = (String, A)
  type Rule[X] >: Null <: AnyRef
  type Lambda = ({ type L[X] = Either[String, X] })#L[Int]

  def this(owner: String) = this(owner, 0, 1)

  /** Books an amount.
    *
    * {{{
    * book(1)
    * }}}
    */
  @tailrec
  @deprecated("use put", since = "1.1")
  // between
  final def book[B >: A](amount: B, more: Int*)(implicit ev: B =:= A): Either[String, B] = {
    val inBlock = 1
    class Local { def run(): Unit = () }
    object Inner
    amount match {
      case x: String =>
        val inCase = x
        Left(inCase)
      case other => Right(other)
    }
  }

  def total_=(n: Int): Unit
  def +=(amount: A): this.type = this
  def unary_! : Boolean = false
  def `odd name`: Unit = println("def notHere = 1")
  private def hidden() { count += 1 }
  def structural(x: { def close(): Unit }): Unit

  implicit val ordering: Ordering[A] = new Ordering[A] {
    private val seed = 3
    type Key = Int

    /** Compares. */
    def compare(a: A, b: A): Int = 0
  }

  if (limit > 3) {
    val inIf = 3
  }

  // ---- types ----

  sealed trait Side { def sign: Int }
  case object Debit extends Side { val sign = 1 }
  private class Hidden { def exposed = 1 }
}

object Ledger extends App {
  final val Max = 3
  implicit class RichInt(val n: Int) extends AnyVal { def booked: Int = n }
  def apply[A](x: A): Ledger[A, List] = ???
}

/** An entry. */
final case class Posting[V](value: V, @nowarn private val time: Long = 0)
case class Wrapped private (inner: Int)(implicit val more: Int)

package object extras {
  type Id[A] = A
  val empty = ""
  def none: Int = 0
}

trait Empty

/** Has a base with several lists of arguments. */
class Journal(val owner: Int)
  extends Base[Int](owner)(Codec.of[Int](1))(_ + 1)
  with Notes[Int, String] {
  def size = entries.foreach { _ => }
}
