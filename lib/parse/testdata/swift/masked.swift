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

/// Reads pages.
struct PageReader {
    var consume = 1

    func push(page: __owned Any, state: Any = (), last: Int) async {
        if let page = try page {
            switch await state { case 1: break; default: break }
        }
        if await shelf?.isFull ?? false { return }
        self.consume = try await load() ?? ()
        for try await page in pages { read(page) }
    }

    func after() {}
}
