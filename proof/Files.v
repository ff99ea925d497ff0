(** What proof/check computes of three files, a grammar, a PEG and a certificate, from their bytes; and the theorem about it. *)

From Coq Require Import Bool.
Require Import Grammar Normal Automaton Checker Sound Table Reader Tokens Abnf Bnf Pigeon.
Local Open Scope N_scope.

Definition lines : list byte -> list (list byte) := split "010".

(** In a file without line feeds, lines and the comments in them end at carriage returns alone. *)
Definition with_line_feeds (text : list byte) : list byte :=
  if existsb (Byte.eqb newline) text then text else map (fun b => if Byte.eqb b "013" then newline else b) text.

(** The head of a file is lines that begin with @, comments and empty lines. *)
Definition of_head (line : list byte) : bool :=
  match after (bytes "@ ") line, snd (span blank line) with
  | Some _, _ | None, [] => true
  | None, b :: _ => Byte.eqb b ";"
  end.

(** The lines "@ notation", each with whether all lines above it are of the head. *)
Fixpoint notation_lines (head : bool) (l : list (list byte)) : list (bool * string) :=
  match l with
  | [] => []
  | line :: l =>
    let rest := notation_lines (head && of_head line) l in
    match after (bytes "@ notation ") line with Some n => (head, string_of_list_byte n) :: rest | None => rest end
  end.

(** A file is ABNF, or what one line "@ notation" in its head says. A byte order mark hides no line. *)
Definition notation_of (text : list byte) : reading notation :=
  match notation_lines true (lines (without_mark text)) with
  | [] | [(true, "abnf")] => Read abnf
  | [(true, "rfc822")] => Read rfc822
  | [(true, "rfc1630")] => Read rfc1630
  | [(true, n)] => Refused ("not covered: the notation " ++ n)
  | _ => Refused "not covered: the notation, which one line at the head of a file gives"
  end%string.

(** What a text has before the last s that something is behind. *)
Fixpoint before_last (s t : list byte) : option (list byte) :=
  match t with
  | [] => None
  | b :: t' =>
    match before_last s t', after s t with
    | Some l, _ => Some (b :: l)
    | None, Some (_ :: _) => Some []
    | None, _ => None
    end
  end.

(** The right-hand sides that a certificate assumes: assume NAME = EXPRESSION because REASON *)
Definition assumed (certificate : list byte) : reading (list (string * list byte)) :=
  gather (flat_map (fun l =>
    match after (bytes "assume ") l with
    | Some t =>
      let '(n, t) := span (fun b => negb (Byte.eqb b " ")) t in
      [match and_then (after (bytes " = ") t) (before_last (bytes " because ")) with
       | Some e => Read (string_of_list_byte n, e)
       | None => Refused "expected assume NAME = EXPRESSION because REASON"
       end]
    | None => []
    end) (lines certificate)).

Definition productions_read (bnf certificate : list byte) : reading (list (string * (bool * reading expr))) :=
  let bnf := with_line_feeds bnf in
  let* nt := notation_of bnf in let* a := assumed certificate in productions nt bnf a.

Definition rules_read (peg : list byte) : reading (list (string * (bool * reading expr))) := productions pigeon peg [].

Fixpoint uses (e : expr) : list string :=
  match e with
  | Empty | Bytes _ => []
  | Seq a b | Alt a b => uses a ++ uses b
  | Star a | And a | Not a => uses a
  | Rule n => [n]
  end.

