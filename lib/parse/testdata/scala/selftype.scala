package shelf

object Shelf {
  /** Reads books. */
  trait Reader[F[_], A] { _: Book[F, A] =>
    protected def read(name: String): F[Output[A]] =
      F.raise(name)

    def pages(book: Book): Gen[Int] = for {
      page ← book.pages
    } yield page match { case p ⇒ p }
  }

  def last = 1
}
