package shop.till;

import java.util.List;
import java.util.*;
import static shop.money.Rates.vat;
import static shop.money.Rates.*;
import shop.stock.Shelf.Item;

@Service
public class References<T extends Item> extends Base<T> implements Named, shop.Priced<T> {
  private final Map<String, Shelf> shelves = new HashMap<>();
  private Till till = new Till(), spare;
  @Inject shop.stock.Store store;

  public References(Clerk clerk, int... sizes) {
    super(clerk);
    this.till = clerk.till();
    till.open();
  }

  <R> List<Item> find(String key, T of) throws MissingException {
    Shelf shelf = shelves.get(key);
    var made = new Shelf.Item(key) {
      public void seen() { mark(); }
    };
    made.price();
    for (Item item : shelf.items()) item.sell();
    for (var item : this.store.items()) { item.sell(); }
    shelf.items().stream().map(Item::price).filter(i -> i.good()).map(this::vat).map(Item::new);
    if (of instanceof Priced priced && vat(key) > 0) priced.raise();
    try (Lock lock = store.lock()) { lock.hold(); } catch (IOException | RuntimeException e) { e.report(); }
    Rates.round(super.find(key, of));
    ((Shelf) shelves).items();
    return null;
  }

  record Pair(Item left, Item right) { int sum() { return left.price() + right.price(); } }
  enum Kind implements Named { ONE(new Till()), TWO; Kind(Till... t) {} }
  interface Deep extends Named, Other<Item> { Item one(); }
}
