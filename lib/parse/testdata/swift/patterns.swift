func f(_ e: E, _ p: Q, _ q: Q) {
  switch e {
  case .a(let p): a(); p.x1()
  case let .b(p, q): b(); p.x2()
  case .c(let p, var q): c(); p.x3()
  case let z as P: z.x4()
  case let (m, n): m.x5(); n.x6()
  case (let m, let n): m.x5(); n.x6()
  case .some(.d(let p)): d(); p.x7()
  case .e(first: let p): first(); p.x8()
  }
  if case .a(let p) = e { a() }
  if case let .b(p) = e { b(); p.y() }
  if case let .b(p, r) = e, p.ok() { b(); p.y(); r.y() }
  guard case let .g(q) = e else { return }
  g(); q.z()
  if let p = other() { p.w() } else { p.v() }
  for case let .h(k) in list { h(); k.u() }
  while case let .i(k) = next() { i(); k.u() }
  p.t()
}
extension [P] { func every() { one() } }
extension [String: P] { func each() {} }
