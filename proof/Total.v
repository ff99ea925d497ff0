(** A text that the reader and the checker accept is a proof. *)

Require Import Grammar Automaton Checker Sound Reader.

Definition names_eqb (x y : string * string) : bool := String.eqb (fst x) (fst y) && String.eqb (snd x) (snd y).

(** The text is a certificate that is right, and it states of each of these pairs that they are equal. *)
Definition verifies (g p : grammar) (text : list text) (pairs : list (string * string)) : bool :=
  match read text with
  | Some c => check g p c && forallb (fun x => existsb (fun '(production, rule, _) => names_eqb x (production, rule)) (equals c)) pairs
  | None => false
  end.

Definition equal_pairs (g p : grammar) (pairs : list (string * string)) : Prop :=
  forall production rule, In (production, rule) pairs -> forall w,
    (exists r, parses p (Rule rule) w r) /\ (derives g (Rule production) w <-> matches p rule w).

Theorem verifies_right g p text pairs : verifies g p text pairs = true -> equal_pairs g p pairs.
Proof.
  unfold verifies. destruct (read text) as [c|]; [|discriminate]. intros H production rule I.
  apply andb_prop in H as [C E]. rewrite forallb_forall in E. apply E, existsb_exists in I as ([[a b] l] & I & N).
  unfold names_eqb in N. simpl in N. apply andb_prop in N as [N1 N2].
  apply String.eqb_eq in N1, N2. subst a b. exact (equal_right g p c C production rule l I).
Qed.

Print Assumptions verifies_right.
