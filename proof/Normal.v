(** The terms of certificates: expressions in which sequences and choices nest to the right, neighboring alternatives of one
    byte are one set, & is !!, and the name of a rule that is one byte is replaced by its set. They mean what the expressions mean. *)

Require Import Grammar.

(** [a] before [b]: ( x y ) b = x ( y b ), and "" b = b "" = b. *)
Fixpoint seq (a b : expr) : expr :=
  match b with
  | Empty => a
  | _ =>
    match a with
    | Empty => b
    | Seq x y => seq x (seq y b)
    | _ => Seq a b
    end
  end.

(** ( x / y ) / b = x / ( y / b ). *)
Fixpoint alt (a b : expr) : expr :=
  match a, b with
  | Alt x y, _ => alt x (alt y b)
  | Bytes s, Bytes t => Bytes (N.lor s t)
  | Bytes s, Alt (Bytes t) y => Alt (Bytes (N.lor s t)) y
  | _, _ => Alt a b
  end.

Fixpoint find_rule {A} (l : list (string * A)) (name : string) : option A :=
  match l with
  | [] => None
  | (n, a) :: l => if String.eqb n name then Some a else find_rule l name
  end.

Fixpoint normal (one : list (string * set)) (e : expr) : expr :=
  match e with
  | Empty => Empty
  | Bytes s => Bytes s
  | Seq a b => seq (normal one a) (normal one b)
  | Alt a b => alt (normal one a) (normal one b)
  | Star a => Star (normal one a)
  | And a => Not (Not (normal one a))
  | Not a => Not (normal one a)
  | Rule n => match find_rule one n with Some s => Bytes s | None => Rule n end
  end.

(** The rules that are one byte, as far as some are known already. *)
Definition more (g : grammar) (one : list (string * set)) : list (string * set) :=
  flat_map (fun '(n, _) =>
    match body g n with
    | Some e => match normal one e with Bytes s => [(n, s)] | _ => [] end
    | None => []
    end) g.

(** [f] applied until nothing changes, or often enough. *)
Fixpoint iterate {A} (rounds : nat) (same : A -> A -> bool) (f : A -> A) (x : A) : A :=
  match rounds with
  | 0 => x
  | S n => let y := f x in if same x y then x else iterate n same f y
  end.

Definition one_byte (g : grammar) : list (string * set) :=
  iterate (length g) (fun x y => Nat.eqb (length x) (length y)) (more g) [].

