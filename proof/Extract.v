(** The checker for OCaml, see check.ml: the reader of certificates, [check], which [equal_right] and [differ_right] are about, and
    [check_table], which [table_right] is about. *)

From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString.
Require Import Grammar Checker Table Reader.

Extraction "checker.ml" read set_of check check_table.
