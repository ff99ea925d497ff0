(** A checker of trees, and that what it accepts is a derivation. *)

From Coq Require Import Bool.
Require Import Grammar Automaton.

(** ** What a derivation is *)

(** A tree is written with brackets: where a node of a name begins, bytes and nodes in it, and where it ends. *)
Inductive tree :=
| Leaf (b : byte)
| Node (name : string) (parts : list tree).

Inductive sign :=
| Byte (b : byte)
| Open (name : string)
| Close.

Fixpoint brackets (t : tree) : list sign :=
  match t with
  | Leaf b => [Byte b]
  | Node name parts => Open name :: flat_map brackets parts ++ [Close]
  end.

(** The text of a bracketed string is its bytes. *)
Definition text_of (l : list sign) : word := flat_map (fun x => match x with Byte b => [b] | _ => [] end) l.

(** In a node of the production [self], e derives of the trees u all but v. A production that is a node (node name = true) derives one tree,
    of its name; another derives what its expression does. [self] may go on in its own node at the end of that. *)
Inductive spells (g : grammar) (node : string -> bool) (self : string) : expr -> list tree -> list tree -> Prop :=
| spells_empty u : spells g node self Empty u u
| spells_byte s b u : mem b s = true -> spells g node self (Bytes s) (Leaf b :: u) u
| spells_seq a b u v w : spells g node self a u v -> spells g node self b v w -> spells g node self (Seq a b) u w
| spells_first a b u v : spells g node self a u v -> spells g node self (Alt a b) u v
| spells_second a b u v : spells g node self b u v -> spells g node self (Alt a b) u v
| spells_none a u : spells g node self (Star a) u u
| spells_more a u v w : spells g node self a u v -> spells g node self (Star a) v w -> spells g node self (Star a) u w
| spells_node name parts u : node name = true -> spells g node self (Rule name) (Node name parts :: u) u
| spells_inside name e u v : node name = false -> body g name = Some e -> spells g node self e u v -> spells g node self (Rule name) u v
| spells_on e u : body g self = Some e -> spells g node self e u [] -> spells g node self (Rule self) u [].

(** A node is a derivation if its production derives its parts, and its parts are derivations. *)
Inductive derivation (g : grammar) (node : string -> bool) : tree -> Prop :=
| derivation_leaf b : derivation g node (Leaf b)
| derivation_node name e parts : body g name = Some e -> spells g node name e parts [] ->
  Forall (derivation g node) parts -> derivation g node (Node name parts).

(** ** The checker *)

(** Trees that are left, and how many: the number only says which are the same. Beside each is whether the production of the node derives
    it and all that follow, so that it can go on there. *)
Definition rest := (N * list (tree * bool))%type.

Definition is_over (r : rest) : bool := match snd r with [] => true | _ => false end.

Definition after (r : rest) : rest := (N.pred (fst r), tl (snd r)).

(** Those of l that are not known, and all that are known then. *)
Fixpoint fresh (l : list rest) (known : M.t unit) : list rest * M.t unit :=
  match l with
  | [] => ([], known)
  | r :: l =>
    match get known (fst r) with
    | Some _ => fresh l known
    | None => let '(l, known) := fresh l (put (fst r) tt known) in (r :: l, known)
    end
  end.

Definition once (l : list rest) : list rest := fst (fresh l (M.empty unit)).

(** What is left after any number of steps, at most n of which find something new. *)
Fixpoint repeated (step : rest -> list rest) (n : nat) (todo : list rest) (known : M.t unit) : list rest :=
  match n, todo with
  | S n, r :: todo => let '(new, known) := fresh (step r) known in r :: repeated step n (todo ++ new) known
  | _, _ => []
  end.

(** What e leaves of trees. Lexical productions are followed as deep as there is fuel; without, too little is found. Empty says that [self]
    derives no tree. *)
Fixpoint leaves (g : grammar) (node : string -> bool) (self : string) (empty : bool) (fuel : nat) : expr -> rest -> list rest :=
  fix go (e : expr) (r : rest) : list rest :=
    match e with
    | Empty => [r]
    | Bytes s => match snd r with (Leaf b, _) :: _ => if mem b s then [after r] else [] | _ => [] end
    | Seq a b => once (flat_map (go b) (go a r))
    | Alt a b => once (go a r ++ go b r)
    | Star a => repeated (go a) (S (length (snd r))) [r] (put (fst r) tt (M.empty unit))
    | Rule name =>
      if node name then
        match snd r with
        | (Node n _, _) :: _ => if String.eqb n name then [after r] else []
        | _ => []
        end ++
        if String.eqb name self then
          match snd r with
          | (_, on) :: _ => if on then [(0%N, [])] else []
          | [] => if empty then [r] else []
          end
        else []
      else match fuel, body g name with S fuel, Some e => leaves g node self empty fuel e r | _, _ => [] end
    | And _ | Not _ => []
    end.

