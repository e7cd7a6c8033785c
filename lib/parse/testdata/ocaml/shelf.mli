(** Shelves of books. *)

open Base

(** A shelf. *)
type t

type level =
  | Low (** near the floor *)
  | High
      (** near the ceiling *)
[@@deriving compare]
(** Where it hangs. *)

(** [put t b] puts [b] in.

    It raises if [t] is full. *)
val put : t -> book -> t

val limit : int
(** The limit. *)

val ( +++ ) : t -> t -> t
val find : 'a. t -> ('a -> bool) -> 'a option

external now : unit -> float = "shop_now"

exception Full of t
(** No place. *)

module Rack : sig
  val size : int
end

module Make (X : S) : T with type t := X.t

module type S = sig
  val wrap : int -> t
end

include module type of Holder

class shelf : string -> object
  method name : string
end
