(** The first derivation of a text, and a function that finds it or answers nothing. *)

From Coq Require Import Bool Arith.
Require Import Grammar Trees.

(** ** Which one is the first *)

(** An expression, with its repetitions as such: some iterations that must be there, and how many more there can be, or None. *)
Inductive pattern :=
| PEmpty
| PBytes (s : set)
| PSeq (a b : pattern)
| PAlt (a b : pattern)
| PMany (least : nat) (more : option nat) (a : pattern)
| PRule (name : string).

(** What is still to be done: a pattern; something must have been read, so that fewer than n bytes are left; a node ends. *)
Inductive item :=
| Do (p : pattern)
| Read (n : nat)
| End (name : string).

Fixpoint pattern_of (g : list (string * pattern)) (name : string) : option pattern :=
  match g with
  | [] => None
  | (n, p) :: g => if String.eqb n name then Some p else pattern_of g name
  end.

(** A node of this name ends next. *)
Fixpoint ends (name : string) (k : list item) : bool :=
  match k with
  | Read _ :: k => ends name k
  | End n :: _ => String.eqb n name
  | _ => false
  end.

Definition many (least : nat) (more : option nat) (a : pattern) (k : list item) : list item :=
  match least, more with 0, Some 0 => k | _, _ => Do (PMany least more a) :: k end.

(** The ways to go on, the better one first: the signs that are written, what is to be done then, and the word that is left. Of alternatives the
    first is better, and one more iteration than none; one that need not be there is not empty. A production that is a node writes its
    brackets, but goes on in its own node at the end of that. *)
Definition ways (g : list (string * pattern)) (node : string -> bool) (k : list item) (w : word) : list (list sign * list item * word) :=
  match k with
  | [] => []
  | Read n :: k => if length w <? n then [([], k, w)] else []
  | End _ :: k => [([Close], k, w)]
  | Do PEmpty :: k => [([], k, w)]
  | Do (PBytes s) :: k => match w with b :: w => if mem b s then [([Byte b], k, w)] else [] | [] => [] end
  | Do (PSeq a b) :: k => [([], Do a :: Do b :: k, w)]
  | Do (PAlt a b) :: k => [([], Do a :: k, w); ([], Do b :: k, w)]
  | Do (PMany (S least) more a) :: k => [([], Do a :: many least more a k, w)]
  | Do (PMany 0 (Some 0) a) :: k => [([], k, w)]
  | Do (PMany 0 more a) :: k => [([], Do a :: Read (length w) :: many 0 (option_map pred more) a k, w); ([], k, w)]
  | Do (PRule name) :: k =>
    match pattern_of g name with
    | Some p => if node name && negb (ends name k) then [([Open name], Do p :: End name :: k, w)] else [([], Do p :: k, w)]
    | None => []
    end
  end.

(** A derivation of w: which way it goes at each step, and all that is written. *)
Inductive runs (g : list (string * pattern)) (node : string -> bool) : list item -> word -> list nat -> list sign -> Prop :=
| runs_over : runs g node [] [] [] []
| runs_on k w i s k' w' c l : nth_error (ways g node k w) i = Some (s, k', w') -> runs g node k' w' c l -> runs g node k w (i :: c) (s ++ l).

(** Where two derivations differ for the first time, the one goes the better way. *)
Fixpoint before (c d : list nat) : Prop :=
  match c, d with
  | i :: c, j :: d => i < j \/ i = j /\ before c d
  | _, _ => False
  end.

Definition first_from (g : list (string * pattern)) (node : string -> bool) (k : list item) (w : word) (l : list sign) : Prop :=
  exists c, runs g node k w c l /\ forall d m, runs g node k w d m -> c = d /\ l = m \/ before c d.

(** l is how the first derivation of w by the production of this name is written. *)
Definition first (g : list (string * pattern)) (node : string -> bool) (name : string) (w : word) (l : list sign) : Prop :=
  exists p m, pattern_of g name = Some p /\ l = Open name :: m /\ first_from g node [Do p; End name] w m.