Definition complete (g : grammar) (node : string -> bool) (self : string) (empty : bool) (e : expr) (l : list (tree * bool)) : bool :=
  existsb is_over (leaves g node self empty (length g) e (N.of_nat (length l), l)).

(** The parts of a node, each with whether the production derives it and all that follow. *)
Fixpoint marked (g : grammar) (node : string -> bool) (self : string) (empty : bool) (e : expr) (parts : list tree) : list (tree * bool) :=
  match parts with
  | [] => []
  | t :: parts => let l := marked g node self empty e parts in (t, complete g node self empty e ((t, false) :: l)) :: l
  end.

Fixpoint right (g : grammar) (node : string -> bool) (t : tree) : bool :=
  match t with
  | Leaf _ => true
  | Node name parts =>
    match body g name with
    | Some e =>
      let empty := complete g node name false e [] in
      match marked g node name empty e parts with (_, on) :: _ => on | [] => empty end
    | None => false
    end && forallb (right g node) parts
  end.

(** The tree of a bracketed string. Before are the nodes that are open, each with the parts before it, the last first. *)
Fixpoint read_tree (l : list sign) (parts : list tree) (before : list (string * list tree)) : option (list tree) :=
  match l, before with
  | [], [] => Some (rev parts)
  | Byte b :: l, _ => read_tree l (Leaf b :: parts) before
  | Open name :: l, _ => read_tree l [] ((name, parts) :: before)
  | Close :: l, (name, outer) :: before => read_tree l (Node name (rev parts) :: outer) before
  | _, _ => None
  end.

Definition word_eqb (v w : word) : bool := if list_eq_dec byte_eq_dec v w then true else false.

(** The bracketed string is a derivation of w by the production of this name. *)
Definition check_tree (g : grammar) (node : string -> bool) (name : string) (w : word) (l : list sign) : bool :=
  match read_tree l [] [] with
  | Some [Node n parts] => String.eqb n name && word_eqb (text_of l) w && right g node (Node n parts)
  | _ => false
  end.

(** ** It is right *)

