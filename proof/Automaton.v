(** The checker of certificates, and the theorem that what it accepts is true.

    A certificate is described in docs/certificates.md. Nothing here depends on who wrote it: the theorems hold for all data. *)

From Coq Require Import FMapPositive Bool.
Require Import Grammar Theory Normal.
Local Open Scope N_scope.

Module M := PositiveMap.

(** ** Certificates *)

Inductive side := BNF | PEG.

Inductive node :=
| NBytes (s : set)
| NSeq (a b : N)
| NAlt (a b : N)
| NStar (a : N)
| NNot (a : N)
| NRule (s : side) (name : string).

Inductive operator := Union | Minus.

(** Where a language leads: a language for the classes from one to another. *)
Definition steps := list (N * N * N).

Record certificate := {
  classes : list (N * set);
  terms : list (N * node);
  languages : list (N * (bool * steps));
  operations : operator -> list (N * N * N); (* a, b, what the operation makes of them *)
  lines : side -> list (N * N * N);          (* a term, the language behind it, what they make *)
  equals : list (string * string * N);
  differs : list (string * string * word)
}.

(** ** Maps *)

Definition get {A} (m : M.t A) (n : N) : option A := M.find (N.succ_pos n) m.
Definition put {A} (n : N) (a : A) (m : M.t A) : M.t A := M.add (N.succ_pos n) a m.

