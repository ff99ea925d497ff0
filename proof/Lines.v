From Coq Require Import FMapPositive Bool.
Require Import Grammar Theory Normal Automaton.
Local Open Scope N_scope.

(** ** Lines about terms *)

Section Lines.
Variable g : side -> grammar.
Variable class : byte -> N.
Variable rows : M.t (bool * steps).
Variable operation : operator -> M.t (M.t N).
Variable all_terms : list (N * node).
Variable term : M.t node.
Variable tree : side -> M.t expr.
Variable all_lines : side -> list (N * N * N).
Variable line : side -> M.t (M.t N).
Variable nullable_rule : side -> string -> bool.
Variable rank : side -> string -> nat.
Variable body_of : side -> list (string * N).

Notation accepts := (accepts class rows).
Notation operate := (operate operation).

(** A term as an expression, from the expressions of its parts. *)
Definition shape (s : side) (tree : M.t expr) (n : node) : option expr :=
  match n with
  | NBytes x => Some (Bytes x)
  | NSeq a b => match get tree a, get tree b with Some a, Some b => Some (Seq a b) | _, _ => None end
  | NAlt a b => match get tree a, get tree b with Some a, Some b => Some (Alt a b) | _, _ => None end
  | NStar a => option_map Star (get tree a)
  | NNot a => option_map Not (get tree a)
  | NRule s' n => if side_eqb s s' then Some (Rule n) else None
  end.

Definition check_term (s : side) (t : N * node) : bool :=
  let '(i, n) := t in
  match get (tree s) i with
  | Some e => is expr_eqb (shape s (tree s) n) e
  | None => true
  end.

(** What a line states of a term in front of a language. *)
Definition of (s : side) (t l : N) : option N :=
  match get (tree s) t with
  | Some Empty => Some l
  | _ => find2 (line s) t l
  end.

(** The words of l on which a fails; in a BNF nothing hides another alternative. *)
Definition fails (s : side) (a l : N) : option N :=
  match s with
  | BNF => Some l
  | PEG => match of s a 1 with Some z => operate Minus l z | None => None end
  end.

Definition check_line (s : side) (x : N * N * N) : bool :=
  let '(t, l, m) := x in
  match get term t with
  | Some (NBytes x) =>
    negb (final rows m) && forallb (fun b => next rows m (class b) =? if mem b x then l else 0) all_bytes
  | Some (NSeq a b) => match of s b l with Some k => is N.eqb (of s a k) m | None => false end
  | Some (NAlt a b) =>
    match of s a l, of s b l with
    | Some x, Some y => match fails s a y with Some y => is N.eqb (operate Union x y) m | None => false end
    | _, _ => false
    end
  | Some (NStar a) =>
    match get (tree s) a, of s a m, fails s a l with
    | Some e, Some x, Some y => negb (nullable (nullable_rule s) e) && is N.eqb (operate Union x y) m
    | _, _, _ => false
    end
  | Some (NNot a) => match s with BNF => false | PEG => is N.eqb (fails s a l) m end
  | Some (NRule _ n) => match find_rule (body_of s) n with Some i => is N.eqb (of s i l) m | None => false end
  | None => false
  end.

(** A rule that can match the empty word is known to. *)
Definition check_nullable (s : side) (r : string * expr) : bool :=
  match body (g s) (fst r) with Some e => implb (nullable (nullable_rule s) e) (nullable_rule s (fst r)) | None => true end.

Hypothesis term_right : forall i n, get term i = Some n -> In (i, n) all_terms.
Hypothesis line_right : forall s a b c, find2 (line s) a b = Some c -> In (a, b, c) (all_lines s).
Hypothesis body_right : forall s n i, find_rule (body_of s) n = Some i ->
  exists e, In (n, e) (bodies (g s)) /\ get (tree s) i = Some e /\ (first (nullable_rule s) (rank s) e <= rank s n)%nat.