(** A pattern as an expression. *)
Fixpoint plain (p : pattern) : expr :=
  match p with
  | PEmpty => Empty
  | PBytes s => Bytes s
  | PSeq a b => Seq (plain a) (plain b)
  | PAlt a b => Alt (plain a) (plain b)
  | PMany least more a => times least (plain a) match more with Some n => at_most n (plain a) | None => Star (plain a) end
  | PRule name => Rule name
  end.

Definition plainly (g : list (string * pattern)) : grammar := map (fun r => (fst r, plain (snd r))) g.

(** ** The function *)

Definition word_dec := list_eq_dec byte_eq_dec.

(** What an expression can leave of any of some words. None says that the fuel does not do, as where a production comes back to itself
    before it has read anything. *)
Fixpoint rests (g : grammar) (fuel : nat) (e : expr) (from : list word) : option (list word) :=
  match from, fuel with
  | [], _ => Some []
  | _, 0 => None
  | _, S fuel =>
    match e with
    | Empty => Some from
    | Bytes s => Some (flat_map (fun w => match w with b :: w => if mem b s then [w] else [] | [] => [] end) from)
    | Seq a b => match rests g fuel a from with Some to => rests g fuel b to | None => None end
    | Alt a b =>
      match rests g fuel a from with
      | Some u => match rests g fuel b from with Some v => Some (nodup word_dec (u ++ v)) | None => None end
      | None => None
      end
    | Star a =>
      (fix loop (n : nat) (all new : list word) : option (list word) :=
        match new, n with
        | [], _ => Some all
        | _, 0 => None
        | _, S n =>
          match rests g fuel a new with
          | Some to =>
            let new := nodup word_dec (filter (fun v => if in_dec word_dec v all then false else true) to) in
            loop n (new ++ all) new
          | None => None
          end
        end) fuel from from
    | Rule name => match body g name with Some e => rests g fuel e from | None => Some [] end
    | And _ | Not _ => None
    end
  end.

Fixpoint all_rests (g : grammar) (fuel : nat) (k : list item) (from : list word) : option (list word) :=
  match k with
  | [] => Some from
  | Do p :: k => match rests g fuel (plain p) from with Some to => all_rests g fuel k to | None => None end
  | Read n :: k => all_rests g fuel k (filter (fun w => length w <? n) from)
  | End _ :: k => all_rests g fuel k from
  end.

Definition is_end (w : word) : bool := match w with [] => true | _ => false end.

(** The first derivation: at each step the first way from which all the rest can be done. *)
Fixpoint walk (g : list (string * pattern)) (plain : grammar) (node : string -> bool) (fuel : nat) (k : list item) (w : word) : option (list sign) :=
  match fuel with
  | 0 => None
  | S fuel =>
    match k, w with
    | [], [] => Some []
    | _, _ =>
      (fix pick (l : list (list sign * list item * word)) : option (list sign) :=
        match l with
        | [] => None
        | (s, k, w) :: l =>
          match match l with [] => Some [[]] | _ => all_rests plain fuel k [w] end with
          | Some to => if existsb is_end to then option_map (app s) (walk g plain node fuel k w) else pick l
          | None => None
          end
        end) (ways g node k w)
    end
  end.

Definition first_tree (fuel : nat) (g : list (string * pattern)) (node : string -> bool) (name : string) (w : word) : option (list sign) :=
  match pattern_of g name with
  | Some p => option_map (cons (Open name)) (walk g (plainly g) node fuel [Do p; End name] w)
  | None => None
  end.

(** ** It is right *)

