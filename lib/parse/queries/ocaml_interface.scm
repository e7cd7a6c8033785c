; ocaml interfaces
