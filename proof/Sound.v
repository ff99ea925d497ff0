From Coq Require Import FMapPositive Bool.
Require Import Grammar Theory Normal Automaton Lines Checker.
Local Open Scope N_scope.

(** ** What it accepts is true *)

Section Right.
Variable g p : grammar.
Variable c : certificate.
Hypothesis checked : check g p c = true.

Let t := tables_of g p c.
Let class := class_in (t_class t).
Let tree s := t_tree (t_side t s).
Let line s := t_line (t_side t s).

Lemma parts :
  (forall o, check_operations c t o = true) /\ (forall s, check_side g p c t s = true) /\
  forallb (check_equal c t) (equals c) = true /\ forallb (check_differ c t) (differs c) = true.
Proof.
  pose proof checked as H. unfold check, check_all in H. fold t in H. rewrite !andb_true_iff in H.
  destruct H as [[[[[HU HM] HN] HP] HE] HD]. split; [|split; [|split]]; try assumption; intros []; assumption.
Qed.

Lemma side_parts s :
  forallb (check_nullable (pair_of g p) (fun s => one_of (t_nullable (t_side t s))) s) (pair_of g p s) = true /\
  forallb (check_term tree s) (terms c) = true /\
  forallb (check_line class (t_rows t) (t_operation t) (t_term t) tree line (fun s => one_of (t_nullable (t_side t s)))
    (fun s => t_body (t_side t s)) s) (lines c s) = true.
Proof.
  destruct parts as (_ & H & _). specialize (H s). unfold check_side in H. rewrite !andb_true_iff in H. tauto.
Qed.

Lemma operation_in o a b m : find2 (t_operation t o) a b = Some m -> In (a, b, m) (operations c o).
Proof. destruct o; apply map2_of_in. Qed.

Lemma line_in s a b m : find2 (line s) a b = Some m -> In (a, b, m) (lines c s).
Proof. destruct s; apply map2_of_in. Qed.

Lemma class_known b : In (class b) (t_classes t).
Proof. apply nodup_In, in_map, all_bytes_all. Qed.

Lemma term_like_right m l e i : term_like m l e = Some i -> get m i = Some e.
Proof.
  unfold term_like. destruct (find _ _) as [[j n]|] eqn:F; [|discriminate]. intros [= ->].
  apply find_some in F as [_ F]. now apply is_expr.
Qed.

Lemma body_known s n i : find_rule (t_body (t_side t s)) n = Some i ->
  exists e, In (n, e) (bodies (pair_of g p s)) /\ get (tree s) i = Some e /\
    (first (one_of (t_nullable (t_side t s))) (rank_in (t_rank (t_side t s))) e <= rank_in (t_rank (t_side t s)) n)%nat.
Proof.
  intros F. apply find_rule_in in F.
  assert (S : t_side t s = side_of (pair_of g p s) c s) by (destruct s; reflexivity).
  unfold tree. rewrite S in *. clear S. unfold side_of, t_body in F. apply in_flat_map in F as ([m e] & I & F).
  destruct (term_like _ _ _) as [j|] eqn:T; [|contradiction]. destruct (Nat.leb _ _) eqn:L; [|contradiction].
  destruct F as [F|[]]. injection F as -> ->. exists e. split; [exact I|]. split; [|now apply PeanoNat.Nat.leb_le].
  now apply term_like_right in T.
Qed.

Lemma operate_known o a b m : operate (t_operation t) o a b = Some m ->
  forall w, accepts class (t_rows t) m w = means o (accepts class (t_rows t) a w) (accepts class (t_rows t) b w).
Proof.
  intros H w. exact (operate_right class (t_classes t) _ _ _ operation_in class_known (proj1 parts) w _ _ _ _ H).
Qed.

Lemma rule_language_right s n m : rule_language c t s n = Some m -> before tree line s (Rule n) 2 m.
Proof.
  unfold rule_language. fold tree line. destruct (term_like _ _ _) as [i|] eqn:T; [|discriminate].
  intros O. exists i. split; [now apply term_like_right in T|exact O].
Qed.

Lemma accepts_empty rows w : accepts class rows 2 w = true <-> w = [].
Proof. destruct w; simpl; [tauto|]. rewrite accepts_none. split; discriminate. Qed.

