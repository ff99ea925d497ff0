From Coq Require Import FMapPositive Bool.
Require Import Grammar Theory Normal Automaton Lines.
Local Open Scope N_scope.

(** ** The checker *)

Record side_tables := {
  t_tree : M.t expr;
  t_line : M.t (M.t N);
  t_nullable : list string;
  t_rank : list (string * nat);
  t_body : list (string * N)
}.

Record tables := {
  t_class : M.t N;
  t_classes : list N;
  t_rows : M.t (bool * steps);
  t_union : M.t (M.t N);
  t_minus : M.t (M.t N);
  t_term : M.t node;
  t_bnf : side_tables;
  t_peg : side_tables
}.

Definition one_of (l : list string) (n : string) : bool := existsb (String.eqb n) l.
Definition rank_in (l : list (string * nat)) (n : string) : nat := match find_rule l n with Some k => k | None => 0 end.

Definition nullables (g : grammar) : list string :=
  iterate (length g) (fun x y => Nat.eqb (length x) (length y)) (fun known =>
    map fst (filter (fun '(n, _) => match body g n with Some e => nullable (one_of known) e | None => false end) g)) [].

Definition same_ranks (x y : list (string * nat)) : bool :=
  Nat.eqb (length x) (length y) && forallb (fun '((_, i), (_, j)) => Nat.eqb i j) (combine x y).

Definition ranks (nullable : string -> bool) (all : list (string * expr)) : list (string * nat) :=
  iterate (S (length all)) same_ranks (fun known => map (fun '(n, e) => (n, first nullable (rank_in known) e)) all) [].

Definition trees (s : side) (terms : list (N * node)) : M.t expr :=
  fold_left (fun m '(i, n) => match shape s m n with Some e => put i e m | None => m end) terms (put 0 Empty (M.empty _)).

Definition term_like (tree : M.t expr) (terms : list (N * node)) (e : expr) : option N :=
  option_map fst (find (fun '(i, _) => is expr_eqb (get tree i) e) ((0, NBytes 0) :: terms)).

Definition side_of (g : grammar) (c : certificate) (s : side) : side_tables :=
  let tree := trees s (terms c) in
  let known := nullables g in
  let all := bodies g in
  let rank := ranks (one_of known) all in
  {| t_tree := tree;
     t_line := map2_of (lines c s);
     t_nullable := known;
     t_rank := rank;
     t_body := flat_map (fun '(n, e) =>
       match term_like tree (terms c) e with
       | Some i => if Nat.leb (first (one_of known) (rank_in rank) e) (rank_in rank n) then [(n, i)] else []
       | None => []
       end) all |}.

Definition class_table (c : certificate) : M.t N :=
  fold_right (fun b m => match find (fun '(_, s) => mem b s) (classes c) with Some (n, _) => put (Byte.to_N b) n m | None => m end)
    (M.empty N) all_bytes.

Definition class_in (t : M.t N) (b : byte) : N := match get t (Byte.to_N b) with Some n => n | None => 0 end.

Definition tables_of (g p : grammar) (c : certificate) : tables :=
  let class := class_table c in
  {| t_class := class;
     t_classes := nodup N.eq_dec (map (class_in class) all_bytes);
     t_rows := map_of (languages c);
     t_union := map2_of (operations c Union);
     t_minus := map2_of (operations c Minus);
     t_term := map_of (terms c);
     t_bnf := side_of g c BNF;
     t_peg := side_of p c PEG |}.

Definition t_operation (t : tables) (o : operator) : M.t (M.t N) :=
  match o with Union => t_union t | Minus => t_minus t end.

Definition t_side (t : tables) (s : side) : side_tables := match s with BNF => t_bnf t | PEG => t_peg t end.

Definition pair_of (g p : grammar) (s : side) : grammar := match s with BNF => g | PEG => p end.

Section Check.
Variable g p : grammar.
Variable c : certificate.
Variable t : tables.

Let class := class_in (t_class t).
Let tree s := t_tree (t_side t s).
Let line s := t_line (t_side t s).
Let nullable_rule s := one_of (t_nullable (t_side t s)).

Definition check_operations (o : operator) : bool :=
  forallb (check_operation (t_classes t) (t_rows t) (t_operation t) o) (operations c o).

Definition check_side (s : side) : bool :=
  forallb (check_nullable (pair_of g p) nullable_rule s) (pair_of g p s) &&
  forallb (check_term tree s) (terms c) &&
  forallb (check_line class (t_rows t) (t_operation t) (t_term t) tree line nullable_rule (fun s => t_body (t_side t s)) s) (lines c s).

(** The language of a rule in front of the empty word. *)
Definition rule_language (s : side) (n : string) : option N :=
  match term_like (tree s) (terms c) (Rule n) with
  | Some i => of tree line s i 2
  | None => None
  end.

Definition check_equal (x : string * string * N) : bool :=
  let '(production, rule, l) := x in
  is N.eqb (rule_language BNF production) l && is N.eqb (rule_language PEG rule) l.

Definition check_differ (x : string * string * word) : bool :=
  let '(production, rule, w) := x in
  match rule_language BNF production, rule_language PEG rule with
  | Some l, Some m => xorb (accepts class (t_rows t) l w) (accepts class (t_rows t) m w)
  | _, _ => false
  end.

Definition check_all : bool :=
  check_operations Union && check_operations Minus && check_side BNF && check_side PEG &&
  forallb check_equal (equals c) && forallb check_differ (differs c).
End Check.

Definition check (g p : grammar) (c : certificate) : bool := check_all g p c (tables_of g p c).
