(** The checkers for OCaml, see check.ml: [answer_of], which [answer_right] is about, [check_tree] of [tree_right], [first_tree] of [first_right]. *)

From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString.
Require Import Grammar Reader Files Trees First.

Extraction "checker.ml" answer_of set_of check_tree plainly first_tree.
