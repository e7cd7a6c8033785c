package broken

class Before {
  fun one() = 1
  val x = = 3

  /** Stays. */
  fun two(a: Int): Int {
    open = a
    return a
  }
}

fun after() {}

object After {
  fun three() = 3
}
