(** Why a certificate proves what it states: lines that hold locally hold of every word.

    [before t l m] stands for a line [t before l is m]. A line of a BNF means that m is the concatenation of what t derives
    and l; a line of a PEG, that m has the inputs on which t succeeds and leaves a rest in l. Lines rest on lines about
    shorter words, about expressions that come first to rules of lower rank, or about smaller expressions. *)

From Coq Require Import Arith Bool Lia.
Require Import Grammar.

(** ** Results of a PEG are unique *)

Lemma parses_unique g e w r : parses g e w r -> forall r', parses g e w r' -> r = r'.
Proof.
  induction 1; intros r' H'; inversion H'; subst; try reflexivity; try congruence;
    repeat match goal with
    | IH : forall r', parses ?g ?a ?w r' -> _ = r', P : parses ?g ?a ?w _ |- _ => apply IH in P; try discriminate P; inversion P; subst; clear P
    | A : body ?g ?n = Some _, B : body ?g ?n = Some _ |- _ => rewrite A in B; inversion B; subst; clear B
    end; auto.
Qed.

(** ** What can match the empty word, and what comes first *)

Section Measures.
Variable nullable_rule : string -> bool.
Variable rank : string -> nat.

Fixpoint nullable (e : expr) : bool :=
  match e with
  | Empty => true
  | Bytes _ => false
  | Seq a b => nullable a && nullable b
  | Alt a b => nullable a || nullable b
  | Star _ | And _ | Not _ => true
  | Rule n => nullable_rule n
  end.

(** The highest rank of the rules that an expression can come to before it has read anything, and one more; 0 without any. *)
Fixpoint first (e : expr) : nat :=
  match e with
  | Empty | Bytes _ => 0
  | Seq a b => Nat.max (first a) (if nullable a then first b else 0)
  | Alt a b => Nat.max (first a) (first b)
  | Star a | And a | Not a => first a
  | Rule n => S (rank n)
  end.

Variable g : grammar.
Hypothesis nullable_right : forall n e, body g n = Some e -> nullable e = true -> nullable_rule n = true.

Lemma derives_nullable e u : derives g e u -> u = [] -> nullable e = true.
Proof.
  induction 1; simpl; intros E; try reflexivity; try discriminate.
  - apply app_eq_nil in E as [-> ->]. rewrite IHderives1, IHderives2; reflexivity.
  - rewrite IHderives; auto.
  - rewrite IHderives by assumption. apply orb_true_r.
  - eauto.
Qed.

Lemma parses_shortens e w r : parses g e w r -> forall v, r = Leaves v ->
  v = w /\ nullable e = true \/ length v < length w.