Definition map_of {A} (l : list (N * A)) : M.t A := fold_right (fun '(n, a) m => put n a m) (M.empty A) l.

Definition find2 (m : M.t (M.t N)) (a b : N) : option N := match get m a with Some m => get m b | None => None end.

Definition map2_of (l : list (N * N * N)) : M.t (M.t N) :=
  fold_right (fun '(a, b, c) m => put a (put b c (match get m a with Some x => x | None => M.empty N end)) m) (M.empty _) l.

Lemma get_put A n k (a : A) m : get (put n a m) k = if n =? k then Some a else get m k.
Proof.
  unfold get, put. destruct (N.eqb_spec n k) as [->|D].
  - apply M.gss.
  - apply M.gso. intros E. apply D. rewrite <- (N.pos_pred_succ n), <- (N.pos_pred_succ k). congruence.
Qed.

Lemma get_empty A k : get (M.empty A) k = None.
Proof. apply M.gempty. Qed.

Lemma map_of_in A l n (a : A) : get (map_of l) n = Some a -> In (n, a) l.
Proof.
  induction l as [|[k b] l]; simpl; [now rewrite get_empty|].
  rewrite get_put. destruct (N.eqb_spec k n) as [->|]; [intros [= ->]|]; auto.
Qed.

Lemma map2_of_in l a b c : find2 (map2_of l) a b = Some c -> In (a, b, c) l.
Proof.
  unfold find2. induction l as [|[[x y] z] l]; simpl; [now rewrite get_empty|].
  rewrite get_put. destruct (N.eqb_spec x a) as [->|]; [|auto].
  rewrite get_put. destruct (N.eqb_spec y b) as [->|].
  - intros [= ->]. auto.
  - destruct (get (map2_of l) a); [auto|]. now rewrite get_empty.
Qed.

(** ** Equality *)

Definition side_eqb (s t : side) : bool := match s, t with BNF, BNF | PEG, PEG => true | _, _ => false end.

Definition operator_eqb (o p : operator) : bool :=
  match o, p with Union, Union | Minus, Minus => true | _, _ => false end.

Fixpoint expr_eqb (a b : expr) : bool :=
  match a, b with
  | Empty, Empty => true
  | Bytes s, Bytes t => s =? t
  | Seq a b, Seq c d | Alt a b, Alt c d => expr_eqb a c && expr_eqb b d
  | Star a, Star b | And a, And b | Not a, Not b => expr_eqb a b
  | Rule m, Rule n => String.eqb m n
  | _, _ => false
  end.

Lemma expr_eqb_eq a : forall b, expr_eqb a b = true -> a = b.
Proof.
  induction a; destruct b; simpl; try discriminate; intros H; try reflexivity;
    try (apply andb_prop in H as []); f_equal; auto.
  - now apply N.eqb_eq.
  - now apply String.eqb_eq.
Qed.

Definition is {A} (eqb : A -> A -> bool) (o : option A) (a : A) : bool := match o with Some b => eqb b a | None => false end.

Lemma is_number o n : is N.eqb o n = true -> o = Some n.
Proof. destruct o; simpl; [|discriminate]. intros H. f_equal. now apply N.eqb_eq. Qed.

Lemma is_expr o e : is expr_eqb o e = true -> o = Some e.
Proof. destruct o; simpl; [|discriminate]. intros H. f_equal. now apply expr_eqb_eq. Qed.

Definition all_bytes : list byte := flat_map (fun n => match Byte.of_nat n with Some b => [b] | None => [] end) (List.seq 0 256).

Lemma all_bytes_all b : In b all_bytes.
Proof.
  assert (H : existsb (Byte.eqb b) all_bytes = true) by (destruct b; reflexivity).
  apply existsb_exists in H as (x & I & E). apply byte_dec_bl in E. congruence.
Qed.

(** ** Languages *)

Section Languages.
Variable class : byte -> N.
Variable all_classes : list N.
Variable rows : M.t (bool * steps).
Variable operation_lines : operator -> list (N * N * N).
Variable operation : operator -> M.t (M.t N).

Fixpoint look_up (l : steps) (x : N) : N :=
  match l with
  | [] => 0
  | (from, to, q) :: l => if x <=? to then if from <=? x then q else 0 else look_up l x
  end.

(** Language 0 has no word, 1 every word, 2 the empty word. *)
Definition next (q x : N) : N :=
  if q =? 1 then 1 else if q <=? 2 then 0 else match get rows q with Some (_, l) => look_up l x | None => 0 end.

Definition final (q : N) : bool :=
  if q =? 0 then false else if q <=? 2 then true else match get rows q with Some (b, _) => b | None => false end.

Fixpoint accepts (q : N) (w : word) : bool :=
  match w with
  | [] => final q
  | b :: w => accepts (next q (class b)) w
  end.

Definition means (o : operator) (x y : bool) : bool :=
  match o with Union => x || y | Minus => x && negb y end.

(** Plain operations have no line. *)
Definition operate (o : operator) (a b : N) : option N :=
  match o with
  | Union =>
    if (a =? b) || (b =? 0) then Some a else if a =? 0 then Some b else if (a =? 1) || (b =? 1) then Some 1
    else find2 (operation Union) a b
  | Minus =>
    if (a =? b) || (b =? 1) then Some 0 else if (a =? 0) || (b =? 0) then Some a else find2 (operation Minus) a b
  end.

Definition check_operation (o : operator) (l : N * N * N) : bool :=
  let '(a, b, m) := l in
  Bool.eqb (final m) (means o (final a) (final b)) &&
  forallb (fun x => is N.eqb (operate o (next a x) (next b x)) (next m x)) all_classes.

Lemma accepts_none w : accepts 0 w = false.
Proof. induction w; auto. Qed.

Lemma accepts_all w : accepts 1 w = true.
Proof. induction w; auto. Qed.

Hypothesis operation_right : forall o a b m, find2 (operation o) a b = Some m -> In (a, b, m) (operation_lines o).
Hypothesis class_right : forall b, In (class b) all_classes.
Hypothesis operations_checked : forall o, forallb (check_operation o) (operation_lines o) = true.

Lemma line_right o a b m : find2 (operation o) a b = Some m ->
  final m = means o (final a) (final b) /\
  forall x, operate o (next a (class x)) (next b (class x)) = Some (next m (class x)).
Proof.
  intros F. apply operation_right in F. pose proof (operations_checked o) as C. rewrite forallb_forall in C.
  apply C in F. apply andb_prop in F as [F1 F2]. split; [now apply eqb_prop|].
  intros x. rewrite forallb_forall in F2. apply is_number, F2, class_right.
Qed.

Ltac cases := repeat match goal with
  | |- context [N.eqb ?a ?b] => destruct (N.eqb_spec a b); subst; simpl
  end.

Lemma operate_right w : forall o a b m, operate o a b = Some m -> accepts m w = means o (accepts a w) (accepts b w).
Proof.
  assert (plain : forall o a b m v,
    (forall a b, find2 (operation o) a b = Some m -> accepts m v = means o (accepts a v) (accepts b v)) ->
    operate o a b = Some m -> accepts m v = means o (accepts a v) (accepts b v)).
  { intros o a b m v L. destruct o; simpl; cases; intros E;
      try (injection E as <-; rewrite ?accepts_none, ?accepts_all;
        repeat match goal with |- context [accepts ?q v] => destruct (accepts q v) end; reflexivity).
    - exact (L _ _ E).
    - exact (L _ _ E). }
  induction w; intros o x y m; apply plain; clear x y; intros x y L; apply line_right in L as [F S]; simpl; auto.
Qed.
End Languages.

Arguments operate : simpl never.
