import org.junit.Test

class LedgerTest extends munit.FunSuite {
  val ledger = Ledger("a")

  test("books") {
    val amount = 1
    def check(n: Int): Unit = assertEquals(n, amount)
    check(1)
  }

  @Test def plain(): Unit = ()
}
