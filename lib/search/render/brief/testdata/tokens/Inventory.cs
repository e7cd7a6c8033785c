// The licence of the whole file.

extern alias Legacy;
global using System.Text;
using System;
using static System.Math;
using Pairs = System.Collections.Generic.List<int>;
using Point = (int X, int Y);

[assembly: System.Reflection.AssemblyVersion("1.0")]

namespace Shop.Stock
{
    using System.Linq;

    /// <summary>
    /// What a shelf holds, <see cref="Item"/> by item.
    /// </summary>
    /// <typeparam name="T">the kind of item</typeparam>
    [Serializable]
    [Obsolete("use " + nameof(Item))]
    public abstract partial class Shelf<T> : Base, IShelf<T>
        where T : class, new()
    {
        /// <summary>How many fit.</summary>
        public const int Capacity = 12, Spare = 3;

        private static readonly Dictionary<string, int> Weights = new Dictionary<string, int> { { "tin", 1 }, { "jar", 2 } };
        protected readonly object? gate; // taken by all writers
        int[] counts = new int[Capacity], order;

        /// <summary>Raised when empty.</summary>
        public event EventHandler Emptied, Filled;

        public event EventHandler<T> Moved
        {
            add { gate = value; }
            remove { }
        }

        // Not documentation.

        public string Name { get; private set; } = "shelf";

        public required int Rows { get; init; }

        /// <summary>Derived.</summary>
        public int Free => Capacity - counts.Length;

        internal bool Full
        {
            get { return Free == 0; }
            set { counts = null; }
        }

        public T this[int index]
        {
            get => items[index];
        }

        public T this[string key] => Find(key);

        static Shelf() { }

        /// <summary>Makes a shelf.</summary>
        /// <param name="name">what it is called</param>
        public Shelf(string name)
            : base(name)
        {
        }

        ~Shelf() => Dispose(false);

        public static Shelf<T> operator +(Shelf<T> a, T b) => a.Put(b);
        public static bool operator ==(Shelf<T> a, Shelf<T> b) { return true; }
        public static implicit operator Pairs(Shelf<T> s) => null;
        public static explicit operator int(Shelf<T> s) { return 0; }

        /**
         * Puts an item.
         */
        [return: NotNull]
        public virtual async Task<U> PutAsync<U>(T item, [CallerMemberName] string by = "x", params U[] rest)
            where U : T
        {
            int Count(int n) => n + 1;
            var total = Count(1);
            static bool Odd(int n)
            {
                return n % 2 == 1;
            }
            return Odd(total) ? rest[0] : null;
        }

        protected abstract void Sort();

        [DllImport("native.dll")]
        private static extern int open_shelf(IntPtr at);

        void IDisposable.Dispose() { }

        bool ICollection<T>.IsReadOnly => false;

        private protected class Slot
        {
            public int Number;
        }

#if NET6_0
        /// <summary>Only there.</summary>
        public void Modern() { }
#else
        public void Ancient() { }
#endif

        #region Helpers

        // Plain comments count too.
        internal void Help() { }

        #endregion
    }

    /// <summary>An item.</summary>
    public record Item(string Name, int Weight = 1) : Thing(Name);

    public readonly record struct Size(int Width, int Height)
    {
        public int Area => Width * Height;
    }

    public ref struct Cursor { public int At; }

    public interface IShelf<out T> : IDisposable
    {
        /// <summary>Sizes.</summary>
        int Size { get; }
        event EventHandler Changed;
        T this[int index] { get; set; }
        void Put(T item);
        static abstract T Make();
        private void Hidden() { }
    }

    [Flags]
    public enum Colour : byte
    {
        /// <summary>None at all.</summary>
        None = 0,
        Red = 1 << 0, // warm
        [Obsolete]
        Green
    }

    enum Closed { Shut }

    /// <summary>Compares.</summary>
    public delegate int Order<in T>(T a, T b);

    public static class Extensions
    {
        public static int Twice(this int n) => n * 2;
    }

    namespace Deep
    {
        file class Inner { }
    }
}