Proof.
  induction 1; simpl; intros x E; try discriminate E; try (injection E as <-); auto.
  - destruct (IHparses1 v eq_refl) as [[-> N]|?], (IHparses2 x E) as [[-> N']|?]; [left|right|right|right]; try lia.
    rewrite N, N'; auto.
  - destruct (IHparses v eq_refl) as [[-> N]|?]; [left|right]; [rewrite N|]; auto.
  - destruct (IHparses2 x E) as [[-> N]|?]; [left|right]; [rewrite N, orb_true_r|]; auto.
  - destruct (IHparses1 v eq_refl) as [[-> _]|?], (IHparses2 x E) as [[-> _]|?]; auto; right; lia.
  - destruct (IHparses x E) as [[-> N]|?]; eauto.
Qed.

(** ** The lines of a certificate *)

Variable accepts : N -> word -> bool.
Variable before : expr -> N -> N -> Prop.

(** The languages of line m are those of line l behind a byte of s. *)
Definition reads (s : set) (l m : N) : Prop :=
  accepts m [] = false /\ forall b w, accepts m (b :: w) = if mem b s then accepts l w else false.

(** The rule of this name has a body like e, in which only rules of lower rank come first. *)
Variable is_body : string -> expr -> Prop.

Section BNF.
Hypothesis body_right : forall n e, is_body n e -> first e <= rank n /\ forall u, derives g (Rule n) u <-> derives g e u.

Definition bnf_line (t : expr) (l m : N) : Prop :=
  match t with
  | Empty => m = l
  | Bytes s => reads s l m
  | Seq a b => exists k, before b l k /\ before a k m
  | Alt a b => exists x y, before a l x /\ before b l y /\ forall w, accepts m w = accepts x w || accepts y w
  | Star a => nullable a = false /\ exists x, before a m x /\ forall w, accepts m w = accepts x w || accepts l w
  | And _ | Not _ => False
  | Rule n => exists e, is_body n e /\ before e l m
  end.

Hypothesis lines : forall t l m, before t l m -> bnf_line t l m.

Definition concatenates (t : expr) (l m : N) (w : word) : Prop :=
  accepts m w = true <-> exists u v, w = u ++ v /\ derives g t u /\ accepts l v = true.

Theorem bnf_sound : forall size w, length w = size -> forall height t, first t = height ->
  forall l m, before t l m -> concatenates t l m w.
Proof.
  induction size as [size shorter] using lt_wf_ind. intros w Size.
  induction height as [height lower] using lt_wf_ind. intros t.
  assert (lower' : forall e, first e < height -> forall l m, before e l m -> concatenates e l m w) by eauto.
  assert (shorter' : forall v, length v < length w -> forall e l m, before e l m -> concatenates e l m v)
    by (intros; eapply shorter; eauto; lia).
  clear shorter lower.
  induction t; simpl; intros Height l m This; pose proof (lines _ _ _ This) as Line; simpl in Line; unfold concatenates.
  - subst m. split.
    + intros A. exists [], w. repeat split; auto. constructor.
    + intros (u & v & -> & D & A). inversion D; subst. exact A.
  - destruct Line as [A0 A1]. split.
    + destruct w as [|b w]; [congruence|]. rewrite A1. destruct (mem b s) eqn:B; [|discriminate].
      intros A. exists [b], w. repeat split; auto. constructor; auto.
    + intros (u & v & -> & D & A). inversion D; subst. simpl. rewrite A1, H0. exact A.
  - destruct Line as (k & Lb & La).
    assert (Ha : forall l m, before t1 l m -> concatenates t1 l m w).
    { intros. destruct (Nat.eq_dec (first t1) height); [apply IHt1|apply lower']; auto; lia. }
    assert (Hb : forall u v, w = u ++ v -> derives g t1 u -> concatenates t2 l k v).
    { intros u v -> D. destruct u as [|b u].
      - pose proof (derives_nullable _ _ D eq_refl) as N. rewrite N in Height.
        simpl in *. destruct (Nat.eq_dec (first t2) height); [apply IHt2|apply lower']; auto; lia.
      - apply shorter'; auto. rewrite app_length. simpl. lia. }
    specialize (Ha k m La). split.
    + intros A. apply Ha in A as (u1 & v1 & E1 & D1 & A1).
      apply (Hb _ _ E1 D1) in A1 as (u2 & v2 & -> & D2 & A2).
      exists (u1 ++ u2), v2. rewrite <- app_assoc. repeat split; auto. constructor; auto.
    + intros (u & v & E & D & A). inversion D; subst. apply Ha.
      exists u0, (v0 ++ v). rewrite <- app_assoc. repeat split; auto.
      eapply Hb; [symmetry; apply app_assoc|auto|]. eauto.
  - destruct Line as (x & y & La & Lb & Am).
    assert (Ha : concatenates t1 l x w).
    { destruct (Nat.eq_dec (first t1) height); [apply IHt1|apply lower']; auto; lia. }
    assert (Hb : concatenates t2 l y w).
    { destruct (Nat.eq_dec (first t2) height); [apply IHt2|apply lower']; auto; lia. }
    rewrite Am, orb_true_iff. split.
    + intros [A|A]; [apply Ha in A|apply Hb in A]; destruct A as (u & v & E & D & A);
        exists u, v; repeat split; auto; [apply derives_first|apply derives_second]; auto.
    + intros (u & v & E & D & A). inversion D; subst; [left; apply Ha|right; apply Hb]; eauto.
  - destruct Line as (N & x & La & Am).
    assert (Ha : concatenates t m x w).
    { destruct (Nat.eq_dec (first t) height); [apply IHt|apply lower']; auto; lia. }
    assert (again : forall u v, w = u ++ v -> derives g t u -> concatenates (Star t) l m v).
    { intros u v -> D. apply shorter'.
      - destruct u; [|rewrite app_length; simpl; lia]. pose proof (derives_nullable _ _ D eq_refl). congruence.
      - exact This. }
    rewrite Am, orb_true_iff. split.
    + intros [A|A].
      * apply Ha in A as (u1 & v1 & E1 & D1 & A1). apply (again _ _ E1 D1) in A1 as (u2 & v2 & -> & D2 & A2).
        exists (u1 ++ u2), v2. rewrite <- app_assoc. repeat split; auto. constructor; auto.
      * exists [], w. repeat split; auto. constructor.
    + intros (u & v & E & D & A). inversion D; subst; [right; exact A|left]. apply Ha.
      exists u0, (v0 ++ v). rewrite <- app_assoc. repeat split; auto.
      eapply again; [symmetry; apply app_assoc|auto|]. eauto.
  - contradiction.
  - contradiction.
  - destruct Line as (e & B & Le). destruct (body_right _ _ B) as [R Same].
    assert (He : concatenates e l m w) by (apply lower'; auto; lia).
    split.
    + intros A. apply He in A as (u & v & E & D & A). exists u, v. repeat split; auto. apply Same; auto.
    + intros (u & v & E & D & A). apply Same in D. apply He. eauto.
Qed.

End BNF.

Section PEG.
Hypothesis body_right : forall n e, is_body n e -> first e <= rank n /\ forall w r, parses g (Rule n) w r <-> parses g e w r.
Hypothesis every_word : forall w, accepts 1 w = true.

Definition peg_line (t : expr) (l m : N) : Prop :=
  match t with
  | Empty => m = l
  | Bytes s => reads s l m
  | Seq a b => exists k, before b l k /\ before a k m
  | Alt a b => exists x y z, before a l x /\ before b l y /\ before a 1 z /\
      forall w, accepts m w = accepts x w || accepts y w && negb (accepts z w)
  | Star a => nullable a = false /\ exists x z, before a m x /\ before a 1 z /\
      forall w, accepts m w = accepts x w || accepts l w && negb (accepts z w)
  | And a => exists z, before a 1 z /\ forall w, accepts m w = accepts l w && accepts z w
  | Not a => exists z, before a 1 z /\ forall w, accepts m w = accepts l w && negb (accepts z w)
  | Rule n => exists e, is_body n e /\ before e l m
  end.

Hypothesis lines : forall t l m, before t l m -> peg_line t l m.

Definition succeeds (t : expr) (l m : N) (w : word) : Prop :=
  exists r, parses g t w r /\ accepts m w = match r with Fails => false | Leaves v => accepts l v end.

Theorem peg_sound : forall size w, length w = size -> forall height t, first t = height ->
  forall l m, before t l m -> succeeds t l m w.
Proof.
  induction size as [size shorter] using lt_wf_ind. intros w Size.
  induction height as [height lower] using lt_wf_ind. intros t.
  assert (lower' : forall e, first e < height -> forall l m, before e l m -> succeeds e l m w) by eauto.
  assert (shorter' : forall v, length v < length w -> forall e l m, before e l m -> succeeds e l m v)
    by (intros; eapply shorter; eauto; lia).
  clear shorter lower.
  induction t; simpl; intros Height l m This; pose proof (lines _ _ _ This) as Line; simpl in Line; unfold succeeds.
  - subst m. exists (Leaves w). split; auto. constructor.
  - destruct Line as [A0 A1]. destruct w as [|b w].
    + exists Fails. split; auto. constructor.
    + rewrite A1. destruct (mem b s) eqn:B; [exists (Leaves w)|exists Fails]; split; auto; constructor; auto.
  - destruct Line as (k & Lb & La).
    assert (Ha : succeeds t1 k m w).
    { destruct (Nat.eq_dec (first t1) height); [apply IHt1|apply lower']; auto; lia. }
    destruct Ha as ([|v] & Pa & A); [exists Fails; split; auto; apply parses_seq_fails; auto|].
    assert (Hb : succeeds t2 l k v).
    { destruct (parses_shortens _ _ _ Pa v eq_refl) as [[-> N]|?]; [|apply shorter'; auto].
      rewrite N in Height. destruct (Nat.eq_dec (first t2) height); [apply IHt2|apply lower']; auto; lia. }
    destruct Hb as (r & Pb & B). exists r. split; [eapply parses_seq; eauto|congruence].
  - destruct Line as (x & y & z & La & Lb & Lz & Am).
    assert (Ha : forall l m, before t1 l m -> succeeds t1 l m w).
    { intros. destruct (Nat.eq_dec (first t1) height); [apply IHt1|apply lower']; auto; lia. }
    assert (Hb : succeeds t2 l y w).
    { destruct (Nat.eq_dec (first t2) height); [apply IHt2|apply lower']; auto; lia. }
    destruct (Ha _ _ La) as (r & Pa & Ax), (Ha _ _ Lz) as (r' & Pz & Az), Hb as (rb & Pb & Ay).
    rewrite (parses_unique _ _ _ _ Pz _ Pa) in Az. rewrite Am, Ax, Az. destruct r as [|v].
    + exists rb. split; [apply parses_second; auto|]. rewrite andb_true_r. exact Ay.
    + exists (Leaves v). split; [apply parses_first; auto|]. rewrite every_word, andb_false_r. apply orb_false_r.
  - destruct Line as (N & x & z & La & Lz & Am).
    assert (Ha : forall l m, before t l m -> succeeds t l m w).
    { intros. destruct (Nat.eq_dec (first t) height); [apply IHt|apply lower']; auto; lia. }
    destruct (Ha _ _ La) as (r & Pa & Ax), (Ha _ _ Lz) as (r' & Pz & Az).
    rewrite (parses_unique _ _ _ _ Pz _ Pa) in Az. rewrite Am, Ax, Az. destruct r as [|v].
    + exists (Leaves w). split; [apply parses_none; auto|]. apply andb_true_r.
    + destruct (parses_shortens _ _ _ Pa v eq_refl) as [[_ N']|Less]; [congruence|].
      destruct (shorter' v Less _ _ _ This) as (r & Pv & Av).
      exists r. split; [eapply parses_more; eauto|]. rewrite every_word, andb_false_r, orb_false_r. exact Av.
  - destruct Line as (z & Lz & Am).
    assert (Hz : succeeds t 1 z w).
    { destruct (Nat.eq_dec (first t) height); [apply IHt|apply lower']; auto; lia. }
    destruct Hz as ([|v] & Pz & Az); rewrite Am, Az.
    + exists Fails. split; [apply parses_and_fails; auto|]. apply andb_false_r.
    + exists (Leaves w). split; [eapply parses_and; eauto|]. rewrite every_word. apply andb_true_r.
  - destruct Line as (z & Lz & Am).
    assert (Hz : succeeds t 1 z w).
    { destruct (Nat.eq_dec (first t) height); [apply IHt|apply lower']; auto; lia. }
    destruct Hz as ([|v] & Pz & Az); rewrite Am, Az.
    + exists (Leaves w). split; [apply parses_not; auto|]. apply andb_true_r.
    + exists Fails. split; [eapply parses_not_fails; eauto|]. rewrite every_word. apply andb_false_r.
  - destruct Line as (e & B & Le). destruct (body_right _ _ B) as [R Same].
    assert (He : succeeds e l m w) by (apply lower'; auto; lia).
    destruct He as (r & P & A). exists r. split; auto. apply Same; auto.
Qed.

End PEG.
End Measures.
