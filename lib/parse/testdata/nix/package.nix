{
  lib,
  stdenv,
  # Whether to build the documents.
  withDocs ? true,
}:

let
  inherit (lib) optional;
  # The parts of a book.
  parts =
    {
      pages,
      ...
    }@args:
    args;
in
{
  name = "book";
  build = { lib, pages ? 1, }: pages;
}
