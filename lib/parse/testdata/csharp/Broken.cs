namespace Half.Done
{
    public class Before
    {
        public void Works() { }

        public void Fails( { int x = ; }

        public int After() { return 1; }
    }

    public class Later
    {
        /// <summary>Still here.</summary>
        public string Name { get; set; }
        public void Closing() {
    }
}
