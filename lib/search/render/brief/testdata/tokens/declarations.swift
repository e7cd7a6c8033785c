import Foundation
@testable import struct Shop.Price
#if canImport(Darwin)
import Darwin
#endif

/// Where books stand.
///
/// Has floors.
@MainActor
@available(macOS 12, *)
public final class Shelf<T>: Base, Placed where T: Sendable {
    /// Books on it.
    @Published public private(set) var books: [T] = [] {
        didSet { let old = oldValue }
    }
    private let lock = Lock()
    let (width, height) = (1, 2)
    lazy var label: String = { let made = "x"; return made }()
    static let shared = Shelf()
    static var count: Int { 1 }
    var count: Int {
        get { let cached = 1; return cached }
        set { }
    }
    // Sizes.
    var one, two: Int

    /// Makes one.
    public init?(books: [T]) throws { }
    private convenience init() { }
    deinit { lock.unlock() }

    /// The book at a place.
    subscript(place: Int) -> T { books[place] }

    @discardableResult
    public func put(_ book: T, at place: Int = 0) async throws -> Int {
        func check() -> Bool { true }
        struct Slot { var free = true }
        let local = 1
        return local
    }
    static func == (l: Shelf, r: Shelf) -> Bool { true }
    static prefix func <+> (l: Shelf) -> Shelf { l }
    fileprivate func hidden() {}
    class func make() -> Self { fatalError() }
    func `repeat`() {}

    /** How it is
     bound. */
    fileprivate enum Binding: String {
        case cloth, paper = "p" // glued
        /// Rings.
        case spiral(Int, rings: UInt8)
    }
    typealias Element = T
    struct Mark { let page: Int }
}

extension Shelf.Mark: Codable where T == Int {
    /// From a decoder.
    init(from decoder: Decoder) throws { self.init() }
    var next: Int { page + 1 }
}

private extension Array where Element == Int {
    func total() -> Int { reduce(0, +) }
    enum Order { case up }
}

/// What has a place.
public protocol Placed: AnyObject {
    associatedtype Place: Hashable
    /// Where.
    var place: Place { get set }
    func move(to place: Place) async throws
    init(place: Place)
    subscript(i: Int) -> Place { get }
    static func < (l: Self, r: Self) -> Bool
}

/// Counts.
public actor Counter { nonisolated func peek() {} }
open class Open { open func run() {} }
indirect enum Tree { case leaf, node(Tree, Tree) }

prefix func ! <T>(a: Tree) -> T? { nil }
infix func ||<T>(a: T, b: T) -> T { a }
infix operator <+>: AdditionPrecedence

let answer = 42
var (x, y) = (1, 2)
public typealias Handler = @Sendable (Int) -> Void

#if os(Linux)
func system() -> String { "linux" }
#else
func system() -> String { "other" }
#endif

@freestanding(expression)
public macro stringify<V>(_ value: V) -> (V, String) = #externalMacro(module: "Macros", type: "Stringify")

@resultBuilder
struct ListBuilder { static func buildBlock(_ parts: Int...) -> [Int] { parts } }

if let home = ProcessInfo.processInfo.environment["HOME"] {
    let path = home
}
