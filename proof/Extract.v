(** The checkers for OCaml, see check.ml: the reader of certificates, [check], which [equal_right] and [differ_right] are about,
    [check_table], which [table_right] is about, and [check_tree], which [tree_right] is about. *)

From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString.
Require Import Grammar Checker Table Reader Trees.

Extraction "checker.ml" read set_of check check_table check_tree from_to at_least.
