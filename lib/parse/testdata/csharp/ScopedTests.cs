using Xunit;

namespace Shop.Tests;

public class ScopedTests(Fixture fixture) : IClassFixture<Fixture>
{
    [Fact]
    public void Fills() => Assert.True(true);

    /// <summary>By rows.</summary>
    [Theory]
    [InlineData(1)]
    public async Task Counts(int n)
    {
        await Task.Delay(n);
    }

    [Category("slow"), Test]
    public void Waits() { }

    private static int Helper() => 1;
}

[TestClass]
public sealed class Other
{
    [TestMethod] public void One() { }
}

public class Plain
{
    public unsafe fixed char buffer[16];
    public delegate*<int, void> callback;
}
