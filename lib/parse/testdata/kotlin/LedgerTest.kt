package com.example.ledger

import kotlin.test.Test

class LedgerTest {
  private val ledger = Ledger()

  @BeforeTest fun setUp() {}

  @Test
  fun `books an amount`() = runTest {
    val amount = 1
    assertEquals(1, ledger.book(amount))
  }

  @ParameterizedTest
  @ValueSource(ints = [1, 2])
  fun many(n: Int) {}
}