Hypothesis operate_right : forall o a b m, operate o a b = Some m -> forall w, accepts m w = means o (accepts a w) (accepts b w).
Hypothesis terms_checked : forall s, forallb (check_term s) all_terms = true.
Hypothesis lines_checked : forall s, forallb (check_line s) (all_lines s) = true.
Hypothesis nullable_checked : forall s, forallb (check_nullable s) (g s) = true.

Definition before (s : side) (e : expr) (l m : N) : Prop := exists t, get (tree s) t = Some e /\ of s t l = Some m.

Definition is_body (s : side) (n : string) (e : expr) : Prop :=
  In (n, e) (bodies (g s)) /\ (first (nullable_rule s) (rank s) e <= rank s n)%nat.

Lemma body_in (h : grammar) n e : body h n = Some e -> exists e', In (n, e') h.
Proof.
  induction h as [|[m x] h IH]; simpl; [discriminate|]. destruct (String.eqb_spec m n) as [->|]; [eauto|].
  intros B. destruct (IH B) as [e' I]. eauto.
Qed.

Lemma nullable_right s n e : body (g s) n = Some e -> nullable (nullable_rule s) e = true -> nullable_rule s n = true.
Proof.
  intros B E. destruct (body_in _ _ _ B) as [e' I]. pose proof (nullable_checked s) as C. rewrite forallb_forall in C.
  apply C in I. unfold check_nullable in I. simpl in I. rewrite B, E in I. exact I.
Qed.

Lemma shape_right s t n e : get term t = Some n -> get (tree s) t = Some e -> shape s (tree s) n = Some e.
Proof.
  intros T E. apply term_right in T. pose proof (terms_checked s) as C. rewrite forallb_forall in C.
  apply C in T. simpl in T. rewrite E in T. now apply is_expr.
Qed.

Lemma reads_right x l m :
  negb (final rows m) && forallb (fun b => next rows m (class b) =? if mem b x then l else 0) all_bytes = true ->
  reads accepts x l m.
Proof.
  intros H. apply andb_prop in H as [F B]. split; [now apply negb_true_iff|].
  intros b w. rewrite forallb_forall in B. specialize (B b (all_bytes_all b)). apply N.eqb_eq in B. simpl. rewrite B.
  destruct (mem b x); auto using accepts_none.
Qed.

Ltac take := match goal with
  | H : context [match ?x with Some _ => _ | None => _ end] |- _ => destruct x eqn:?; simpl in H; try discriminate H
  end.

Lemma before_inv s t l m e : get (tree s) t = Some e -> of s t l = Some m ->
  e = Empty /\ m = l \/ exists n, get term t = Some n /\ shape s (tree s) n = Some e /\ check_line s (t, l, m) = true.
Proof.
  unfold of. intros E. rewrite E. assert (L : find2 (line s) t l = Some m -> check_line s (t, l, m) = true).
  { intros F. apply line_right in F. pose proof (lines_checked s) as C. rewrite forallb_forall in C. auto. }
  destruct e; intros F; try (injection F as <-; auto); right; specialize (L F);
    (destruct (get term t) as [n|] eqn:T; [exists n; eauto using shape_right|unfold check_line in L; rewrite T in L; discriminate L]).
Qed.

Lemma bnf_lines e l m : before BNF e l m ->
  bnf_line (nullable_rule BNF) accepts (before BNF) (is_body BNF) e l m.
Proof.
  intros (t & E & F). destruct (before_inv _ _ _ _ _ E F) as [[-> ->]|(n & T & S & C)]; [reflexivity|].
  unfold check_line in C. rewrite T in C. destruct n; simpl in S.
  - injection S as <-. now apply reads_right.
  - repeat take. injection S as <-. apply is_number in C. simpl. unfold before. eauto 10.
  - repeat take. injection S as <-. apply is_number in C. simpl. unfold before.
    eexists _, _. split; [eauto|]. split; [eauto|]. exact (operate_right _ _ _ _ C).
  - destruct (get (tree BNF) a) as [x|] eqn:A; [|discriminate S]. injection S as <-. repeat take.
    apply andb_prop in C as [N C]. apply is_number in C. apply negb_true_iff in N. simpl. unfold before.
    split; [exact N|]. eexists. split; [eauto|]. exact (operate_right _ _ _ _ C).
  - discriminate C.
  - destruct s; [|discriminate S]. injection S as <-. take. apply is_number in C.
    destruct (body_right _ _ _ Heqo) as (x & I & X & R). simpl. exists x. unfold is_body, before. eauto.
Qed.

Lemma fails_right a l m x : get (tree PEG) a = Some x -> fails PEG a l = Some m ->
  exists z, before PEG x 1 z /\ forall w, accepts m w = accepts l w && negb (accepts z w).
Proof.
  intros A C. simpl in C. take. exists n. split; [exists a; auto|]. exact (operate_right _ _ _ _ C).
Qed.

Lemma peg_lines e l m : before PEG e l m ->
  peg_line (nullable_rule PEG) accepts (before PEG) (is_body PEG) e l m.
Proof.
  intros (t & E & F). destruct (before_inv _ _ _ _ _ E F) as [[-> ->]|(n & T & S & C)]; [reflexivity|].
  unfold check_line in C. rewrite T in C. destruct n; simpl in S.
  - injection S as <-. now apply reads_right.
  - repeat take. injection S as <-. apply is_number in C. simpl. unfold before. eauto 10.
  - destruct (get (tree PEG) a) as [ea|] eqn:A; [|discriminate S]. destruct (get (tree PEG) b) as [eb|] eqn:B; [|discriminate S].
    injection S as <-. destruct (of PEG a l) as [x|] eqn:X; [|discriminate C]. destruct (of PEG b l) as [y|] eqn:Y; [|discriminate C].
    destruct (fails PEG a y) as [y'|] eqn:Y'; [|discriminate C]. apply is_number in C.
    destruct (fails_right _ _ _ _ A Y') as (z & Z & W). exists x, y, z. repeat split; [exists a; auto|exists b; auto|exact Z|].
    intros w. rewrite (operate_right _ _ _ _ C w). simpl. now rewrite W.
  - destruct (get (tree PEG) a) as [ea|] eqn:A; [|discriminate S]. injection S as <-.
    destruct (of PEG a m) as [x|] eqn:X; [|discriminate C]. destruct (fails PEG a l) as [y'|] eqn:Y'; [|discriminate C].
    apply andb_prop in C as [N C]. apply is_number in C. apply negb_true_iff in N.
    destruct (fails_right _ _ _ _ A Y') as (z & Z & W). split; [exact N|]. exists x, z. repeat split; [exists a; auto|exact Z|].
    intros w. rewrite (operate_right _ _ _ _ C w). simpl. now rewrite W.
  - destruct (get (tree PEG) a) as [ea|] eqn:A; [|discriminate S]. injection S as <-. apply is_number in C.
    exact (fails_right _ _ _ _ A C).
  - destruct s; [discriminate S|]. injection S as <-. take. apply is_number in C.
    destruct (body_right _ _ _ Heqo) as (x & I & X & R). simpl. exists x. unfold is_body, before. eauto.
Qed.

Theorem derives_accepts e l m : before BNF e l m -> forall w,
  accepts m w = true <-> exists u v, w = u ++ v /\ derives (g BNF) e u /\ accepts l v = true.
Proof.
  intros B w. eapply (bnf_sound (nullable_rule BNF) (rank BNF) (g BNF)); eauto using nullable_right, bnf_lines.
  intros n x [I R]. split; [exact R|]. now apply bodies_derive.
Qed.

Theorem parses_accepts e l m : before PEG e l m -> forall w,
  exists r, parses (g PEG) e w r /\ accepts m w = match r with Fails => false | Leaves v => accepts l v end.
Proof.
  intros B w. eapply (peg_sound (nullable_rule PEG) (rank PEG) (g PEG)); eauto using nullable_right, peg_lines.
  - intros n x [I R]. split; [exact R|]. now apply bodies_parse.
  - intros v. apply accepts_all.
Qed.
End Lines.
