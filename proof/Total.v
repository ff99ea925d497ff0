(** A text that the reader and the checker accept is a proof. *)

Require Import Grammar Automaton Checker Sound Table Reader.

(** For each of these pairs and every word: the rule succeeds or fails, and the production derives the word exactly if the rule
    matches it from its first byte to its last. *)
Definition equal_pairs (g p : grammar) (pairs : list (string * string)) : Prop :=
  forall production rule, In (production, rule) pairs -> forall w,
    (exists r, parses p (Rule rule) w r) /\ (derives g (Rule production) w <-> matches p rule w).

(** For each of these pairs and its word: the production derives the word and the rule does not match it from its first byte to its
    last, or the other way. *)
Definition different_pairs (g p : grammar) (different : list (string * string * word)) : Prop :=
  forall production rule w, In (production, rule, w) different -> ~ (derives g (Rule production) w <-> matches p rule w).

(** For each of these productions and every word: the table, run by the loop in Table.v from the starts of the production, accepts the
    word exactly if the production derives it. *)
Definition table_equal (g : grammar) (t : table) (tabled : list string) : Prop :=
  forall production, In production tabled -> forall w, table_accepts t production w = true <-> derives g (Rule production) w.

(** A production derives a word, or does not. *)
Definition examples_right (g : grammar) (examples : list (string * string * bool)) : Prop :=
  forall production s b, In (production, s, b) examples -> b = true <-> derives g (Rule production) (bytes s).

Definition names_eqb (x y : string * string) : bool := String.eqb (fst x) (fst y) && String.eqb (snd x) (snd y).

Definition word_eqb (v w : word) : bool := if list_eq_dec byte_eq_dec v w then true else false.

(** The text is a certificate that is right, it states of each of these pairs that they are equal or differ on the word, its table
    is checked and has these productions, and the examples follow. *)
Definition verifies (g p : grammar) (text : list text) (pairs : list (string * string)) (different : list (string * string * word))
  (tabled : list string) (examples : list (string * string * bool)) : bool :=
  match entries text with
  | Some l =>
    let c := certificate_of l in
    check g p c &&
    forallb (fun x => existsb (fun '(production, rule, _) => names_eqb x (production, rule)) (equals c)) pairs &&
    forallb (fun '(production, rule, w) => existsb (fun '(p, r, v) => names_eqb (production, rule) (p, r) && word_eqb v w)%bool (differs c)) different &&
    (check_table g p c (table_of l) &&
    forallb (fun production => existsb (fun '(p, _) => String.eqb p production) (starts (table_of l))) tabled) &&
    forallb (fun '(production, s, b) => is Bool.eqb (derived g p c production (bytes s)) b) examples
  | None => false
  end.

Lemma names_right x production rule : names_eqb x (production, rule) = true -> x = (production, rule).
Proof.
  destruct x. unfold names_eqb. simpl. intros N. apply andb_prop in N as [N1 N2]. apply String.eqb_eq in N1, N2. congruence.
Qed.

Theorem verifies_right g p text pairs different tabled examples : verifies g p text pairs different tabled examples = true ->
  equal_pairs g p pairs /\ different_pairs g p different /\ table_equal g (table_in text) tabled /\ examples_right g examples.
Proof.
  unfold verifies, table_in. destruct (entries text) as [l|]; [|discriminate]. intros H. cbv zeta in H.
  generalize dependent (certificate_of l). intros c H.
  apply andb_prop in H as [H W]. apply andb_prop in H as [H T]. apply andb_prop in H as [H D]. apply andb_prop in H as [C E].
  apply andb_prop in T as [T S]. split; [|split; [|split]].
  - intros production rule I. rewrite forallb_forall in E. apply E, existsb_exists in I as ([[a b] m] & I & N).
    apply names_right in N as [= <- <-]. exact (equal_right g p c C production rule m I).
  - intros production rule w I. rewrite forallb_forall in D. apply D, existsb_exists in I as ([[a b] v] & I & N).
    apply andb_prop in N as [N V]. apply names_right in N as [= <- <-]. unfold word_eqb in V.
    destruct (list_eq_dec byte_eq_dec v w) as [<-|]; [|discriminate]. exact (differ_right g p c C production rule v I).
  - intros production I. rewrite forallb_forall in S. apply S, existsb_exists in I as ([a states] & I & N).
    apply String.eqb_eq in N as ->. exact (table_right g p c (table_of l) C T production (in_map fst _ _ I)).
  - intros production s b I. rewrite forallb_forall in W. apply W in I. unfold is in I.
    destruct (derived g p c production (bytes s)) as [b'|] eqn:D'; [|discriminate].
    apply Bool.eqb_prop in I. subst b'. exact (derived_right g p c production _ b C D').
Qed.

Print Assumptions verifies_right.
