(** A text that the reader and the checker accept is a proof. *)

Require Import Grammar Automaton Checker Sound Reader.

(** For each of these pairs and every word: the rule succeeds or fails, and the production derives the word exactly if the rule
    matches it from its first byte to its last. *)
Definition equal_pairs (g p : grammar) (pairs : list (string * string)) : Prop :=
  forall production rule, In (production, rule) pairs -> forall w,
    (exists r, parses p (Rule rule) w r) /\ (derives g (Rule production) w <-> matches p rule w).

(** A production derives a word, or does not. *)
Definition examples_right (g : grammar) (examples : list (string * string * bool)) : Prop :=
  forall production s b, In (production, s, b) examples -> b = true <-> derives g (Rule production) (bytes s).

Definition names_eqb (x y : string * string) : bool := String.eqb (fst x) (fst y) && String.eqb (snd x) (snd y).

(** The text is a certificate that is right, it states of each of these pairs that they are equal, and the examples follow. *)
Definition verifies (g p : grammar) (text : list text) (pairs : list (string * string)) (examples : list (string * string * bool)) : bool :=
  match read text with
  | Some c =>
    check g p c &&
    forallb (fun x => existsb (fun '(production, rule, _) => names_eqb x (production, rule)) (equals c)) pairs &&
    forallb (fun '(production, s, b) => is Bool.eqb (derived g p c production (bytes s)) b) examples
  | None => false
  end.

Theorem verifies_right g p text pairs examples : verifies g p text pairs examples = true ->
  equal_pairs g p pairs /\ examples_right g examples.
Proof.
  unfold verifies. destruct (read text) as [c|]; [|discriminate]. intros H.
  apply andb_prop in H as [H W]. apply andb_prop in H as [C E]. split.
  - intros production rule I. rewrite forallb_forall in E. apply E, existsb_exists in I as ([[a b] l] & I & N).
    unfold names_eqb in N. simpl in N. apply andb_prop in N as [N1 N2].
    apply String.eqb_eq in N1, N2. subst a b. exact (equal_right g p c C production rule l I).
  - intros production s b I. rewrite forallb_forall in W. apply W in I. unfold is in I.
    destruct (derived g p c production (bytes s)) as [b'|] eqn:D; [|discriminate].
    apply Bool.eqb_prop in I. subst b'. exact (derived_right g p c production _ b C D).
Qed.

Print Assumptions verifies_right.
