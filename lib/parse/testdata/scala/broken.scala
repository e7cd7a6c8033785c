package broken

class Before {
  def one = 1
  val x = = 3

  /** Stays. */
  def two(a: Int): Int = {
    a match {
      case 1 => (
    }
  }
}

object After {
  def three = 3
}
