package com.example.ledger

import cats.syntax.all.*
import scala.util.{Try as Attempt, given}

/** How an entry counts. */
enum Side(val code: String):
  /** Left. */
  case Debit extends Side("d")
  case Credit, Neutral // right and none
  /** Anything else. */
  case Other(a: Int, b: Int) extends Side("o")

  def sign: Int = 1
end Side

/** Orders sides. */
given sideOrder: Ordering[Side] with
  def compare(x: Side, y: Side): Int = 0
  private val seed = 1

given Show[Side] with
  def show(s: Side): String = ""

given listOrder[T](using o: Ordering[T]): Ordering[List[T]] = ???
given Context = Context()

extension (s: Side)
  /** Turns it around. */
  def flip: Side = s
  private def half = 1

extension [T](xs: List[T])(using Ordering[T]) def largest: T = xs.max
extension (f: Int => Int) def twice(n: Int): Int = f(f(n))

opaque type Amount = Double
infix type or[A, B] = Either[A, B]

val top = 1
var changing = 2

inline def positive(inline x: Int): Boolean =
  val local = x
  def nested = local
  nested > 0

/** Shows. */
trait Show[A]:
  def show(a: A): String
  extension (a: A) def shown: String = show(a)

/** Books. */
class Book(pages: Int)(using ctx: Context) extends Paper, Printed derives Eq:
  private val cover = "hard"

  def read =
    new Reader:
      val mark = 1
      def next = 2

object Book:
  object Inner:
    val deep = 1

@main def run() = ()

export Book.*
