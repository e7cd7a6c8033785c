using System;
using Shop.Stock;
using static Shop.Money.Rates;
using Person = Shop.People.Clerk;

namespace Shop.Till;

[Service(typeof(Kind))]
public class References<T> : Base<T>, INamed, Shop.Stock.IPriced<T> where T : Item
{
    private readonly Dictionary<string, Shelf> shelves = new();
    private Till till = new Till(), spare;
    public Store? Stock { get; init; } = Store.Open();
    public bool Ready => till.IsOpen();

    public References(Person clerk, params int[] sizes) : base(clerk)
    {
        this.till = clerk.Till();
        till.Open();
    }

    public override async Task<List<Item>> Find<R>(string key, T? of, Func<Item, bool> by)
    {
        Shelf shelf = shelves[key];
        var made = new Shelf.Item<R>(key) { Price = shelf.Price() };
        made.Raise();
        foreach (Item item in shelf.Items()) item.Sell();
        foreach (var other in Stock?.Items()) { other.Sell(); }
        shelf.Items().Where(i => i.Good()).Select((Item i) => i.Price());
        Stock?.Lock()?.Hold();
        if (of is Priced priced && by(made)) priced.Raise();
        if (store.TryGet(key, out Lock held)) held.Release();
        using (var gate = new Gate()) { gate.Enter(); }
        try { await Rates.Round<int>(nameof(Find)); } catch (IOException e) { e.Report(); }
        ((Shelf)of).Items(); (of as Shelf).Items();
        int Local(Item i) => Vat(i.Price());
        base.Find(key);
        return Local(made);
    }
}

public record Pair(Item Left, Item Right) : INamed { public int Sum() => Left.Price() + Right.Price(); }
internal interface IDeep : INamed { Item One(); }
public static class Shelves { public static int Count(this Shelf shelf) => shelf.Items().Count; }
public struct Point<N> : IEquatable<Point<N>> { public N X; }