Section Right.
  Variables (g : grammar) (node : string -> bool).

  Lemma fresh_right l : forall known x, In x (fst (fresh l known)) -> In x l.
  Proof.
    induction l as [|r l I]; simpl; [easy|]. intros known x. destruct (get known (fst r)); [intros H; right; eauto|].
    specialize (I (put (fst r) tt known)). destruct (fresh l _). simpl in *. intros [H|H]; eauto.
  Qed.

  (** What is marked is so. *)
  Fixpoint good (self : string) (e : expr) (l : list (tree * bool)) : Prop :=
    match l with
    | [] => True
    | (t, on) :: l => (on = true -> spells g node self e (t :: map fst l) []) /\ good self e l
    end.

  Definition left (r : rest) : list tree := map fst (snd r).

  Section Node.
    Variables (self : string) (own : expr) (empty : bool).
    Hypothesis Own : body g self = Some own.
    Hypothesis OwnEmpty : empty = true -> spells g node self own [] [].

    Definition step_right (a : expr) (step : rest -> list rest) : Prop :=
      forall r v, good self own (snd r) -> In v (step r) -> spells g node self a (left r) (left v) /\ good self own (snd v).

    Lemma repeated_right a step : step_right a step -> forall n todo known u,
      (forall r, In r todo -> spells g node self (Star a) u (left r) /\ good self own (snd r)) ->
      forall v, In v (repeated step n todo known) -> spells g node self (Star a) u (left v) /\ good self own (snd v).
    Proof.
      intros S. assert (forall u v w, spells g node self (Star a) u v -> spells g node self a v w -> spells g node self (Star a) u w) as More.
      { intros u v w H. remember (Star a) as e. induction H; try discriminate; injection Heqe as ->; intros H'.
        - eapply spells_more; [exact H'|constructor].
        - eapply spells_more; eauto. }
      induction n as [|n I]; [easy|]. intros [|r todo] known u T v; [easy|]. simpl.
      destruct (fresh (step r) known) as [new known'] eqn:F. intros [<-|H]; [apply T; now left|].
      apply (I _ _ u) in H; [exact H|]. intros x X. apply in_app_or in X as [X|X]; [apply T; now right|].
      destruct (T r (or_introl eq_refl)) as [T1 T2]. destruct (S r x T2) as [S1 S2]; [apply (fresh_right _ known); now rewrite F|].
      split; [exact (More _ _ _ T1 S1)|exact S2].
    Qed.

    Arguments repeated : simpl never.

    Lemma leaves_right : forall fuel e, step_right e (leaves g node self empty fuel e).
    Proof.
      induction fuel as [|fuel I]; induction e as [|s|a IA b IB|a IA b IB|a IA|a _|a _|name]; intros r v M; simpl; try easy.
      1, 7: intros [<-|[]]; split; [apply spells_empty|exact M].
      1, 6: destruct r as [n [|[[x|] on] u]]; simpl; try easy; destruct (mem x s) eqn:X; [|easy]; intros [<-|[]];
        split; [now apply spells_byte|exact (proj2 M)].
      1, 5: intros H; apply fresh_right, in_flat_map in H as (m & H1 & H2); destruct (IA r m M H1) as [A1 A2]; destruct (IB m v A2 H2);
        split; [eapply spells_seq; eauto|assumption].
      1, 4: intros H; apply fresh_right, in_app_or in H as [H|H]; [destruct (IA r v M H)|destruct (IB r v M H)]; split; trivial;
        [now apply spells_first|now apply spells_second].
      1, 3: apply (repeated_right a _ IA); intros x [<-|[]]; split; [apply spells_none|exact M].
      all: destruct (node name) eqn:N.
      1, 3: intros H; apply in_app_or in H as [H|H];
        [destruct r as [k [|[[x|n parts] on] u]]; simpl in *; try easy; destruct (String.eqb_spec n name) as [->|]; [|easy];
         destruct H as [<-|[]]; split; [now apply spells_node|exact (proj2 M)]
        |destruct (String.eqb_spec name self) as [->|]; [|easy]; destruct r as [k [|[t on] u]]; simpl in *;
         [destruct empty; [|easy]; destruct H as [<-|[]]; split; [eapply spells_on; eauto|exact M]
         |destruct on; [|easy]; destruct H as [<-|[]]; split; [eapply spells_on; [exact Own|]; now apply (proj1 M)|exact Logic.I]]].
      1: easy.
      destruct (body g name) as [e|] eqn:B; [|easy]. intros H. destruct (I e r v M H). split; [eapply spells_inside; eauto|assumption].
    Qed.

    Lemma complete_right l : good self own l -> complete g node self empty own l = true -> spells g node self own (map fst l) [].
    Proof.
      intros M H. unfold complete in H. apply existsb_exists in H as ([k u] & H & O). apply leaves_right in H as [H _]; [|exact M].
      unfold is_over in O. simpl in O. destruct u; [exact H|discriminate].
    Qed.

    Lemma marked_right parts : good self own (marked g node self empty own parts) /\ map fst (marked g node self empty own parts) = parts.
    Proof.
      induction parts as [|t parts [I1 I2]]; [easy|]. simpl. repeat split; [|exact I1|now rewrite I2].
      intros C. apply complete_right in C; [exact C|]. now split.
    Qed.
  End Node.

  Fixpoint right_right (t : tree) : right g node t = true -> derivation g node t.
  Proof.
    destruct t as [b|name parts]; [constructor|]. cbn [right]. destruct (body g name) as [e|] eqn:B; [|easy].
    intros H. apply andb_prop in H as [H P].
    assert (complete g node name false e [] = true -> spells g node name e [] []) as E.
    { apply (complete_right name e false B); easy. }
    destruct (marked_right name e _ B E parts) as [M T].
    assert (spells g node name e parts []) as S.
    { cbv zeta in H. rewrite <- T. destruct (marked _ _ _ _ _ parts) as [|[t on] l]; [now apply E|]. now apply (proj1 M). }
    econstructor; [exact B|exact S|].
    clear - P right_right. induction parts as [|t parts I]; [constructor|]. simpl in P. apply andb_prop in P as [P1 P2].
    constructor; [apply right_right, P1|apply I, P2].
  Qed.

  (** What is written where some nodes are open. *)
  Fixpoint written (parts : list tree) (before : list (string * list tree)) : list sign :=
    match before with
    | [] => []
    | (name, outer) :: before => written outer before ++ [Open name]
    end ++ flat_map brackets (rev parts).

  Lemma read_right l : forall parts before trees, read_tree l parts before = Some trees -> written parts before ++ l = flat_map brackets trees.
  Proof.
    induction l as [|[b|name|] l I]; intros parts before trees; simpl.
    - destruct before; [|easy]. intros [= <-]. simpl. now rewrite app_nil_r.
    - intros H. apply I in H. rewrite <- H. destruct before as [|[n o] before]; simpl; rewrite flat_map_app, <- ?app_assoc; reflexivity.
    - intros H. apply I in H. rewrite <- H. simpl. now rewrite app_nil_r, <- app_assoc.
    - destruct before as [|[name outer] before]; [easy|]. intros H. apply I in H. rewrite <- H. simpl.
      destruct before as [|[n o] before]; simpl; rewrite flat_map_app; simpl; rewrite ?app_nil_r, <- ?app_assoc; simpl; rewrite <- ?app_assoc; reflexivity.
  Qed.

  Lemma text_app l m : text_of (l ++ m) = text_of l ++ text_of m.
  Proof. unfold text_of. apply flat_map_app. Qed.

  (** What the trees have that e takes is what e derives. *)
  Lemma spells_derives self e u v : spells g node self e u v -> Forall (fun t => forall n p, t = Node n p -> derives g (Rule n) (text_of (brackets t))) u ->
    exists w, derives g e w /\ text_of (flat_map brackets u) = w ++ text_of (flat_map brackets v) /\
      Forall (fun t => forall n p, t = Node n p -> derives g (Rule n) (text_of (brackets t))) v.
  Proof.
    induction 1 as [u|s b u M|a b u v w _ I1 _ I2|a b u v _ I|a b u v _ I|a u|a u v w _ I1 _ I2|name parts u N|name e u v N B _ I|e u B _ I]; intros F.
    - exists []. repeat split; [constructor|exact F].
    - exists [b]. inversion F. repeat split; [now constructor|assumption].
    - destruct (I1 F) as (x & D1 & E1 & F1), (I2 F1) as (y & D2 & E2 & F2). exists (x ++ y).
      repeat split; [now constructor|now rewrite E1, E2, app_assoc|exact F2].
    - destruct (I F) as (x & D & E & F1). exists x. repeat split; [now apply derives_first|exact E|exact F1].
    - destruct (I F) as (x & D & E & F1). exists x. repeat split; [now apply derives_second|exact E|exact F1].
    - exists []. repeat split; [constructor|exact F].
    - destruct (I1 F) as (x & D1 & E1 & F1), (I2 F1) as (y & D2 & E2 & F2). exists (x ++ y).
      repeat split; [now constructor|now rewrite E1, E2, app_assoc|exact F2].
    - exists (text_of (brackets (Node name parts))). inversion F as [|t l H1 H2]; subst. repeat split; [now apply (H1 name parts)| |exact H2].
      change (flat_map brackets (Node name parts :: u)) with (brackets (Node name parts) ++ flat_map brackets u). apply text_app.
    - destruct (I F) as (x & D & E & F1). exists x. repeat split; [econstructor; eauto|exact E|exact F1].
    - destruct (I F) as (x & D & E & F1). exists x. repeat split; [econstructor; eauto|exact E|exact F1].
  Qed.

  Lemma text_node name parts : text_of (brackets (Node name parts)) = text_of (flat_map brackets parts).
  Proof. simpl. rewrite text_app. apply app_nil_r. Qed.

  (** The production of a node that is a derivation derives its text. *)
  Fixpoint derivation_derives t (D : derivation g node t) : forall name parts, t = Node name parts -> derives g (Rule name) (text_of (brackets t)).
  Proof.
    destruct D as [b|name e parts B S F]; intros n p E; [discriminate|]. injection E as <- <-. rewrite text_node.
    apply spells_derives in S as (w & D & T & _).
    - rewrite app_nil_r in T. rewrite T. econstructor; eauto.
    - clear - F derivation_derives. induction F as [|t l D F I]; constructor; [exact (derivation_derives t D)|exact I].
  Qed.

  (** A bracketed string that is accepted is that of a tree; the tree is a derivation by the production of this name; its text is the word;
      and so the production derives the word. *)
  Theorem tree_right name w l : check_tree g node name w l = true ->
    exists parts, l = brackets (Node name parts) /\ text_of l = w /\ derivation g node (Node name parts) /\ derives g (Rule name) w.
  Proof.
    unfold check_tree. destruct (read_tree l [] []) as [[|[b|n parts] [|]]|] eqn:R; try easy. intros H.
    apply andb_prop in H as [H C]. apply andb_prop in H as [N T]. apply String.eqb_eq in N as ->. unfold word_eqb in T.
    destruct (list_eq_dec byte_eq_dec (text_of l) w) as [<-|]; [|easy]. apply right_right in C. apply read_right in R.
    simpl in R. rewrite app_nil_r in R. exists parts. repeat split; [exact R|exact C|].
    change (l = brackets (Node name parts)) in R. rewrite R. now apply (derivation_derives _ C name parts).
  Qed.
End Right.

Print Assumptions tree_right.
