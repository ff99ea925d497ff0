(** How the readers of notations read a file: the notation takes its bytes apart into tokens, and here definitions are made of these,
    and expressions of right-hand sides. What is not read is refused with a reason. *)

From Coq Require Import Bool.
Require Import Grammar Normal Automaton Reader.
Local Open Scope N_scope.

Inductive reading (A : Type) := Read (a : A) | Refused (why : string).
Arguments Read {A}.
Arguments Refused {A}.

Notation "'let*' p := r 'in' e" := (match r with Read p => e | Refused why => Refused why end)
  (at level 200, p pattern, r at level 100, e at level 200).

Inductive token :=
| Blank
| Part                                       (* here begins another part of the grammar *)
| Ids (prefix : string) (all : bool)         (* before names of the part: all of them, or those that other parts have as well *)
| Defines (name : string) (adds : bool)      (* to what is defined above *)
| Named (name : string)
| Is (e : expr)                              (* a text or a class *)
| Values (l : list N) (range : bool)
| Counts (least : nat) (most : option nat)   (* what is behind *)
| Repeats (least : nat) (most : option nat)  (* what is before *)
| Looks (negated : bool)
| Bar
| Opens (square : bool)
| Closes (square : bool)
| Code
| Unread (text : string).

(** ** A text to tokens *)

Definition scanner := list byte -> option (token * list byte).

Fixpoint first_of (l : list scanner) (t : list byte) : option (token * list byte) :=
  match l with [] => None | f :: l => match f t with Some x => Some x | None => first_of l t end end.

(** The first scanner that reads something counts; where none does, the text is refused. [n] is the length of the text. *)
Fixpoint scan (l : list scanner) (n : nat) (t : list byte) : reading (list token) :=
  match n, t with
  | _, [] => Read []
  | O, _ => Refused "it is too long"
  | S n, b :: _ =>
    match first_of l t with
    | Some (k, t) => let* rest := scan l n t in Read (match k with Blank => rest | _ => k :: rest end)
    | None => Refused ("unexpected " ++ string_of_list_byte [b])
    end
  end.

(** What a text has behind s, if it begins with s. *)
Fixpoint after (s t : list byte) : option (list byte) :=
  match s, t with
  | [], _ => Some t
  | a :: s, b :: t => if Byte.eqb a b then after s t else None
  | _, [] => None
  end.

(** What a text has behind the first s. *)
Fixpoint behind (s t : list byte) : option (list byte) :=
  match after s t, t with
  | Some rest, _ => Some rest
  | None, _ :: t => behind s t
  | None, [] => None
  end.

Fixpoint span (p : byte -> bool) (t : list byte) : list byte * list byte :=
  match t with
  | b :: t' => if p b then let '(taken, rest) := span p t' in (b :: taken, rest) else ([], t)
  | [] => ([], [])
  end.

Definition among (s : string) (b : byte) : bool := existsb (Byte.eqb b) (bytes s).
Definition between (a z b : byte) : bool := (Byte.to_N a <=? Byte.to_N b) && (Byte.to_N b <=? Byte.to_N z).
Definition letter (b : byte) : bool := between "a" "z" b || between "A" "Z" b.
Definition decimal_digit : byte -> bool := between "0" "9".
Definition blank (b : byte) : bool := Byte.eqb b " " || Byte.eqb b "009" || Byte.eqb b "010" || Byte.eqb b "012" || Byte.eqb b "013".
Definition in_line (b : byte) : bool := negb (Byte.eqb b "010").

Definition sign (s : string) (k : token) : scanner := fun t => option_map (pair k) (after (bytes s) t).

Definition blanks : scanner := fun t => match t with b :: t => if blank b then Some (Blank, t) else None | [] => None end.

Definition newline : byte := "010".

(** A comment from a sign to the end of the line. *)
Definition comment (s : string) : scanner := fun t => and_then (after (bytes s) t) (fun t => Some (Blank, snd (span in_line t))).

