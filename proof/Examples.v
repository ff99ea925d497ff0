(** A small pair with all kinds of terms, one rule that differs, and what the checker refuses. *)

From Coq Require Import NArith.
Require Import Grammar Notations Automaton Checker Sound Table Reader Total.

Definition productions : grammar := [
  "list" ::= <"item"> *( "," <"item"> );
  "item" ::= { "aA" } | { "bB" } <"tail">;
  "tail" ::= *"0";
  "some" ::= "0" | 1*"0" "1";
  "word" ::= "x" | "xy";
  "hides" ::= { "aA" } | { "aA" } "0"
].

Definition rules : grammar := [
  "list" <- <"item"> ( "," <"item"> )*;
  "item" <- { "aA" } / { "bB" } <"tail">;
  "tail" <- "0"*;
  "some" <- ( !"1" &"0" "0" )+ "1" / "0";
  "word" <- "x" !"y" / "xy";
  "hides" <- { "aA" } / { "aA" } "0"
].

Definition text : list Reader.text := [
"bnfcheck certificate 2
class 0 00-2b,2d-2f,32-40,43-60,63-77,7a-ff
class 1 2c
class 2 30
class 3 31
class 4 41,61
class 5 42,62
class 6 78
class 7 79
term 1 rule bnf list
term 2 rule bnf item
term 3 bytes 2c
term 4 seq 3 2
term 5 star 4
term 6 seq 2 5
term 7 bytes 41,61
term 8 bytes 42,62
term 9 rule bnf tail
term 10 seq 8 9
term 11 alt 7 10
term 12 bytes 30
term 13 star 12
term 14 rule peg list
term 15 rule peg item
term 16 seq 3 15
term 17 star 16
term 18 seq 15 17
term 19 rule peg tail
term 20 seq 8 19
term 21 alt 7 20
term 22 rule bnf some
term 23 bytes 31
term 24 seq 13 23
term 25 seq 12 24
term 26 alt 12 25
term 27 rule peg some
term 28 not 23
term 29 not 12
term 30 not 29
term 31 seq 30 12
term 32 seq 28 31
term 33 star 32
term 34 seq 33 23
term 35 seq 12 34
term 36 seq 30 35
term 37 seq 28 36
term 38 alt 37 12
term 39 rule bnf word
term 40 bytes 78
term 41 bytes 79
term 42 seq 40 41
term 43 alt 40 42
term 44 rule peg word
term 45 not 41
term 46 seq 40 45
term 47 alt 46 42
term 48 rule bnf hides
term 49 seq 7 12
term 50 alt 7 49
term 51 rule peg hides
language 3 - 4:4 5:7
language 4 + 1:3
language 5 - 4:4
language 6 - 5:7
language 7 + 1:3 2:7
language 8 - 2:7
language 9 - 1:3
language 10 - 4:1
language 11 - 2:1
language 12 - 1:13
language 13 - 4-5:1
language 14 - 5:1
language 15 + 0-1:1 3-7:1
language 16 - 4:2 5:19
language 17 - 4:2
language 18 - 5:19
language 19 + 2:19
language 20 - 2:19
language 21 - 2:25
language 22 - 2:2
language 23 - 2:24
language 24 - 2:24 3:2
language 25 + 2:24 3:2
language 26 - 3:2
language 27 - 2:28
language 28 - 2:28 3:1
language 29 - 3:1
language 30 - 6:34
language 31 - 6:2
language 32 - 6:33
language 33 - 7:2
language 34 + 7:2
language 35 - 6:36
language 36 + 0-6:1
language 37 - 7:1
language 38 - 4:40
language 39 - 4:22
language 40 + 2:2
union 5 6 is 3
union 8 4 is 7
union 9 2 is 4
minus 6 10 is 6
minus 4 11 is 4
minus 2 12 is 2
minus 14 10 is 14
union 10 14 is 13
minus 1 11 is 15
union 11 15 is 1
union 17 18 is 16
union 20 2 is 19
minus 18 10 is 18
minus 2 11 is 2
union 22 23 is 21
union 2 24 is 25
union 23 26 is 24
minus 22 27 is 22
minus 2 28 is 2
union 23 22 is 21
union 24 2 is 25
minus 23 29 is 23
minus 23 15 is 23
minus 26 11 is 26
minus 11 29 is 11
minus 11 15 is 11
minus 27 29 is 27
minus 27 15 is 27
minus 29 11 is 29
union 27 29 is 28
union 31 32 is 30
union 2 33 is 34
minus 32 35 is 32
minus 33 36 is 33
minus 2 37 is 2
minus 1 37 is 36
union 17 39 is 38
union 2 22 is 40
minus 39 10 is 0
bnf 1 before 2 is 3
bnf 6 before 2 is 3
bnf 2 before 4 is 3
bnf 11 before 4 is 3
bnf 7 before 4 is 5
bnf 10 before 4 is 6
bnf 8 before 7 is 6
bnf 9 before 4 is 7
bnf 13 before 4 is 7
bnf 12 before 7 is 8
bnf 5 before 2 is 4
bnf 4 before 4 is 9
bnf 3 before 3 is 9
peg 14 before 2 is 3
peg 18 before 2 is 3
peg 15 before 4 is 3
peg 21 before 4 is 3
peg 7 before 4 is 5
peg 7 before 1 is 10
peg 20 before 4 is 6
peg 8 before 7 is 6
peg 19 before 4 is 7
peg 13 before 4 is 7
peg 12 before 7 is 8
peg 12 before 1 is 11
peg 17 before 2 is 4
peg 16 before 4 is 9
peg 3 before 3 is 9
peg 16 before 1 is 12
peg 3 before 13 is 12
peg 15 before 1 is 13
peg 21 before 1 is 13
peg 20 before 1 is 14
peg 8 before 1 is 14
peg 19 before 1 is 1
peg 13 before 1 is 1
bnf 2 before 2 is 16
bnf 11 before 2 is 16
bnf 7 before 2 is 17
bnf 10 before 2 is 18
bnf 8 before 19 is 18
bnf 9 before 2 is 19
bnf 13 before 2 is 19
bnf 12 before 19 is 20
peg 15 before 2 is 16
peg 21 before 2 is 16
peg 7 before 2 is 17
peg 20 before 2 is 18
peg 8 before 19 is 18
peg 19 before 2 is 19
peg 13 before 2 is 19
peg 12 before 19 is 20
bnf 22 before 2 is 21
bnf 26 before 2 is 21
bnf 12 before 2 is 22
bnf 25 before 2 is 23
bnf 12 before 24 is 23
bnf 24 before 2 is 24
bnf 13 before 26 is 24
bnf 23 before 2 is 26
peg 27 before 2 is 21
peg 38 before 2 is 21
peg 37 before 2 is 23
peg 28 before 23 is 23
peg 23 before 1 is 29
peg 36 before 2 is 23
peg 30 before 23 is 23
peg 29 before 1 is 15
peg 35 before 2 is 23
peg 12 before 24 is 23
peg 34 before 2 is 24
peg 33 before 26 is 24
peg 32 before 24 is 23
peg 31 before 24 is 23
peg 32 before 1 is 11
peg 28 before 11 is 11
peg 31 before 1 is 11
peg 30 before 11 is 11
peg 23 before 2 is 26
peg 37 before 1 is 27
peg 28 before 27 is 27
peg 36 before 1 is 27
peg 30 before 27 is 27
peg 35 before 1 is 27
peg 12 before 28 is 27
peg 34 before 1 is 28
peg 33 before 29 is 28
peg 32 before 28 is 27
peg 31 before 28 is 27
peg 12 before 2 is 22
bnf 39 before 2 is 30
bnf 43 before 2 is 30
bnf 40 before 2 is 31
bnf 42 before 2 is 32
bnf 40 before 33 is 32
bnf 41 before 2 is 33
peg 44 before 2 is 30
peg 47 before 2 is 30
peg 46 before 2 is 31
peg 40 before 2 is 31
peg 45 before 2 is 2
peg 41 before 1 is 37
peg 46 before 1 is 35
peg 40 before 36 is 35
peg 45 before 1 is 36
peg 42 before 2 is 32
peg 40 before 33 is 32
peg 41 before 2 is 33
bnf 48 before 2 is 38
bnf 50 before 2 is 38
bnf 49 before 2 is 39
bnf 7 before 22 is 39
peg 51 before 2 is 17
peg 50 before 2 is 17
peg 49 before 2 is 39
peg 7 before 22 is 39
column 0 00-2b,2d-2f,32-40,43-60,63-ff
column 1 2c
column 2 30
column 3 31
column 4 41,61
column 5 42,62
row 1 - is 3 4:2 5:3
row 2 + is 4 1:1
row 3 + is 7 1:1 2:3
row 4 - is 21 2:5
row 5 + is 25 2:6 3:7
row 6 - is 24 2:6 3:7
row 7 + is 2
table list 1
table some 4
equal list list 3
equal item item 16
equal tail tail 19
equal some some 21
equal word word 30
differ hides hides 4130 bnf 38-40-2 peg 17-2-0
end 274
"%text].

Definition pairs : list (string * string) :=
  [("list", "list"); ("item", "item"); ("tail", "tail"); ("some", "some"); ("word", "word")]%string.

Definition different : list (string * string * word) := [("hides", "hides", [x41; x30])]%string.

Theorem equal : equal_pairs productions rules pairs.
Proof. apply (verifies_right _ _ text _ different [] []). vm_cast_no_check (eq_refl true). Qed.

Theorem differ : different_pairs productions rules different.
Proof. apply (verifies_right _ _ text pairs _ [] []). vm_cast_no_check (eq_refl true). Qed.

Definition certificate : certificate := Eval vm_compute in
  match read text with Some (c, _) => c | None => Build_certificate [] [] [] (fun _ => []) (fun _ => []) [] [] end.

Theorem table_right : table_equal productions (table_in text) ["list"; "some"]%string.
Proof. apply (verifies_right _ rules text pairs different _ []). vm_cast_no_check (eq_refl true). Qed.

(** ** What is refused: another grammar, and a line left out or with another result *)

(** The lists with one element of l left out, and with one replaced. *)
Fixpoint without {A} (l : list A) : list (list A) :=
  match l with [] => [] | a :: l => l :: map (cons a) (without l) end.

Fixpoint changed {A} (f : A -> A) (l : list A) : list (list A) :=
  match l with [] => [] | a :: l => (f a :: l) :: map (cons a) (changed f l) end.

Definition other (l : N * N * N) : N * N * N := let '(a, b, m) := l in (a, b, if (m =? 2)%N then 0%N else 2%N).

Definition changed_operations : list Automaton.certificate :=
  let '(Build_certificate cs ts ls os xs es ds) := certificate in
  flat_map (fun o => map (fun l => Build_certificate cs ts ls (fun o' => if operator_eqb o o' then l else os o') xs es ds)
    (without (os o) ++ changed other (os o))) [Union; Minus].

Definition changed_lines : list Automaton.certificate :=
  let '(Build_certificate cs ts ls os xs es ds) := certificate in
  flat_map (fun s => map (fun l => Build_certificate cs ts ls os (fun s' => if side_eqb s s' then l else xs s') es ds)
    (without (xs s) ++ changed other (xs s))) [BNF; PEG].

Example other_lines_are_refused :
  forallb (fun c => negb (check productions rules c)) (changed_operations ++ changed_lines) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** Tables with one row left out, one that accepts otherwise, one that leads elsewhere, or one of another language, and with other
    starts; and without a row that nothing leads to. *)
Definition table : table := Eval vm_compute in table_in text.

Definition changed_tables : list Table.table :=
  let '(Build_table columns rows starts relation) := table in
  map (fun rows => Build_table columns rows starts relation)
    (without rows ++ changed (fun '(q, (b, l)) => (q, (negb b, l))) rows
      ++ flat_map (fun k => changed (fun '(q, (b, l)) => (q, (b, ((0, 0, k) :: l)%N))) rows) [1; 2; 3; 4; 5; 6; 7]%N)
  ++ map (Build_table columns rows starts) (without relation ++ changed (fun '(q, l) => (q, (l + 1)%N)) relation)
  ++ map (fun columns => Build_table columns rows starts relation) (changed (fun '(n, s) => ((n + 1)%N, s)) columns)
  ++ map (fun q => Build_table columns rows [("list", [q])]%string relation) [0; 2; 3; 4; 5; 6; 7; 8]%N
  ++ [Build_table columns rows [("list", [1; 2]%N)]%string relation; Build_table columns rows [("list", [])]%string relation].

Example other_tables_are_refused :
  check_table productions rules certificate table = true /\
  existsb (check_table productions rules certificate) changed_tables = false.
Proof. split; vm_compute; reflexivity. Qed.

(** An order of alternatives in which one hides the other, and a repetition that takes more. *)
Example other_rules_are_refused :
  check productions ((("word" <- "xy" / "x" !"y") :: rules)) certificate = false /\
  check productions ((("word" <- "x" / "xy") :: rules)) certificate = false /\
  check productions ((("tail" <- "0"+) :: rules)) certificate = false /\
  check (("item" ::= { "aA" } | { "bC" } <"tail">) :: productions) rules certificate = false.
Proof. repeat split; vm_compute; reflexivity. Qed.
