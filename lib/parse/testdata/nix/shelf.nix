# A shelf of books, as a package.
{ pkgs ? import <nixpkgs> { }, lib, limit ? 12, ... }@args:

with lib;

let
  inherit (pkgs) stdenv fetchurl;
  inherit limit;

  # The version of the shelf.
  version = "1.2.0";

  # Adds a book.
  # The shelf may be full.
  addBook = shelf: book:
    if length shelf >= limit then throw "full" else shelf ++ [ book ];

  /* Takes a book
     by its title. */
  takeBook = { title, shelf ? [ ] }@book: filter (b: b.title != title) shelf;

  nested = let inner = 1; in inner + 1;
  paths.shelf.main = ./main.nix;
  "quoted name" = true;
in
rec {
  name = "shelf-${version}";
  src = fetchurl {
    url = "https://example.com/shelf.tar.gz";
    sha256 = "0000";
  };

  package = stdenv.mkDerivation {
    inherit name src version;
    buildInputs = [ pkgs.zlib ];
    buildPhase = ''
      make LIMIT=${toString limit}
    '';
    meta = {
      description = "A shelf";
      maintainers = [ ];
    };
  };

  services.shelf.enable = mkEnableOption "shelf";
  services.shelf = {
    # where books are
    folder = mkOption { type = types.path; default = /var/shelf; };
  };

  overlay = final: prev: { shelf = prev.callPackage ./shelf.nix { }; };
  shell = import ./shell.nix { inherit pkgs; };
  inherit (import ./lib.nix) helper;
}
