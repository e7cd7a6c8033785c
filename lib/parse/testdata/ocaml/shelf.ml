(** Shelves of books. *)

open Base
module L = List
include Holder

(** The limit. *)
let limit = 12

let width, height = 1, 2
let (depth : int) = 3

(** Puts [book] in. *)
let put ~shelf ?(at = 0) book : t =
  let rec go n = if n = 0 then book else go (n - 1) in
  let size = List.length shelf in
  go (size + at)

let find = fun shelf name -> List.find shelf name

let kind = function
  | Empty -> 0
  | Full _ -> 1

let rec even n = n = 0 || odd (n - 1)

(* Not a doc comment, but a comment. *)
and odd n = n <> 0 && even (n - 1)

let ( +++ ) a b = a @ b
let ( let* ) x f = bind x f
let[@inline] fast x = x
let () = print_endline "start"
let _ = limit
let count = ref 0 (* of all shelves *)

external now : unit -> float = "shop_now"

type t =
  | Empty (** nothing *)
  | Full of { size : int }
  | ( :: ) of int * t

(** A pair. *)
type 'a pair = 'a * 'a

and record = { mutable name : string (** its name *); size : int } [@@deriving sexp]

type nonrec alias = t
type event = ..
type event += Added of int

exception Not_found_on of string

(** Racks. *)
module Rack = struct
  let size = 3
  let grow r = r + size

  module Inner = struct
    type u = int
  end
end

module Make (X : S) : T with type t = X.t = struct
  let make x = X.wrap x
end

module rec A : S = struct end
and B : S = struct end

module type S = sig
  type t

  val wrap : int -> t
  (** Wraps. *)

  val limit : int
end

class virtual shelf name = object (self)
  inherit base
  val mutable books = []
  method name = name
  method private grow n = self#resize n
  method virtual resize : int -> unit
end

class type sized = object
  method size : int
end

let%test "puts" = put 1 = 1
let%expect_test "prints" =
  print_endline "x";
  [%expect {| x |}]
