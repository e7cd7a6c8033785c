namespace N;

// Syntax that the grammar reads only with masks.
public class Lists
{
    bool Match(object o)
    {
        if (o is [1, .. var r]) { return true; }
        return o is [.., 2] or [_, .. { Length: > 2 } rest, 3] or [..string name] && a[1..n] == b[..n];
    }

    public void After() {}
}

internal ref partial struct Scanner
{
    public int X;
    void Read() { }
}

public class Views
{
    void Set()
    {
        M.View?.Frame = G;
        a?.b.c[1] += 2;
        a?[0] = 3;
        E?.Changed += handler;
        var x = a?.b == c ? d?.e : f;
    }

    void Get() { }
}

public unsafe class Reader
{
    Task<int> Read(bool async, string property)
    {
        if (async)
        {
            Log(async: true, [property], [property, .. Rest]);
        }
        var length = async
            ? Measure(async)
            : 1;
        return Start(async => async, async () => await Next());
    }

    void Copy(byte* to, byte* from, byte* end)
    {
        if (from + 2 < end && *from == '=' && *(from + 1) == '?')
        {
            *to++ = (byte) '_';
            *(uint*) to = *((uint*) from);
        }
    }

    void Close() { }
}
