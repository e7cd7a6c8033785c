// Text that the grammar reads only with masks.
package p

@Preview
@Composable
private fun PreviewOrder() {
    Order()
}

@Preview(name = "a (b)", showBackground = true)
@Composable // c
internal suspend fun Two() {
}

@A @B
private const val x = 1

@Keep
@Serializable
enum class Level { LOW, HIGH }

@Keep @Serializable
internal enum class Level2 { LOW, HIGH }

/** Doc. */
@Keep
@Serializable
data class Level3(val a: Int)

@A @B private object Obj {
    private val z = 1
}

class Q
@VisibleForTesting
internal constructor(
    val name: String,
) : B() {
    fun inside() {}
}

class T : S {
    private val x = 1
        get() = field + 1
    @A
    @B
    private fun a() {
        val b = c
        get("/x") { call() }
        val d = listOf(
            1
        )
        set(1, 2)
        foo(
            get("a"),
        )
    }
    var y: Int = 2
        set(value) { field = value }
    fun after() {}
}
fun last() {}

class Closed private constructor(val a: Int) {
    val before = 1

    private companion object {
        fun hidden() {}
    }
}

class Session(val key: String, val path: String) {
    fun act(step: Step) = when (step) {
        Step.OPEN -> open(key)
        Step.SEAL -> sealed(key)
        is Step.Retry if step.count > 3 -> null
        is Step.Many<*> if step.count < 3 -> retry()
        else -> close()
    }

    val title: Int
        @Inline
        get() = 1

    fun show(head: @Composable (() -> Unit), body: @Composable (Row.() -> Unit) = {}, tail: @Composable () -> Unit) {
        override(head)
        protected(head)
        print($$"${server.port:#{null}}" + $$"""{"$schema": "${x:#{1}}"}""")
    }

    fun open(name: String) {}
    fun close() {}
}

class Nested {
  class Injected
  @Inject
  constructor(private val a: Int) : Any() {
    var width = 1; private set
    context(log: Log)
    fun first() = 1
  }

  @Marked(by = [])
  fun second() = 2
}

/** Delegates to the result of a call, behind which the body of the class stands. */
class Journal(val owner: Int) : Notes by Notes.of("a", owner), Closeable by Closer.none() {
    private var entries = 0
    val size: Int get() = entries
    val label: String by Labels.lazily() {
        val local = "label"
        local
    }

    companion object : Native by Native.load("journal") as Native {
        val instance = 1
    }
}

class Sized(val size: Size) :
    Notes by Notes.of("b", 1)
{
    var width: Int get() = size.width; set(width) { size = Size(width, height) }
    var height: Int get() = size.height; set(value) = resize(value)

    fun start() {
        suspend { run() }.startCoroutine()
    }
}

@OptIn(Unstable::class)
@Marked
internal val sizes: Sizes by lazy {
    Sizes()
}
