(** What the theorems are about: expressions, what a BNF derives, and what a PEG matches.

    Whoever wants to know what is proved reads this file, the grammars that are printed in the same terms, and the
    statements of the theorems. *)

From Coq Require Export NArith String.
From Coq.Strings Require Export Byte.
From Coq Require Export List.
Export ListNotations.
Open Scope list_scope.

Definition word := list byte.

(** A set of bytes: bit n is set if the byte of value n is in the set. *)
Definition set := N.

Definition mem (b : byte) (s : set) : bool := N.testbit s (Byte.to_N b).

Inductive expr :=
| Empty                  (* the empty word *)
| Bytes (s : set)        (* one byte of s *)
| Seq (a b : expr)       (* a, then b *)
| Alt (a b : expr)       (* a or b; in a PEG b only where a fails *)
| Star (a : expr)        (* any number of a; in a PEG as many as there are *)
| And (a : expr)         (* PEG: a matches here *)
| Not (a : expr)         (* PEG: a does not match here *)
| Rule (name : string).  (* what the rule of this name is *)

(** A grammar is a list of rules. The first of a name counts. *)
Definition grammar := list (string * expr).

Fixpoint body (g : grammar) (name : string) : option expr :=
  match g with
  | [] => None
  | (n, e) :: g => if String.eqb n name then Some e else body g name
  end.

(** ** What an expression of a BNF derives *)

Inductive derives (g : grammar) : expr -> word -> Prop :=
| derives_empty : derives g Empty []
| derives_bytes s b : mem b s = true -> derives g (Bytes s) [b]
| derives_seq a b u v : derives g a u -> derives g b v -> derives g (Seq a b) (u ++ v)
| derives_first a b u : derives g a u -> derives g (Alt a b) u
| derives_second a b u : derives g b u -> derives g (Alt a b) u
| derives_none a : derives g (Star a) []
| derives_more a u v : derives g a u -> derives g (Star a) v -> derives g (Star a) (u ++ v)
| derives_rule name e u : body g name = Some e -> derives g e u -> derives g (Rule name) u.

(** ** What an expression of a PEG does with an input (Ford 2004; Medeiros, Mascarenhas and Ierusalimschy 2014) *)

Inductive result :=
| Fails
| Leaves (rest : word).

Inductive parses (g : grammar) : expr -> word -> result -> Prop :=
| parses_empty w : parses g Empty w (Leaves w)
| parses_byte s b w : mem b s = true -> parses g (Bytes s) (b :: w) (Leaves w)
| parses_other s b w : mem b s = false -> parses g (Bytes s) (b :: w) Fails
| parses_end s : parses g (Bytes s) [] Fails
| parses_seq a b w v r : parses g a w (Leaves v) -> parses g b v r -> parses g (Seq a b) w r
| parses_seq_fails a b w : parses g a w Fails -> parses g (Seq a b) w Fails
| parses_first a b w v : parses g a w (Leaves v) -> parses g (Alt a b) w (Leaves v)
| parses_second a b w r : parses g a w Fails -> parses g b w r -> parses g (Alt a b) w r
| parses_none a w : parses g a w Fails -> parses g (Star a) w (Leaves w)
| parses_more a w v r : parses g a w (Leaves v) -> parses g (Star a) v r -> parses g (Star a) w r
| parses_and a w v : parses g a w (Leaves v) -> parses g (And a) w (Leaves w)
| parses_and_fails a w : parses g a w Fails -> parses g (And a) w Fails
| parses_not a w : parses g a w Fails -> parses g (Not a) w (Leaves w)
| parses_not_fails a w v : parses g a w (Leaves v) -> parses g (Not a) w Fails
| parses_rule name e w r : body g name = Some e -> parses g e w r -> parses g (Rule name) w r.

(** A rule matches a word from its first byte to its last. *)
Definition matches (g : grammar) (name : string) (w : word) : Prop := parses g (Rule name) w (Leaves []).

(** ** How grammars are written *)

Definition byte_set (b : byte) : set := N.shiftl 1 (Byte.to_N b).

Definition bytes (s : string) : list byte := list_byte_of_string s.

Definition lit (s : string) : expr :=
  fold_right (fun b e => match e with Empty => Bytes (byte_set b) | _ => Seq (Bytes (byte_set b)) e end) Empty (bytes s).

Definition chars (s : string) : expr := Bytes (fold_right (fun b t => N.lor (byte_set b) t) 0%N (bytes s)).

(** The bytes from the one of a to the one of z. *)
Definition range (a z : string) : expr :=
  match bytes a, bytes z with
  | [a], [z] => Bytes (N.ldiff (N.ones (N.succ (Byte.to_N z))) (N.ones (Byte.to_N a)))
  | _, _ => Bytes 0%N
  end.

(** The bytes from the value a to the value z. *)
Definition values (a z : N) : expr := Bytes (N.ldiff (N.ones (N.succ z)) (N.ones a)).

Definition any : expr := Bytes (N.ones 256).

Definition opt (a : expr) : expr := Alt a Empty.

Definition plus (a : expr) : expr := Seq a (Star a).

(** n of a, and then b. *)
Fixpoint times (n : nat) (a b : expr) : expr := match n with 0 => b | S n => Seq a (times n a b) end.

(** At most n of a; in a PEG as many as there are. *)
Fixpoint at_most (n : nat) (a : expr) : expr := match n with 0 => Empty | S n => opt (Seq a (at_most n a)) end.

Definition from_to (least most : nat) (a : expr) : expr := times least a (at_most (most - least) a).

Definition at_least (least : nat) (a : expr) : expr := times least a (Star a).