(** A line of a .bnf file that says what the lines below are. It is as good as an empty one. *)
Definition directive : scanner := fun t =>
  and_then (after (bytes "
@ ") t) (fun t =>
    let '(line, rest) := span in_line t in
    match map string_of_list_byte (split " " line) with
    | "part" :: _ :: _ => Some (Part, newline :: rest)
    | ["ids"; prefix; "all"] => Some (Ids prefix true, newline :: rest)
    | ["ids"; prefix; "shared"] => Some (Ids prefix false, newline :: rest)
    | ("grammar" | "title" | "notation" | "section" | "page") :: _ :: _ => Some (Blank, newline :: rest)
    | _ => None
    end%string).

(** A name of letters, and of more signs within. *)
Definition name (more : byte -> bool) (t : list byte) : option (string * list byte) :=
  match t with
  | b :: _ => if letter b then let '(n, rest) := span (fun b => letter b || decimal_digit b || more b) t in Some (string_of_list_byte n, rest) else None
  | [] => None
  end.

Definition quoted (t : list byte) : option (list byte * list byte) :=
  and_then (after [""""%byte] t) (fun t =>
    let '(s, t) := span (fun b => in_line b && negb (Byte.eqb b """")) t in
    option_map (pair s) (after [""""%byte] t)).

Definition most_count : N := 8191.

Definition nat_of (n : list byte) : option nat := and_then (decimal n) (fun n => if n <=? most_count then Some (N.to_nat n) else None).

(** 3, 1*, *4, 1*4 and * *)
Definition count : scanner := fun t =>
  let '(low, t1) := span decimal_digit t in
  let least := match low with [] => Some O | _ => nat_of low end in
  match after (bytes "*") t1, low with
  | Some t2, _ =>
    let '(high, t3) := span decimal_digit t2 in
    let most := match high with [] => Some None | _ => option_map Some (nat_of high) end in
    Some (match least, most with
      | Some least, Some most =>
        if match most with Some most => Nat.leb least most | None => true end then Counts least most else Unread "a count"
      | _, _ => Unread "a count"
      end, t3)
  | None, [] => None
  | None, _ => Some (match least with Some n => Counts n (Some n) | None => Unread "a count" end, t1)
  end.

Definition signs : list scanner :=
  [sign "|" Bar; sign "[" (Opens true); sign "]" (Closes true); sign "(" (Opens false); sign ")" (Closes false)].

(** ** A right-hand side to an expression *)

Fixpoint join (f : expr -> expr -> expr) (l : list expr) : expr :=
  match l with [] => Empty | [a] => a | a :: l => f a (join f l) end.

Definition byte_of_value (n : N) : expr := Bytes (N.shiftl 1 n).

Definition repeated (least : nat) (most : option nat) (e : expr) : expr :=
  match least, most with
  | 0%nat, Some 1%nat => opt e
  | 1%nat, Some 1%nat => e
  | _, Some most => from_to least most e
  | 0%nat, None => Star e
  | _, None => at_least least e
  end.

(** A lookahead for any character is one for any byte. *)
Definition looks (any_character : expr) (negated : bool) (e : expr) : expr :=
  let e := if expr_eqb (normal [] e) (normal [] any_character) then any else e in
  if negated then Not e else And e.

Record notation := {
  scanners : list scanner;
  folds : bool;       (* names are the same in either case *)
  grouping : bool;    (* brackets behind a count only group *)
  empties : bool;     (* a right-hand side or an alternative may be empty *)
  character : expr;   (* any one, as a PEG reads it *)
  settled : list token -> list token -> list token  (* the tokens of a text, by all those of its file *)
}.

Section Right.
Variable nt : notation.

Definition ends (t : list token) : bool := match t with [] | Bar :: _ | Closes _ :: _ => true | _ => false end.

Fixpoint alternatives (n : nat) (t : list token) : reading (expr * list token) :=
  match n with
  | O => Refused "it is too long"
  | S n =>
    let* (a, t) := sequence n t in
    match t with
    | Bar :: t => let* (b, t) := alternatives n t in Read (Alt a b, t)
    | _ => Read (a, t)
    end
  end
with sequence (n : nat) (t : list token) : reading (expr * list token) :=
  match n with
  | O => Refused "it is too long"
  | S n =>
    if empties nt && ends t then Read (Empty, t) else
    let* (a, t) := element n t in
    let t := match t with Code :: t => t | _ => t end in
    if ends t then Read (a, t) else let* (b, t) := sequence n t in Read (Seq a b, t)
  end
with element (n : nat) (t : list token) : reading (expr * list token) :=
  match n with
  | O => Refused "it is too long"
  | S n =>
    match t with
    | Looks negated :: t => let* (a, t) := element n t in Read (looks (character nt) negated a, t)
    | Counts least most :: t => let* (a, t) := item n true t in Read (repeated least most a, t)
    | _ => let* (a, t) := item n false t in
      match t with Repeats least most :: t => Read (repeated least most a, t) | _ => Read (a, t) end
    end
  end
with item (n : nat) (counted : bool) (t : list token) : reading (expr * list token) :=
  match n with
  | O => Refused "it is too long"
  | S n =>
    match t with
    | Is e :: t => Read (e, t)
    | Named x :: t => Read (Rule x, t)
    | Opens square :: t =>
      let* (a, t) := alternatives n t in
      match t with
      | Closes s :: t => if Bool.eqb s square then Read (if square && negb (counted && grouping nt) then opt a else a, t) else Refused "a bracket does not end"
      | _ => Refused "a bracket does not end"
      end
    | Unread s :: _ => Refused ("not covered: " ++ s)
    | [] => Refused "an element is expected"
    | _ => Refused "an element is expected, and another sign found"
    end
  end.

Definition right_hand_side (t : list token) : reading expr :=
  let* (e, t) := alternatives (4 * length t + 4) t in
  match t with [] => Read e | _ => Refused "a bracket too many" end.

(** ** Tokens to definitions *)

(** Of each part, the definitions: a name, whether it adds to what is above, and a right-hand side. *)
Definition definitions (part : list token) : list token * list (string * bool * list token) :=
  fold_right (fun k '(body, l) =>
    match k with Defines n adds => ([], (n, adds, body) :: l) | _ => (k :: body, l) end) ([], []) part.

Definition parts (t : list token) : list (list token) :=
  let '(part, l) := fold_right (fun k '(part, l) => match k with Part => ([], part :: l) | _ => (k :: part, l) end) ([], []) t in part :: l.

Definition lower (n : string) : string :=
  string_of_list_byte (map (fun b => if between "A" "Z" b then match Byte.of_N (Byte.to_N b + 32) with Some b => b | None => b end else b) (bytes n)).

Definition same (n m : string) : bool := String.eqb n m || folds nt && String.eqb (lower n) (lower m).

(** What the reader of a file goes by: of each part its prefix, whether all names have it, and its definitions. *)
Definition source := list (string * bool * list (string * bool * list token)).

Definition source_of (t : list token) : reading source :=
  fold_right (fun part l =>
    let* l := l in
    let '(before, defs) := definitions part in
    if forallb (fun k => match k with Code | Ids _ _ => true | _ => false end) before
    then Read ((fold_left (fun x k => match k with Ids p all => (p, all) | _ => x end) before (EmptyString, false), defs) :: l)
    else Refused "a definition is expected") (Read []) (parts t).

(** The name by which a production is known that a part, the i-th, calls n: what the part defines, or one other part. Where several
    parts do, or by [Ids], there is a prefix. A name that no part defines may be one of the ids. *)
Definition id_of (s : source) (ids : list string) (i : nat) (n : string) : reading string :=
  let homes := flat_map (fun '(j, (prefix, all, defs)) =>
    match find (fun '(m, _, _) => same n m) defs with Some (m, _, _) => [(j, prefix, all, m)] | None => [] end) (combine (List.seq 0 (length s)) s) in
  let known '(_, prefix, all, m) :=
    if (all || negb (Nat.eqb (length homes) 1)) && negb (String.eqb prefix (m ++ "_")) then (prefix ++ m)%string else m in
  match homes with
  | [] => Read (match find (same n) ids with Some m => m | None => n end)
  | [home] => Read (known home)
  | _ =>
    match find (fun '(j, _, _, _) => Nat.eqb i j) homes with Some home => Read (known home) | None => Refused ("there is more than one " ++ n) end
  end.

Definition settle_names (s : source) (ids : list string) (i : nat) : list token -> list token :=
  map (fun k => match k with Named n => match id_of s ids i n with Read m => Named m | Refused why => Unread why end | _ => k end).

Fixpoint gather {A} (l : list (reading A)) : reading (list A) :=
  match l with [] => Read [] | r :: l => let* a := r in let* l := gather l in Read (a :: l) end.

(** A production by its definitions, each with whether it adds to those above. *)
Definition body_of (l : list (bool * reading expr)) : reading expr :=
  match l with
  | (false, r) :: l =>
    fold_left (fun r '(adds, r') =>
      let* a := r in
      let* b := r' in
      if adds : bool then Read (Alt a b) else if expr_eqb (normal [] a) (normal [] b) then Read a else Refused "it is defined twice") l r
  | _ => Refused "it is added to, and not defined"
  end.

(** Whether two of these names are the same. *)
Fixpoint twice (l : list string) : bool :=
  match l with [] => false | n :: l => existsb (same n) l || twice l end.

(** The productions by name, each with whether the file has it; what is assumed is read instead of what the file has. An assumption
    about a name of the file is one about an ID, since one about another name would pass by the definitions without a word. *)
Definition productions_of (s : source) (assumed : list (string * list token)) : reading (list (string * (bool * reading expr))) :=
  let numbered := combine (List.seq 0 (length s)) s in
  let* defs := gather (flat_map (fun '(i, (_, _, defs)) => map (fun '(n, adds, t) => let* id := id_of s [] i n in Read (id, i, adds, t)) defs) numbered) in
  let defined n := existsb (fun '(_, _, defs) => existsb (fun '(m, _, _) => same n m) defs) s in
  let* new := gather (map (fun '(n, t) =>
    match find (fun '(id, _, _, _) => same n id) defs with
    | Some (id, i, _, _) => Read (id, i, false, t)
    | None => if defined n then Refused (n ++ " is defined: the assumption must name it by its ID") else Read (n, length s, false, t)
    end%string) assumed) in
  if twice (map (fun '(id, _, _, _) => id) new) then Refused "there are two assumptions about one production" else
  let name '(id, _, _, _) := id in
  let ids := map name (defs ++ new) in
  let called id := filter (fun d => String.eqb id (name d)) in
  let bodies := map (fun '(_, i, adds, t) => (adds, right_hand_side (settle_names s ids i t))) in
  Read (map (fun id =>
    (id, (match called id defs with [] => false | _ => true end,
      body_of (bodies (match called id new with [] => called id defs | new => new end))))) (nodup string_dec ids)).
End Right.

(** What a text has behind a byte order mark. *)
Definition without_mark (text : list byte) : list byte := match after ["239"; "187"; "191"]%byte text with Some text => text | None => text end.

Definition tokens (nt : notation) (t : list byte) : reading (list token) := scan (scanners nt) (length t) t.

(** A text to productions, with right-hand sides that are assumed. It refuses a text that is no list of definitions, and each production
    for itself. *)
Definition productions (nt : notation) (text : list byte) (assumed : list (string * list byte)) : reading (list (string * (bool * reading expr))) :=
  let* t := tokens nt (newline :: newline :: without_mark text) in
  let* s := source_of (settled nt t t) in
  let* assumed := gather (map (fun '(n, e) => let* k := tokens nt e in Read (n, settled nt t k)) assumed) in
  productions_of nt s assumed.
