import 'side-effect'
import whole, { one, two as second, type Three } from './names'
import * as space from '../space'
import type {} from './augmented'
import legacy = require('legacy')
export * from './all'
export * as under from './under'
export { four, five as fifth } from './numbers'
export { Shop as default, helper as aid }

interface Named extends Base<string>, space.Deep { owner: Person; find(key: string): Promise<Person[]> }
type Alias<T extends Named> = T | Person | typeof second

@Injectable()
class Shop<T> extends Store<T> implements Named, space.Other<T> {
  owner: Person
  #till = new Till()
  stock?: Map<string, Item>

  constructor(private readonly clerk: Clerk, public size: number, limit = new Limit()) {
    super(size)
    this.helperOf = makeHelper(limit)
    limit.check()
  }

  find(key: string): Promise<Person[]> {
    const found: Person[] = this.clerk.search(key)!
    const { owner, stock: inside } = this
    for (const person of found) person.greet()
    found[0].greet(); found.map((person) => person.leave())
    inside.get(key)
    owner?.greet()
    const item = new space.Item<T>(key)
    item.price().toFixed()
    ;(item as Priced).raise()
    second(one`text ${this.#till.sum()}`)
    return super.find(key)
  }

  get next(): Shop<T> { return this.next.next }
  static make<T>(of: T) { return of instanceof Till ? new this() : Shop.make(of) }
}

function helper(this: Shop<string>, { clerk, size: width }: Shop<string>, callback: (p: Person) => void, ...rest: Item[]) {
  clerk.rest()
  callback(clerk.boss)
  rest.forEach((item) => item.sell())
  const local = () => {
    return width
  }
  try { local() } catch (error) { error.report() }
  type Inner = ReturnType<typeof helper>
}

export const arrow = async (clerk: Clerk): Promise<Till> => (await import('./lazy')).open(clerk)
let shop = new Shop<string>(null!, 1)
shop.find('a').then((people) => people[0].greet())
router.get('/', (c) => c.json())
