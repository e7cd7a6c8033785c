namespace Shop
{
#if NEW
    public class Book : Item
    {
#else
    public class Book : Old
    {
#endif
        void Open() { }
    }

    class Shelf { }
}
