(** How grammars are printed: as expressions of [Grammar] in the signs of the notations themselves. A name stands in < >,
    a set of bytes in { }, or by their values in { # }. { 2 * 4 } a is two to four a, and { 2 * } a two and more. *)

Require Import Grammar.

Declare Custom Entry bnf.
Declare Custom Entry peg.

(** A production of a BNF: ["a" ::= "b" <"c"> [ "d" | *{ "x"-"z" } ]]. *)
Notation "n ::= e" := (n%string, e : expr) (at level 95, e custom bnf at level 100).
Notation "( e )" := e (in custom bnf, e at level 100).
Notation "x" := (lit x%string) (in custom bnf at level 0, x constr at level 0).
Notation "< n >" := (Rule n%string) (in custom bnf at level 0, n constr at level 0).
Notation "{ s }" := (chars s%string) (in custom bnf at level 0, s constr at level 0).
Notation "{ a - z }" := (range a%string z%string) (in custom bnf at level 0, a constr at level 0, z constr at level 0).
Notation "{ # a }" := (values a%N a%N) (in custom bnf at level 0, a constr at level 0).
Notation "{ # a - z }" := (values a%N z%N) (in custom bnf at level 0, a constr at level 0, z constr at level 0).
Notation "{ n * } e" := (at_least n%nat e) (in custom bnf at level 0, n constr at level 0, e at level 0).
Notation "{ n * m } e" := (from_to n%nat m%nat e) (in custom bnf at level 0, n constr at level 0, m constr at level 0, e at level 0).
Notation "[ e ]" := (opt e) (in custom bnf at level 0, e at level 100).
Notation "* e" := (Star e) (in custom bnf at level 30, e at level 30).
Notation "1* e" := (plus e) (in custom bnf at level 30, e at level 30).
Notation "a b" := (Seq a b) (in custom bnf at level 50, right associativity).
Notation "a | b" := (Alt a b) (in custom bnf at level 80, right associativity).

(** A rule of a PEG: ["a" <- "b" <"c"> ( "d" / { "x"-"z" }* )?]. *)
Notation "n <- e" := (n%string, e : expr) (at level 95, e custom peg at level 100).
Notation "( e )" := e (in custom peg, e at level 100).
Notation "x" := (lit x%string) (in custom peg at level 0, x constr at level 0).
Notation "< n >" := (Rule n%string) (in custom peg at level 0, n constr at level 0).
Notation "{ s }" := (chars s%string) (in custom peg at level 0, s constr at level 0).
Notation "{ a - z }" := (range a%string z%string) (in custom peg at level 0, a constr at level 0, z constr at level 0).
Notation "{ # a }" := (values a%N a%N) (in custom peg at level 0, a constr at level 0).
Notation "{ # a - z }" := (values a%N z%N) (in custom peg at level 0, a constr at level 0, z constr at level 0).
Notation "{ n * } e" := (at_least n%nat e) (in custom peg at level 0, n constr at level 0, e at level 0).
Notation "{ n * m } e" := (from_to n%nat m%nat e) (in custom peg at level 0, n constr at level 0, m constr at level 0, e at level 0).
Notation "'any'" := any (in custom peg at level 0).
Notation "e *" := (Star e) (in custom peg at level 20).
Notation "e +" := (plus e) (in custom peg at level 20).
Notation "e ?" := (opt e) (in custom peg at level 20).
Notation "! e" := (Not e) (in custom peg at level 30, e at level 30).
Notation "& e" := (And e) (in custom peg at level 30, e at level 30).
Notation "a b" := (Seq a b) (in custom peg at level 50, right associativity).
Notation "a / b" := (Alt a b) (in custom peg at level 80, right associativity).
