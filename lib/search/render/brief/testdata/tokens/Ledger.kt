@file:JvmName("Ledgers")

/*
 * Licence text that belongs to nothing.
 */
package com.example.ledger

import com.example.util.*
import java.io.File as JavaFile
import kotlin.math.max

/** What is called when something is booked. */
typealias Listener<T> = suspend (T) -> Unit

/** The greatest amount. */
const val LIMIT = 10
val started: Long = System.nanoTime() // when it began
internal var debug = false
private val (left, right) = 1 to 2
val cache by lazy {
  val local = mutableMapOf<String, Int>()
  fun fill() {}
  local
}
val handler = { n: Int ->
  val inLambda = n
  inLambda
}

/** The last one. */
val <T> List<T>.last2: T
  get() = this[size - 1]

val String.shout: String get() = uppercase()

/** Adds [other]. */
operator fun Amount.plus(other: Amount): Amount = this
infix fun <K, V> Map<K, V>?.or(other: Map<K, V>): Map<K, V> = this ?: other
suspend inline fun <reified T : Any> load(crossinline make: () -> T): T where T : Comparable<T> {
  val local = make()
  val in1 = local
  in1.hashCode()
  fun nested(n: Int) = n
  class Helper {
    fun help() {}
  }
  return local
}
fun (() -> Unit).twice() {}
private fun hidden() = object : Runnable {
  val seen = 1
  override fun run() {}
}
expect fun platform(): String
fun `quoted name`() {}

/**
 * A book of accounts.
 *
 * @param T what is booked
 */
@Suppress("unused")
@Serializable
abstract class Ledger<T : Comparable<T>> @Inject internal constructor(
  /** Whose it is. */
  val owner: String,
  private var count: Int = 0,
  hint: Int, // no property
) : Base<T>(owner), Reader by Reader.Default {

  /** How many there are. */
  protected abstract val size: Int
  lateinit var state: String
  var total: Int = 0
    get() = field + 1
    private set(value) {
      field = value
    }
  @JvmField @Volatile var open: List<T>? = null

  init {
    val inInit = 1
  }

  /** Opens it without an owner. */
  constructor() : this("", 0, 1)

  private constructor(n: Int) : this() {
    val inConstructor = n
  }

  /**
   * Books an [amount].
   */
  @Throws(IOException::class)
  override fun book(amount: T, vararg more: Int): T? = null
  internal open fun audit() {}
  fun String.inside(): Int = 1

  private companion object {
    const val SIZE = 3
    fun create(): Int = 1
  }

  inner class Page(val number: Int)
}

class Factory {
  /** Makes ledgers. */
  companion object {
    @JvmStatic fun make() {}
    private val made = 1
  }
}

class Named {
  companion object Keys : Base() {
    val key = "a"
  }
}

/** How an entry counts. */
enum class Side(val code: String) : Signed {
  /** Left. */
  DEBIT("d") {
    override fun sign() = -1
  },
  @Deprecated("no") CREDIT("c"), // right
  NONE("n");

  val short = code.take(1)
  abstract fun sign(): Int
}

sealed interface Rule {
  data class Strict(val level: Int) : Rule
  data object Lax : Rule
}

fun interface Check { fun run(): Boolean }
annotation class Audited(val by: String = "nobody")

@Target(AnnotationTarget.CLASS)
annotation class Marker

@Audited("x")
class Bare

@JvmInline value class Amount(private val cents: Long)

object Registry : Base() {
  val entries = mutableListOf<Int>()
  fun add(n: Int) {}
}