(** The bodies of all rules, in that form. *)
Definition bodies (g : grammar) : list (string * expr) :=
  let one := one_byte g in
  flat_map (fun '(n, _) => match body g n with Some e => [(n, normal one e)] | None => [] end) g.

Lemma iterate_keeps A (P : A -> Prop) same f : (forall x, P x -> P (f x)) -> forall n x, P x -> P (iterate n same f x).
Proof. intros H n. induction n; simpl; auto. intros x X. destruct same; auto. Qed.

(** ** Both forms mean the same *)

Section Same.
Variable g : grammar.
Variable same : expr -> expr -> Prop.
Hypothesis same_refl : forall a, same a a.
Hypothesis same_sym : forall a b, same a b -> same b a.
Hypothesis same_trans : forall a b c, same a b -> same b c -> same a c.
Hypothesis same_seq : forall a a' b b', same a a' -> same b b' -> same (Seq a b) (Seq a' b').
Hypothesis same_alt : forall a a' b b', same a a' -> same b b' -> same (Alt a b) (Alt a' b').
Hypothesis same_star : forall a a', same a a' -> same (Star a) (Star a').
Hypothesis same_and : forall a a', same a a' -> same (And a) (Not (Not a')).
Hypothesis same_not : forall a a', same a a' -> same (Not a) (Not a').
Hypothesis same_rule : forall n e, body g n = Some e -> same (Rule n) e.
Hypothesis empty_seq : forall a, same (Seq Empty a) a.
Hypothesis seq_empty : forall a, same (Seq a Empty) a.
Hypothesis seq_seq : forall a b c, same (Seq (Seq a b) c) (Seq a (Seq b c)).
Hypothesis alt_alt : forall a b c, same (Alt (Alt a b) c) (Alt a (Alt b c)).
Hypothesis alt_bytes : forall s t, same (Alt (Bytes s) (Bytes t)) (Bytes (N.lor s t)).

Lemma seq_same a : forall b, same (Seq a b) (seq a b).
Proof. induction a; destruct b; simpl; eauto. Qed.

Lemma alt_same a : forall b, same (Alt a b) (alt a b).
Proof. induction a; destruct b; simpl; eauto. destruct b1; eauto. Qed.

Lemma normal_same one : (forall n s, find_rule one n = Some s -> same (Rule n) (Bytes s)) -> forall e, same e (normal one e).
Proof.
  intros H e. induction e; simpl; eauto using seq_same, alt_same. destruct (find_rule one name) eqn:E; auto.
Qed.

Lemma find_rule_in A (l : list (string * A)) n a : find_rule l n = Some a -> In (n, a) l.
Proof.
  induction l as [|[m b] l]; simpl; [discriminate|]. destruct (String.eqb_spec m n); [|auto].
  intros [= ->]. left. congruence.
Qed.

Lemma more_same one : (forall n s, find_rule one n = Some s -> same (Rule n) (Bytes s)) ->
  forall n s, find_rule (more g one) n = Some s -> same (Rule n) (Bytes s).
Proof.
  intros H n s F. apply find_rule_in, in_flat_map in F as ([m e'] & _ & F).
  destruct (body g m) as [e|] eqn:B; [|contradiction]. pose proof (normal_same one H e) as E.
  destruct (normal one e) eqn:N; try contradiction. destruct F as [[= -> ->]|[]]. eauto.
Qed.

Lemma one_byte_same n s : find_rule (one_byte g) n = Some s -> same (Rule n) (Bytes s).
Proof.
  revert n s. unfold one_byte. apply (iterate_keeps _ (fun one => forall n s, find_rule one n = Some s -> same (Rule n) (Bytes s))).
  - exact more_same.
  - discriminate.
Qed.

Lemma normal_right e : same e (normal (one_byte g) e).
Proof. apply normal_same. exact one_byte_same. Qed.
End Same.

Lemma mem_lor b s t : mem b (N.lor s t) = (mem b s || mem b t)%bool.
Proof. apply N.lor_spec. Qed.

Lemma in_bodies g n e : In (n, e) (bodies g) -> exists b, body g n = Some b /\ e = normal (one_byte g) b.
Proof.
  unfold bodies. intros I. apply in_flat_map in I as ([m e'] & _ & I). destruct (body g m) as [b|] eqn:B; [|contradiction].
  destruct I as [[= -> <-]|[]]. eauto.
Qed.

Lemma normal_derives g whole : forall u, derives g whole u <-> derives g (normal (one_byte g) whole) u.
Proof.
  apply (normal_right g (fun a b => forall u, derives g a u <-> derives g b u)).
  - reflexivity.
  - intros. symmetry. auto.
  - intros a b c H1 H2 u. rewrite H1. auto.
  - intros a a' b b' H1 H2 u. split; intros D; inversion D; subst; constructor; firstorder.
  - intros a a' b b' H1 H2 u. split; intros D; inversion D; subst; solve [apply derives_first; firstorder | apply derives_second; firstorder].
  - intros a a' H u. split; intros D; [remember (Star a) as e eqn:E|remember (Star a') as e eqn:E]; induction D; inversion E; subst; constructor; firstorder.
  - intros a a' H u. split; intros D; inversion D.
  - intros a a' H u. split; intros D; inversion D.
  - intros n e B u. split; intros D; [inversion D; congruence|econstructor; eauto].
  - intros a u. split; intros D; [inversion D; subst; inversion H1; subst; auto|apply (derives_seq _ _ _ []); auto; constructor].
  - intros a u. split; intros D.
    + inversion D; subst. inversion H3; subst. rewrite app_nil_r. auto.
    + rewrite <- (app_nil_r u). constructor; auto; constructor.
  - intros a b c u. split; intros D; inversion D as [| |x y v w Dx Dy| | | | | ]; subst.
    + inversion Dx; subst. rewrite <- app_assoc. repeat constructor; auto.
    + inversion Dy; subst. rewrite app_assoc. repeat constructor; auto.
  - intros a b c u. split; intros D; inversion D as [| | |x y v Dx|x y v Dx| | | ]; subst.
    + inversion Dx; subst; [apply derives_first|apply derives_second, derives_first]; auto.
    + apply derives_second, derives_second; auto.
    + apply derives_first, derives_first; auto.
    + inversion Dx; subst; [apply derives_first, derives_second|apply derives_second]; auto.
  - intros s t u. split; intros D.
    + inversion D; subst; inversion H2; subst; constructor; unfold mem in *; rewrite N.lor_spec, H0; auto using Bool.orb_true_r.
    + inversion D; subst. unfold mem in *. rewrite N.lor_spec in H0. apply Bool.orb_true_iff in H0 as [|];
        [apply derives_first|apply derives_second]; constructor; auto.
Qed.

Lemma bodies_derive g n e : In (n, e) (bodies g) -> forall u, derives g (Rule n) u <-> derives g e u.
Proof.
  intros I u. apply in_bodies in I as (b & B & ->). rewrite <- normal_derives. split; intros D; [inversion D; congruence|econstructor; eauto].
Qed.

Ltac ways H := let F := fresh in let B := fresh in
  assert (F := fun w r => proj1 (H w r)); assert (B := fun w r => proj2 (H w r)); cbv beta in F, B; clear H.

Lemma normal_parses g whole : forall w r, parses g whole w r <-> parses g (normal (one_byte g) whole) w r.
Proof.
  apply (normal_right g (fun a b => forall w r, parses g a w r <-> parses g b w r)).
  - reflexivity.
  - intros. symmetry. auto.
  - intros a b c H1 H2 w r. rewrite H1. auto.
  - intros a a' b b' H1 H2 w r. ways H1. ways H2. split; intros P; inversion P; subst; eauto using parses_seq, parses_seq_fails.
  - intros a a' b b' H1 H2 w r. ways H1. ways H2. split; intros P; inversion P; subst; eauto using parses_first, parses_second.
  - intros a a' H w r. ways H. split; intros P; [remember (Star a) as e eqn:E|remember (Star a') as e eqn:E]; induction P; inversion E; subst; eauto using parses_none, parses_more.
  - intros a a' H w r. ways H. split; intros P; inversion P; subst; repeat match goal with
      | H : parses _ (Not _) _ _ |- _ => inversion H; subst; clear H
      end; eauto using parses_and, parses_and_fails, parses_not, parses_not_fails.
  - intros a a' H w r. ways H. split; intros P; inversion P; subst; eauto using parses_not, parses_not_fails.
  - intros n e B w r. split; intros P; [inversion P; congruence|econstructor; eauto].
  - intros a w r. split; intros P.
    + inversion P as [| | | |x y w' v r' Px Py|x y w' Px| | | | | | | | | ]; subst; inversion Px; subst; auto.
    + eapply parses_seq; eauto. constructor.
  - intros a w r. split; intros P.
    + inversion P as [| | | |x y w' v r' Px Py|x y w' Px| | | | | | | | | ]; subst; auto. inversion Py; subst; auto.
    + destruct r as [|v]; [apply parses_seq_fails|eapply parses_seq]; eauto. constructor.
  - intros a b c w r. split; intros P; inversion P as [| | | |x y w' v r' Px Py|x y w' Px| | | | | | | | | ]; subst.
    + inversion Px; subst. eauto using parses_seq.
    + inversion Px; subst; eauto using parses_seq, parses_seq_fails.
    + inversion Py; subst; eauto using parses_seq, parses_seq_fails.
    + eauto using parses_seq, parses_seq_fails.
  - intros a b c w r. split; intros P; inversion P as [| | | | | |x y w' v Px|x y w' r' Px Py| | | | | | | ]; subst.
    + inversion Px; subst; eauto using parses_first, parses_second.
    + inversion Px; subst; eauto using parses_second.
    + eauto using parses_first.
    + inversion Py; subst; eauto using parses_first, parses_second.
  - intros s t w r. split; intros P.
    + inversion P; subst; repeat match goal with H : parses _ (Bytes _) _ _ |- _ => inversion H; subst; clear H end;
        constructor; rewrite mem_lor; repeat match goal with H : mem _ _ = _ |- _ => rewrite H end; auto using Bool.orb_true_r.
    + inversion P as [|s' b v M|s' b v M|s'| | | | | | | | | | |]; subst.
      * rewrite mem_lor in M. destruct (mem b s) eqn:S; [apply parses_first|apply parses_second]; constructor; auto.
      * rewrite mem_lor in M. apply Bool.orb_false_iff in M as []. apply parses_second; constructor; auto.
      * apply parses_second; constructor.
Qed.

Lemma bodies_parse g n e : In (n, e) (bodies g) -> forall w r, parses g (Rule n) w r <-> parses g e w r.
Proof.
  intros I w r. apply in_bodies in I as (b & B & ->). rewrite <- normal_parses. split; intros P; [inversion P; congruence|econstructor; eauto].
Qed.
