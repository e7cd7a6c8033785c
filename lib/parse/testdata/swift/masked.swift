/// What the grammar cannot read by itself.
open class Session: @unchecked Sendable {
    private nonisolated(unsafe) var value: Int = 0

    /// Runs it.
    func run<E>(isolation: isolated (any Actor)? = #isolation, _ body: sending () -> Int) throws(Failure) -> Int {
        if let found = try await load() { return found }
        promise.succeed(())
        report(value: (), error: nil)
        switch found { case .some: () // nothing
        }
        return unsafe value
    }

    func last() -> sending Int { 1 }

    #if canImport(Darwin) && !os(Linux) // where it is
    func native() {}
    #endif
}