Section Right.
  Variables (rules : list (string * pattern)) (node : string -> bool).
  Let g := plainly rules.

  Lemma closed a all : (forall x y, derives g a x -> In (x ++ y) all -> In y all) -> forall u, derives g (Star a) u -> forall v, In (u ++ v) all -> In v all.
  Proof.
    intros C u D. remember (Star a) as e eqn:E. induction D as [| | | | |a'|a' u v D1 _ D2 I|]; try discriminate E; intros w; [easy|].
    injection E as ->. rewrite <- app_assoc. intros H. apply I; [reflexivity|]. exact (C _ _ D1 H).
  Qed.

  Lemma rests_all : forall fuel e from to, rests g fuel e from = Some to -> forall u v, derives g e u -> In (u ++ v) from -> In v to.
  Proof.
    induction fuel as [|fuel I]; intros e [|w from] to R u v D M; try easy. revert M R. remember (w :: from) as all eqn:A. intros M.
    cbn [rests]. rewrite A. cbv iota. rewrite <- A. clear A. destruct e as [|s|a b|a b|a|a|a|name].
    - intros [= <-]. inversion D; subst. exact M.
    - intros [= <-]. inversion D as [|s' b B| | | | | | ]; subst. apply in_flat_map. exists ([b] ++ v). split; [exact M|]. simpl. rewrite B. now left.
    - destruct (rests g fuel a all) as [x|] eqn:X; [|easy]. intros R. inversion D as [| |a' b' u1 u2 D1 D2| | | | | ]; subst.
      rewrite <- app_assoc in M. exact (I _ _ _ R _ _ D2 (I _ _ _ X _ _ D1 M)).
    - destruct (rests g fuel a all) as [x|] eqn:X; [|easy]. destruct (rests g fuel b all) as [y|] eqn:Y; [|easy]. intros [= <-].
      apply nodup_In, in_or_app. inversion D; subst; [left|right]; eauto.
    - match goal with |- ?f _ _ _ = _ -> _ => set (loop := f) end.
      assert (forall n known new, (forall x y, derives g a x -> In (x ++ y) known -> In y known \/ In (x ++ y) new) ->
        In (u ++ v) known -> loop n known new = Some to -> In v to) as L.
      { induction n as [|n J]; intros known [|x new] C K; cbn [loop]; try easy.
        1, 2: intros [= <-]; refine (closed a known _ u D v K); intros x y X H; destruct (C x y X H) as [K'|[]]; exact K'.
        destruct (rests g fuel a (x :: new)) as [found|] eqn:F; [|easy]. apply J; [|apply in_or_app; now right].
        intros y z Y Z. apply in_app_or in Z as [Z|Z]; [now right|]. left. apply in_or_app.
        destruct (C y z Y Z) as [H|H]; [now right|]. destruct (in_dec word_dec z known) as [H'|H']; [now right|left].
        apply nodup_In, filter_In. split; [exact (I _ _ _ F _ _ Y H)|now destruct (in_dec word_dec z known)]. }
      apply L; [intros; now right|exact M].
    - easy.
    - easy.
    - inversion D as [| | | | | | |n e u' B D']; subst. rewrite B. intros R. exact (I _ _ _ R _ _ D' M).
  Qed.

  (** The productions of what is to be done derive the word, so far as it is words and not brackets. *)
  Fixpoint spans (k : list item) (w : word) : Prop :=
    match k with
    | [] => w = []
    | Do p :: k => exists u v, w = u ++ v /\ derives g (plain p) u /\ spans k v
    | Read n :: k => length w < n /\ spans k w
    | End _ :: k => spans k w
    end.

  Lemma all_rests_all fuel k : forall from to w, all_rests g fuel k from = Some to -> spans k w -> In w from -> In [] to.
  Proof.
    induction k as [|[p|n|name] k I]; intros from to w; simpl.
    - now intros [= <-] ->.
    - destruct (rests g fuel (plain p) from) as [x|] eqn:X; [|easy]. intros R (u & v & -> & D & S) M.
      exact (I _ _ _ R S (rests_all _ _ _ _ X _ _ D M)).
    - intros R [L S] M. apply (I _ _ _ R S), filter_In. split; [exact M|now apply Nat.ltb_lt].
    - apply I.
  Qed.

  Lemma plainly_body name : body g name = option_map plain (pattern_of rules name).
  Proof. unfold g. induction rules as [|[n p] l I]; simpl; [easy|]. now destruct (String.eqb n name). Qed.

  Lemma many_spans least more a k w : spans (many least more a k) w -> spans (Do (PMany least more a) :: k) w.
  Proof.
    destruct least, more as [[|]|]; simpl; try easy. intros S. exists [], w. repeat split; [constructor|exact S].
  Qed.

  Lemma runs_spans k w c l : runs rules node k w c l -> spans k w.
  Proof.
    induction 1 as [|k w i s k' w' c l W _ S]; [reflexivity|].
    destruct k as [|[p|n|name] k]; [now destruct i| | |].
    - destruct p as [|s'|a b|a b|[|least] more a|name].
      + destruct i as [|[|]]; try discriminate W. injection W as <- <- <-. exists [], w. repeat split; [constructor|exact S].
      + simpl in W. destruct w as [|b w]; [now destruct i|]. destruct (mem b s') eqn:B; [|now destruct i].
        destruct i as [|[|]]; try discriminate W. injection W as <- <- <-. exists [b], w. repeat split; [now constructor|exact S].
      + destruct i as [|[|]]; try discriminate W. injection W as <- <- <-. destruct S as (u & v & -> & D & u' & v' & -> & D' & S).
        exists (u ++ u'), v'. rewrite <- app_assoc. repeat split; [now constructor|exact S].
      + destruct i as [|[|[|]]]; try discriminate W; injection W as <- <- <-; destruct S as (u & v & -> & D & S); exists u, v;
          repeat split; trivial; [now apply derives_first|now apply derives_second].
      + assert (i = 0 /\ more <> Some 0 /\ spans (Do a :: Read (length w) :: many 0 (option_map pred more) a k) w \/ spans k w) as [(_ & N & S')|S'].
        { destruct more as [[|]|], i as [|[|[|]]]; try discriminate W; injection W as <- <- <-; [now right|left|now right|left|now right];
            now repeat split. }
        * destruct S' as (u & v & -> & D & _ & S'). apply many_spans in S' as (u' & v' & -> & D' & S'). exists (u ++ u'), v'.
          rewrite <- app_assoc. repeat split; [|exact S'].
          destruct more as [[|n]|]; [easy| |]; simpl in *; [apply derives_first; now constructor|now apply derives_more].
        * exists [], w. repeat split; [|exact S']. destruct more as [[|n]|]; simpl; [constructor|apply derives_second|]; constructor.
      + destruct i as [|[|]]; try discriminate W. injection W as <- <- <-. destruct S as (u & v & -> & D & S).
        apply many_spans in S as (u' & v' & -> & D' & S). exists (u ++ u'), v'. rewrite <- app_assoc. repeat split; [now constructor|exact S].
      + simpl in W. destruct (pattern_of rules name) as [p|] eqn:P; [|now destruct i].
        assert (spans (Do p :: k) w) as (u & v & -> & D & S').
        { destruct (node name && negb (ends name k)), i as [|[|]]; try discriminate W; injection W as <- <- <-; exact S. }
        exists u, v. repeat split; [|exact S']. econstructor; [|exact D]. now rewrite plainly_body, P.
    - simpl in W. destruct (Nat.ltb_spec (length w) n); [|now destruct i]. destruct i as [|[|]]; try discriminate W. injection W as <- <- <-. now split.
    - destruct i as [|[|]]; try discriminate W. injection W as <- <- <-. exact S.
  Qed.

  Lemma walk_right : forall fuel k w l, walk rules g node fuel k w = Some l -> first_from rules node k w l.
  Proof.
    induction fuel as [|fuel I]; [easy|]. intros k w l W.
    assert (k = [] /\ w = [] \/ ~ (k = [] /\ w = [])) as [[-> ->]|N] by (destruct k, w; now (left + right)).
    { injection W as <-. exists []. split; [constructor|]. intros d m R. inversion R as [|? ? i ? ? ? ? ? H]; subst; [now left|now destruct i]. }
    assert (forall d m, runs rules node k w d m -> exists i s k' w' d' m',
      nth_error (ways rules node k w) i = Some (s, k', w') /\ runs rules node k' w' d' m' /\ d = i :: d' /\ m = s ++ m') as Inv.
    { intros d m R. inversion R; subst; [now elim N|]. do 6 eexists. repeat split; eauto. }
    cbn [walk] in W. revert W. match goal with |- context [?f (ways _ _ _ _)] => set (pick := f) end. intros W.
    assert (pick (ways rules node k w) = Some l) as P by (destruct k, w; try exact W; now elim N). clear W.
    assert (forall list n, (forall j, nth_error list j = nth_error (ways rules node k w) (n + j)) ->
      (forall i s k' w' d m, i < n -> nth_error (ways rules node k w) i = Some (s, k', w') -> ~ runs rules node k' w' d m) ->
      pick list = Some l -> first_from rules node k w l) as Pick;
      [|apply (Pick (ways rules node k w) 0); [easy|intros ? ? ? ? ? ? L; now apply Nat.nlt_0_r in L|exact P]].
    induction list as [|[[s k'] w'] list J]; intros n E B; cbn [pick]; [easy|].
    pose proof (E 0) as E0. rewrite Nat.add_0_r in E0. simpl in E0.
    destruct (match list with [] => Some [[]] | _ => all_rests g fuel k' [w'] end) as [to|] eqn:T; [|easy].
    destruct (existsb is_end to) eqn:X.
    - destruct (walk rules g node fuel k' w') as [m|] eqn:W; [|easy]. intros [= <-]. apply I in W as (c & R & F). exists (n :: c).
      split; [econstructor; eauto|]. intros d m' R'. apply Inv in R' as (i & s' & k2 & w2 & d' & m2 & H & R' & -> & ->).
      destruct (Nat.lt_trichotomy i n) as [L|[->|L]]; [now elim (B _ _ _ _ _ _ L H R')| |right; now left].
      rewrite <- E0 in H. injection H as <- <- <-. destruct (F _ _ R') as [[-> ->]|H]; [now left|right; right; now split].
    - apply (J (S n)).
      + intros j. rewrite Nat.add_succ_comm. apply (E (S j)).
      + intros i s2 k2 w2 d m L H R. apply Nat.lt_succ_r, Nat.lt_eq_cases in L as [L| ->]; [exact (B _ _ _ _ _ _ L H R)|].
        rewrite <- E0 in H. injection H as <- <- <-. destruct list as [|y list]; [now injection T as <-|].
        apply (all_rests_all _ _ _ _ w') in T; [|exact (runs_spans _ _ _ _ R)|now left].
        enough (existsb is_end to = true) by congruence. apply existsb_exists. now exists [].
  Qed.

  (** What [first_tree] answers is how the first derivation is written; and the production derives the word. *)
  Theorem first_right fuel name w l : first_tree fuel rules node name w = Some l -> first rules node name w l /\ derives g (Rule name) w.
  Proof.
    unfold first_tree. destruct (pattern_of rules name) as [p|] eqn:P; [|easy].
    destruct (walk rules (plainly rules) node fuel [Do p; End name] w) as [m|] eqn:W; [|easy]. intros [= <-]. apply walk_right in W.
    split; [now exists p, m|]. destruct W as (c & R & _). apply runs_spans in R as (u & v & -> & D & S). simpl in S. subst. rewrite app_nil_r.
    econstructor; [|exact D]. now rewrite plainly_body, P.
  Qed.
End Right.

Print Assumptions first_right.
