(** The table of a parser, the loop that runs it, and the theorem that a table which is checked against a certificate accepts a word
    exactly if the production derives it. *)

From Coq Require Import Bool.
Require Import Grammar Normal Automaton Lines Checker Sound.
Local Open Scope N_scope.

(** A table has columns of bytes. A row says whether the input may end in its state, and where columns lead. The states in which
    the automaton of a production begins are its starts. The relation is no part of the table: it gives each state a language of the certificate. *)
Record table := {
  columns : list (N * set);
  rows : list (N * (bool * steps));
  starts : list (string * list N);
  relation : list (N * N)
}.

(** ** The loop: run of ast/machine.go, in which state 0 is dead *)

Section Run.
Variable column : byte -> N.
Variable row : M.t (bool * steps).

Definition accepting (q : N) : bool := match get row q with Some (b, _) => b | None => false end.

Definition step (q x : N) : N := match get row q with Some (_, l) => look_up l x | None => 0 end.

Fixpoint run (q : N) (src : word) : bool :=
  match src with
  | [] => accepting q
  | b :: src =>
    let to := step q (column b) in
    if to =? 0 then false else run to src
  end.
End Run.

Definition column_in (t : table) : M.t N :=
  fold_right (fun b m => match find (fun '(_, s) => mem b s) (columns t) with Some (n, _) => put (Byte.to_N b) n m | None => m end)
    (M.empty N) all_bytes.

(** The table accepts a word as a production if it does so from one of its starts. *)
Definition table_accepts (t : table) (production : string) (w : word) : bool :=
  match find_rule (starts t) production with
  | Some states => existsb (fun q => run (class_in (column_in t)) (map_of (rows t)) q w) states
  | None => false
  end.

(** ** The checker *)

Section Check.
Variable column class : byte -> N.
Variable row language_rows : M.t (bool * steps).
Variable related : M.t N.

(** The language of a state. *)
Definition language_of (q : N) : option N := if q =? 0 then Some 0 else get related q.

Definition check_state (bytes : list (N * N)) (x : N * N) : bool :=
  let '(q, l) := x in
  Bool.eqb (accepting row q) (final language_rows l) &&
  forallb (fun '(c, k) => is N.eqb (language_of (step row q c)) (next language_rows l k)) bytes.

Variable bytes : list (N * N).
Variable relation : list (N * N).
Hypothesis all_bytes_known : forall b, In (column b, class b) bytes.
Hypothesis related_right : forall q l, get related q = Some l -> In (q, l) relation.
Hypothesis checked : forallb (check_state bytes) relation = true.

Lemma run_right w : forall q l, get related q = Some l -> run column row q w = accepts class language_rows l w.
Proof.
  induction w as [|b w IH]; intros q l R; apply related_right in R; rewrite forallb_forall in checked; apply checked, andb_prop in R as [A S];
    simpl.
  - now apply eqb_prop.
  - rewrite forallb_forall in S. specialize (S _ (all_bytes_known b)). simpl in S. apply is_number in S. unfold language_of in S.
    destruct (step row q (column b) =? 0).
    + injection S as <-. symmetry. apply accepts_none.
    + now apply IH.
Qed.
End Check.

(** What a list has, once. *)
Definition pair_eqb (x y : N * N) : bool := (fst x =? fst y) && (snd x =? snd y).
Definition distinct (l : list (N * N)) : list (N * N) := fold_right (fun x l => if existsb (pair_eqb x) l then l else x :: l) [] l.

Lemma distinct_in l x : In x l -> In x (distinct l).
Proof.
  induction l as [|y l IH]; simpl; [auto|]. destruct (existsb (pair_eqb y) (distinct l)) eqn:E; intros [->|I]; simpl; auto.
  apply existsb_exists in E as (z & I & E). apply andb_prop in E as [E1 E2]. apply N.eqb_eq in E1, E2.
  destruct x, z; simpl in *; congruence.
Qed.

(** The language that several are together, by the unions that the certificate states. *)
Definition join (operation : operator -> M.t (M.t N)) (a b : option N) : option N :=
  match a, b with Some a, Some b => operate operation Union a b | _, _ => None end.
Definition union_of (operation : operator -> M.t (M.t N)) : list (option N) -> option N -> option N := fold_left (join operation).

Lemma union_none operation languages : union_of operation languages None = None.
Proof. induction languages; simpl; auto. Qed.

Definition check_table (g p : grammar) (c : certificate) (t : table) : bool :=
  let s := tables_of g p c in
  let column := class_in (column_in t) in
  let class := class_in (t_class s) in
  let related := map_of (relation t) in
  let bytes := distinct (map (fun b => (column b, class b)) all_bytes) in
  forallb (check_state (map_of (rows t)) (t_rows s) related bytes) (relation t) &&
  forallb (fun '(production, states) =>
    match union_of (t_operation s) (map (get related) states) (Some 0), rule_language c s BNF production with
    | Some l, Some m => l =? m
    | _, _ => false
    end) (starts t).

Section Right.
Variable g p : grammar.
Variable c : certificate.
Variable t : table.
Hypothesis checked : check g p c = true.
Hypothesis table_checked : check_table g p c t = true.

Let s := tables_of g p c.
Let accepted := accepts (class_in (t_class s)) (t_rows s).

Lemma union_right languages w : forall a m, union_of (t_operation s) languages a = Some m ->
  (forall l, In l (a :: languages) -> l <> None) /\
  (accepted m w = true <-> exists l, In (Some l) (a :: languages) /\ accepted l w = true).
Proof.
  induction languages as [|b languages IH]; simpl; intros a m U.
  - subst a. split; [intros l [<-|[]]; discriminate|]. split; [eauto|]. intros (l & [[= ->]|[]] & A). exact A.
  - destruct a as [a|]; [|rewrite union_none in U; discriminate]. destruct b as [b|]; [|simpl in U; rewrite union_none in U; discriminate].
    simpl in U. destruct (operate (t_operation s) Union a b) as [k|] eqn:E; [|rewrite union_none in U; discriminate].
    destruct (IH _ _ U) as [Known Same]. assert (O : accepted k w = accepted a w || accepted b w) by exact (operate_known g p c checked _ _ _ _ E w).
    split.
    + intros l [<-|[<-|I]]; try discriminate. apply Known. simpl. auto.
    + rewrite Same. split.
      * intros (l & [[= <-]|I] & A); [|exists l; auto]. rewrite O in A. apply orb_prop in A as [A|A]; eauto.
      * intros (l & [[= <-]|[[= <-]|I]] & A); [exists k|exists k|exists l]; (split; [simpl; auto|]); try exact A; rewrite O; apply orb_true_iff; auto.
Qed.

Lemma state_right w q l : get (map_of (relation t)) q = Some l -> run (class_in (column_in t)) (map_of (rows t)) q w = accepted l w.
Proof.
  pose proof table_checked as H. unfold check_table in H. cbv zeta in H. apply andb_prop in H as [R _].
  refine (run_right _ _ _ _ _ _ _ _ (fun q l => map_of_in _ _ q l) R w q l).
  intros b. apply distinct_in, (in_map (fun b => (_ b, _ b))), all_bytes_all.
Qed.

(** The table accepts exactly what the production derives. *)
Theorem table_right production : In production (map fst (starts t)) ->
  forall w, table_accepts t production w = true <-> derives g (Rule production) w.
Proof.
  intros I w. unfold table_accepts.
  assert (F : exists states, find_rule (starts t) production = Some states).
  { clear - I. induction (starts t) as [|[n a] l IH]; simpl in *; [contradiction|]. destruct (String.eqb_spec n production) as [|N]; [eauto|].
    destruct I as [E|I]; [contradiction|auto]. }
  destruct F as [states F]. rewrite F. apply find_rule_in in F.
  pose proof table_checked as H. unfold check_table in H. cbv zeta in H. apply andb_prop in H as [_ S].
  rewrite forallb_forall in S. apply S in F. clear S. fold s in F.
  destruct (union_of _ _ _) as [l|] eqn:U; [|discriminate]. destruct (rule_language c s BNF production) as [m|] eqn:L; [|discriminate].
  apply N.eqb_eq in F. subst m. rewrite <- (production_language g p c checked production l L w).
  change (existsb (fun q => run (class_in (column_in t)) (map_of (rows t)) q w) states = true <-> accepted l w = true).
  destruct (union_right _ w _ _ U) as [Known Same]. rewrite Same, existsb_exists. split.
  - intros (q & Q & A). destruct (get (map_of (relation t)) q) as [k|] eqn:G.
    + exists k. split; [right; rewrite <- G; now apply in_map|]. now rewrite <- (state_right w q k G).
    + exfalso. apply (Known None); [|reflexivity]. right. rewrite <- G. now apply in_map.
  - intros (k & [[= <-]|K] & A); [unfold accepted in A; rewrite accepts_none in A; discriminate|].
    apply in_map_iff in K as (q & G & Q). exists q. split; [exact Q|]. now rewrite (state_right w q k G).
Qed.
End Right.

Print Assumptions table_right.