(** The productions that are read and use no name of another one, by themselves or by what they use. *)
Definition grammar_of (r : reading (list (string * (bool * reading expr)))) : grammar :=
  match r with
  | Read l =>
    iterate (length l) (fun x y => Nat.eqb (length x) (length y))
      (fun g => filter (fun '(_, e) => forallb (fun n => match body g n with Some _ => true | None => false end) (uses e)) g)
      (flat_map (fun '(n, (_, r)) => match r with Read e => [(n, e)] | Refused _ => [] end) l)
  | Refused _ => []
  end.

(** ** The rule of a production's own name *)

(** A name in lower case, with plus for +; where [apart] is set - and _ are one sign, otherwise none. *)
Definition spelling (apart : bool) (n : string) : string :=
  lower (string_of_list_byte (flat_map (fun b =>
    if Byte.eqb b "+" then bytes "plus" else if among "-_" b then if apart then bytes "_" else [] else [b]) (bytes n))).

(** The only rule that is called so, if no other production is. *)
Definition own_rule (productions rules : list string) (n : string) : option string :=
  let alike apart := filter (fun m => String.eqb (spelling apart n) (spelling apart m)) in
  match alike true productions, alike true rules with
  | [_], [r] => Some r
  | _, _ => match alike false productions, alike false rules with [_], [r] => Some r | _, _ => None end
  end.

(** ** The answer *)

Inductive verdict :=
| Equals (rule : string)              (* the rule of its own name *)
| EqualsAnother (rule : string)
| DiffersFrom (rule : string) (w : word)
| NotStated.

Record answer := {
  verdicts : list (string * verdict);   (* of the productions of the file, and of others that the certificate is about *)
  tabled : list string;                 (* the productions of which the table in the certificate accepts what they derive *)
  refused : list (string * string)      (* productions and rules that are not read, and why *)
}.

(** What a certificate states of a production, whose own rule may be there. *)
Definition verdict_of (own : option string) (c : certificate) (id : string) : verdict :=
  match find (fun '(n, r, _) => String.eqb n id && is String.eqb own r) (equals c), find (fun '(n, _, _) => String.eqb n id) (equals c),
    find (fun '(n, _, _) => String.eqb n id) (differs c) with
  | Some (_, rule, _), _, _ => Equals rule
  | None, Some (_, rule, _), _ => EqualsAnother rule
  | None, None, Some (_, rule, w) => DiffersFrom rule w
  | None, None, None => NotStated
  end.

Definition answer_of (bnf peg text : list byte) : reading answer :=
  let* b := productions_read bnf text in
  let* p := rules_read peg in
  match entries [Text text] with
  | Some l =>
    let c := certificate_of l in
    let g := grammar_of (Read b) in
    let r := grammar_of (Read p) in
    if check g r c && check_table g r c (table_of l) then
      Read {|
        verdicts := map (fun id => (id, verdict_of (own_rule (map fst b) (map fst p) id) c id)) (nodup string_dec
          (flat_map (fun '(n, (has, _)) => if has : bool then [n] else []) b
            ++ map (fun '(n, _, _) => n) (equals c) ++ map (fun '(n, _, _) => n) (differs c) ++ map fst (starts (table_of l))));
        tabled := map fst (starts (table_of l));
        refused := flat_map (fun '(n, (_, r)) => match r with Read _ => [] | Refused why => [(n, why)] end) (b ++ p)
      |}
    else Refused "a line of the certificate is wrong about these grammars"
  | None => Refused "a line of the certificate is in no form that there is"
  end.

Lemma verdict_right own c id :
  match verdict_of own c id with
  | Equals r | EqualsAnother r => exists l, In (id, r, l) (equals c)
  | DiffersFrom r w => In (id, r, w) (differs c)
  | NotStated => True
  end.
Proof.
  unfold verdict_of.
  destruct (find (fun '(n, r, _) => String.eqb n id && is String.eqb own r) (equals c)) as [[[n r] l]|] eqn:F.
  { apply find_some in F as [I F]. apply andb_prop in F as [F _]. apply String.eqb_eq in F. subst n. exists l. exact I. }
  clear F. destruct (find (fun '(n, _, _) => String.eqb n id) (equals c)) as [[[n r] l]|] eqn:F.
  { apply find_some in F as [I F]. apply String.eqb_eq in F. subst n. exists l. exact I. }
  clear F. destruct (find (fun '(n, _, _) => String.eqb n id) (differs c)) as [[[n r] w]|] eqn:F; [|exact I].
  apply find_some in F as [I F]. apply String.eqb_eq in F. subst n. exact I.
Qed.

(** What the answer says is so, of the productions and the rules that are read from the files. *)
Theorem answer_right bnf peg text a : answer_of bnf peg text = Read a ->
  let g := grammar_of (productions_read bnf text) in
  let p := grammar_of (rules_read peg) in
  (forall production rule, In (production, Equals rule) (verdicts a) \/ In (production, EqualsAnother rule) (verdicts a) ->
    forall w, (exists r, parses p (Rule rule) w r) /\ (derives g (Rule production) w <-> matches p rule w)) /\
  (forall production rule w, In (production, DiffersFrom rule w) (verdicts a) -> ~ (derives g (Rule production) w <-> matches p rule w)) /\
  (forall production, In production (tabled a) ->
    forall w, table_accepts (table_in [Text text]) production w = true <-> derives g (Rule production) w).
Proof.
  unfold answer_of, table_in. destruct (productions_read bnf text) as [b|]; [|discriminate]. destruct (rules_read peg) as [r|]; [|discriminate].
  destruct (entries [Text text]) as [l|]; [|discriminate]. cbv zeta.
  generalize (grammar_of (Read b)) (grammar_of (Read r)). intros g p.
  destruct (check g p (certificate_of l) && check_table g p (certificate_of l) (table_of l)) eqn:C; [|discriminate].
  apply andb_prop in C as [C T]. intros E. injection E as <-. cbn [verdicts tabled]. split; [|split].
  - intros production rule H. assert (S : exists m, In (production, rule, m) (equals (certificate_of l))).
    { destruct H as [H|H]; apply in_map_iff in H as (id & H & _);
        pose proof (verdict_right (own_rule (map fst b) (map fst r) id) (certificate_of l) id) as V; injection H as <- H; rewrite H in V; exact V. }
    destruct S as [m S]. exact (equal_right g p _ C production rule m S).
  - intros production rule w H. apply in_map_iff in H as (id & H & _).
    pose proof (verdict_right (own_rule (map fst b) (map fst r) id) (certificate_of l) id) as V. injection H as <- H. rewrite H in V.
    exact (differ_right g p _ C _ _ _ V).
  - intros production I. exact (table_right g p _ _ C T production I).
Qed.

Print Assumptions answer_right.
