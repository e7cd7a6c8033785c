/*
 * Licence text that belongs to nothing.
 */
package com.example.ledger;

import static java.util.Map.Entry;
import static java.util.stream.Collectors.*;

import java.util.*;
import java.util.function.Supplier;

/**
 * A book of accounts.
 *
 * @param <T> what is booked
 */
@SuppressWarnings({"unchecked", "rawtypes"})
public abstract class Ledger<T extends Comparable<T> & Cloneable> extends AbstractList<T>
    implements Entry<String, T>, java.io.Serializable {

  /** The version of the format. */
  private static final long serialVersionUID = 1L;
  final static protected String[] NAMES = {"a", "b"}, OTHERS[] = {};
  static int count; // how many there are
  @Deprecated public volatile Map<String, List<? super T>> open = new HashMap<>(), closed;

  /** Compares by amount. Its members stand below it. */
  static final Comparator<Object> BY_AMOUNT =
      new Comparator<Object>() {
        int calls;

        @Override
        public int compare(Object a, Object b) {
          return 0;
        }
      };

  protected final Supplier<Integer> lazy =
      () -> {
        int local = 3;
        class Helper {
          int run() {
            return local;
          }
        }
        return new Helper().run();
      };

  static {
    int i = 0;
    new Thread() {
      @Override
      public void run() {}
    }.start();
  }

  {
    count++;
  }

  /** Opens an empty ledger. */
  protected Ledger() {
    super();
  }

  <U> Ledger(U first, T... rest) throws Exception {}

  /**
   * Books an amount.
   *
   * <pre>{@code
   *   book(1);
   * }</pre>
   */
  @Override
  @Audited(by = "x")
  // between
  public synchronized <U extends T> Optional<U> book(final @NonNull U amount, int... more)
      throws IllegalStateException {
    int local = 1;
    record Pair(int left, int right) {
      static int made;
    }
    return new Wrapper<U>() {
      int kept;

      Optional<U> wrap() {
        return Optional.empty();
      }
    }.wrap();
  }

  abstract int total()[];

  public static native void flush();

  // ---- types ----

  /** How an entry counts. */
  public enum Side implements Supplier<Integer> {
    /** Left. */
    DEBIT("d") {
      /** Minus one. */
      @Override
      public Integer get() {
        return -1;
      }
    },
    CREDIT, // right
    @Deprecated
    NONE("n", 3);

    private final String code;

    Side(String... code) {
      this.code = code[0];
    }

    public Integer get() {
      return 1;
    }
  }

  public sealed interface Rule<R> extends Supplier<R> permits Strict, Lax {
    int LIMIT = 10, STEP = 2;

    R apply(Ledger<?> l);

    default void check() {}

    static Rule<Void> none() {
      return null;
    }

    private void hidden() {}

    class Report {
      int pages;
      public int lines;
    }
  }

  interface Quiet {
    void sleep();
  }

  /** An entry. */
  public record Posting<V>(@NonNull V value, /* when */ long time) implements Rule<V> {
    static final int SIZE = 16;

    public Posting {
      Objects.requireNonNull(value);
    }

    Posting(V value) {
      this(value, 0);
    }

    public V apply(Ledger<?> l) {
      return value;
    }
  }

  /** Marks what is audited. */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Audited {
    /** Who did it. */
    String by() default "nobody";

    int[] levels() default {};

    long SINCE = 5;

    enum Level {
      LOW
    }
  }

  private final class Secret {
    public int exposed;
  }

  void yield_() {}
}

class Strict {}
