let first a = a + 1

let second b =
  match b with
  | 0 -> (1

(** Survives. *)
let third c = c

module M = struct
  let fourth = 4
end
