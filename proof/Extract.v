(** The checker for OCaml, see check.ml: the reader of certificates, and [check], which [equal_right] and [differ_right] are about. *)

From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString.
Require Import Grammar Reader Checker.

Extraction "checker.ml" read set_of check.
