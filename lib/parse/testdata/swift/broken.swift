/// Stays.
func before() {}

struct Shelf {
    func first() {}
    func (x) -> {
    }
    let =
    func last() {}
}

/// Also stays.
func after() {}
