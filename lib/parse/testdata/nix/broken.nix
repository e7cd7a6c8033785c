{ pkgs }:
{
  first = pkgs.mkShell { buildInputs = [ pkgs.zlib };

  # Survives.
  second = x: x + 1;
  third = 3;
}
