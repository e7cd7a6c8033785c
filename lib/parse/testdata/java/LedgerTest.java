package com.example.ledger;

import org.junit.jupiter.api.Test;

/** Tests of {@link Ledger}. */
class LedgerTest {
  private Ledger<String> ledger;

  @BeforeEach
  void setUp() {}

  @Test
  @DisplayName("books")
  void books() {
    class Local extends Ledger<String> {
      private int seen;

      @Override
      public int total() {
        return 1;
      }
    }
    Runnable r = new Runnable() {
      public void run() {}
    };
    Runnable s = () -> assertEquals(1, new Local().total());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void many(int n) {}

  static int helper() {
    return 1;
  }
}
