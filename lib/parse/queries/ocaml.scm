; ocaml
