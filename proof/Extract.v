(** The checkers for OCaml, see check.ml: [answer_of], which [answer_right] is about, and [check_tree], which [tree_right] is about. *)

From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString.
Require Import Grammar Reader Files Trees.

Extraction "checker.ml" answer_of set_of check_tree from_to at_least.
