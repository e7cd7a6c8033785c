#!/usr/bin/env dotnet-script
#load "tools.csx"

using System.IO;

/// <summary>Where it goes.</summary>
var output = Path.Combine("bin", "out");
const int Retries = 3;

Console.WriteLine(Greet("you"));

// Says hello.
string Greet(string who)
{
    var text = $"hello {who}";
    return text;
}

class Options
{
    public bool Verbose { get; set; }
}
