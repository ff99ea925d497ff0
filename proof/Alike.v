(** Grammars whose terms are the same derive and match the same: so a theorem about productions as they are printed is one about what a
    reader makes of a file. *)

From Coq Require Import Bool.
Require Import Grammar Normal Automaton Table Reader Total.

(** Each rule of g has the term in h that h has for it. *)
Definition within (g h : grammar) : bool :=
  let one := one_byte h in
  forallb (fun '(n, _) =>
    match body g n, body h n with Some a, Some b => expr_eqb (normal one a) (normal one b) | _, _ => false end) g.

Definition alike (g h : grammar) : bool := within g h && within h g.

Lemma body_within g h n a : within g h = true -> body g n = Some a ->
  exists b, body h n = Some b /\ normal (one_byte h) a = normal (one_byte h) b.
Proof.
  intros W B. unfold within in W. rewrite forallb_forall in W.
  assert (I : exists e, In (n, e) g).
  { clear W. induction g as [|[m e] g IH]; [discriminate|]. simpl in B. destruct (String.eqb_spec m n) as [->|].
    - exists e. now left.
    - destruct (IH B) as [e' I]. exists e'. now right. }
  destruct I as [e I]. apply W in I. rewrite B in I. destruct (body h n) as [b|]; [|discriminate].
  exists b. split; [reflexivity|]. now apply expr_eqb_eq.
Qed.

Lemma within_derives g h : within g h = true -> forall e w, derives g e w -> derives h e w.
Proof.
  intros W e w D. induction D; try (now constructor); try (now apply derives_second).
  destruct (body_within _ _ _ _ W H) as (b & B & N). apply (derives_rule h name b u B).
  apply normal_derives. rewrite <- N. now apply normal_derives in IHD.
Qed.

Lemma within_parses g h : within g h = true -> forall e w r, parses g e w r -> parses h e w r.
Proof.
  intros W e w r P. induction P; try (econstructor; eassumption).
  destruct (body_within _ _ _ _ W H) as (b & B & N). apply (parses_rule h name b w r B).
  apply normal_parses. rewrite <- N. now apply normal_parses in IHP.
Qed.

Lemma alike_derives g h : alike g h = true -> forall e w, derives g e w <-> derives h e w.
Proof. intros A. apply andb_prop in A as [A1 A2]. split; now apply within_derives. Qed.

Lemma alike_parses g h : alike g h = true -> forall e w r, parses g e w r <-> parses h e w r.
Proof. intros A. apply andb_prop in A as [A1 A2]. split; now apply within_parses. Qed.

Theorem alike_pairs g h p q pairs : alike g h = true -> alike p q = true -> equal_pairs g p pairs -> equal_pairs h q pairs.
Proof.
  intros G P E production rule I w. destruct (E production rule I w) as [[r R] D]. split.
  - exists r. now apply (alike_parses p q P).
  - rewrite <- (alike_derives g h G). rewrite D. apply (alike_parses p q P).
Qed.

Theorem alike_tables g h t tabled : alike g h = true -> table_equal g t tabled -> table_equal h t tabled.
Proof. intros G T production I w. rewrite (T production I w). now apply alike_derives. Qed.

(** A text in parts. *)
Definition joined (l : list text) : list byte := flat_map bytes_of l.