Lemma production_language n m : rule_language c t BNF n = Some m ->
  forall w, accepts class (t_rows t) m w = true <-> derives g (Rule n) w.
Proof.
  intros L w. apply rule_language_right in L.
  rewrite (derives_accepts (pair_of g p) class (t_rows t) (t_operation t) (terms c) (t_term t) tree (lines c) line
    (fun s => one_of (t_nullable (t_side t s))) (fun s => rank_in (t_rank (t_side t s))) (fun s => t_body (t_side t s))
    (map_of_in _ _) line_in body_known operate_known (fun s => proj1 (proj2 (side_parts s)))
    (fun s => proj2 (proj2 (side_parts s))) (fun s => proj1 (side_parts s)) _ _ _ L).
  split.
  - intros (u & v & -> & D & A). apply accepts_empty in A as ->. now rewrite app_nil_r.
  - intros D. exists w, []. rewrite app_nil_r. auto.
Qed.

Lemma peg_language n m : rule_language c t PEG n = Some m -> forall w,
  (exists r, parses p (Rule n) w r) /\ (accepts class (t_rows t) m w = true <-> matches p n w).
Proof.
  intros L w. apply rule_language_right in L.
  destruct (parses_accepts (pair_of g p) class (t_rows t) (t_operation t) (terms c) (t_term t) tree (lines c) line
    (fun s => one_of (t_nullable (t_side t s))) (fun s => rank_in (t_rank (t_side t s))) (fun s => t_body (t_side t s))
    (map_of_in _ _) line_in body_known operate_known (fun s => proj1 (proj2 (side_parts s)))
    (fun s => proj2 (proj2 (side_parts s))) (fun s => proj1 (side_parts s)) _ _ _ L w) as (r & P & A).
  split; [eauto|]. rewrite A. split.
  - destruct r as [|v]; [discriminate|]. intros E. apply accepts_empty in E as ->. exact P.
  - intros Q. rewrite (parses_unique _ _ _ _ P _ Q). reflexivity.
Qed.

Theorem equal_right production rule l : In (production, rule, l) (equals c) -> forall w,
  (exists r, parses p (Rule rule) w r) /\ (derives g (Rule production) w <-> matches p rule w).
Proof.
  intros I w. destruct parts as (_ & _ & E & _). rewrite forallb_forall in E. apply E, andb_prop in I as [B P].
  apply is_number in B, P. destruct (peg_language _ _ P w) as [R M]. split; [exact R|].
  rewrite <- M. symmetry. now apply production_language.
Qed.

Theorem differ_right production rule w : In (production, rule, w) (differs c) ->
  ~ (derives g (Rule production) w <-> matches p rule w).
Proof.
  intros I H. destruct parts as (_ & _ & _ & D). rewrite forallb_forall in D. apply D in I. simpl in I.
  destruct (rule_language c t BNF production) as [l|] eqn:B; [|discriminate].
  destruct (rule_language c t PEG rule) as [m|] eqn:P; [|discriminate].
  pose proof (production_language _ _ B w) as X. destruct (peg_language _ _ P w) as [_ Y].
  change (xorb (accepts class (t_rows t) l w) (accepts class (t_rows t) m w) = true) in I.
  destruct (accepts class (t_rows t) l w), (accepts class (t_rows t) m w); try discriminate I;
    assert (true = true) by reflexivity; assert (E : false = true) by tauto; discriminate E.
Qed.
End Right.

(** Whether a production derives a word, by the certificate. *)
Definition derived (g p : grammar) (c : certificate) (production : string) (w : word) : option bool :=
  let t := tables_of g p c in
  option_map (fun l => accepts (class_in (t_class t)) (t_rows t) l w) (rule_language c t BNF production).

Theorem derived_right g p c production w b : check g p c = true -> derived g p c production w = Some b ->
  (b = true <-> derives g (Rule production) w).
Proof.
  intros C. unfold derived. destruct (rule_language c (tables_of g p c) BNF production) as [l|] eqn:L; [|discriminate].
  intros [= <-]. exact (production_language g p c C production l L w).
Qed.

Print Assumptions equal_right.
Print Assumptions differ_right.
