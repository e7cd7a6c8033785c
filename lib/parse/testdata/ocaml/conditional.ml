#if OCAML_VERSION >= (5, 0, 0)
let cores = Domain.count ()
#else
let cores = 1

(** Only before version 5. *)
let old_cores () = 0
#endif

#define LIMIT 3 + \
  4

(** Reads a book. *)
let rec read book =
  match book with
#if OCAML_VERSION >= (5, 3, 0)
  | Bound (title, _) -> title
#elif defined OLD
  | Bound title -> title
#else
  | Bound (title, _, _) -> title
#endif
  | Loose -> help "
#if \
"

and help text = text

(** The last. *)
let last = '"'
