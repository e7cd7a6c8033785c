import Foundation
import class UIKit.UIView

public class Shelf<T: Item>: Base, Named {
    let first: Book
    var rest: [Book]?
    weak var owner: Owner?
    lazy var index = Index(of: 1)

    init(first: Book) {
        self.first = first
        super.init()
    }

    func open(_ reader: Reader, at place: Place) throws -> Page {
        let page = try first.page(1).turned()
        let copy: Page = reader.read()
        var other = Book(title: "x")
        page.close()
        copy.close()
        other.open()?.close()
        rest?[0].open()
        Shelf.shared.sort()
        guard let o = owner else { return page }
        o.notify()
        for book in all() { book.open() }
        visit { item in item.close() }
        return Page<Book>(1)
    }

    var total: Count { return first.count() }
    static func make() -> Shelf { return Shelf(first: Book()) }
}

extension Shelf: Printable {
    func show() { open(Reader()) }
}

protocol Named: Identified {
    func rename(to name: Name) -> Self
}

func free(with shelf: Shelf) -> some View { Text("x").bold() }
