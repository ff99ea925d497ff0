(** A reader of the text of a certificate. Nothing rests on it but what the table is that a theorem is about: all else that it
    returns is checked. *)

From Coq Require Import Bool.
Require Import Grammar Automaton Table.
Local Open Scope N_scope.

(** A text is bytes. *)
Inductive text := Text (t : list byte).
Definition bytes_of (t : text) : list byte := match t with Text t => t end.
Declare Scope text_scope.
Delimit Scope text_scope with text.
String Notation text Text bytes_of : text_scope.

(** The parts of t between the bytes b. *)
Definition split (b : byte) (t : list byte) : list (list byte) :=
  let '(part, parts) := fold_left (fun '(part, parts) x => if Byte.eqb x b then ([], rev' part :: parts) else (x :: part, parts)) t ([], []) in
  rev' (rev' part :: parts).

Definition and_then {A B} (o : option A) (f : A -> option B) : option B := match o with Some a => f a | None => None end.

Fixpoint all {A B} (f : A -> option B) (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | a :: l => and_then (f a) (fun b => option_map (cons b) (all f l))
  end.

Definition digit (b : byte) : N :=
  let n := Byte.to_N b in
  if (48 <=? n) && (n <=? 57) then n - 48 else if (97 <=? n) && (n <=? 102) then n - 87 else 16.

Definition number (base : N) (w : list byte) : option N :=
  match w with
  | [] => None
  | _ => fold_left (fun n b => and_then n (fun n => if digit b <? base then Some (n * base + digit b) else None)) w (Some 0)
  end.

Definition decimal := number 10.

Definition byte_of (w : list byte) : option N := and_then (number 16 w) (fun n => if n <? 256 then Some n else None).

(** "2d,30-39", or "none" *)
Definition set_of (w : list byte) : option set :=
  if String.eqb (string_of_list_byte w) "none" then Some 0
  else option_map (fun l => fold_left N.lor l 0) (all (fun part =>
    and_then (all byte_of (split "-" part)) (fun ends =>
      match ends with
      | [a] => Some (N.shiftl 1 a)
      | [a; b] => Some (N.ldiff (N.ones (N.succ b)) (N.ones a))
      | _ => None
      end)) (split "," w)).

(** "3a2f", or "-" for the empty word *)
Fixpoint word_of (w : list byte) : option word :=
  match w with
  | a :: b :: w =>
    and_then (number 16 [a; b]) (fun n => and_then (Byte.of_N n) (fun x => option_map (cons x) (word_of w)))
  | [] => Some []
  | [a] => if Byte.eqb a "-" then Some [] else None
  end.

(** "12-14:5", or "12:5" *)
Definition step_of (w : list byte) : option (N * N * N) :=
  match split ":" w with
  | [range; to] =>
    and_then (all decimal (split "-" range)) (fun ends => and_then (decimal to) (fun q =>
      match ends with
      | [x] => Some (x, x, q)
      | [x; y] => Some (x, y, q)
      | _ => None
      end))
  | _ => None
  end.

(** Steps are in ascending order. *)
Fixpoint ascending (least : N) (l : steps) : bool :=
  match l with
  | [] => true
  | (from, to, _) :: l => (least <=? from) && (from <=? to) && ascending (to + 1) l
  end.

Definition steps_of (words : list (list byte)) : option steps :=
  and_then (all step_of words) (fun l => if ascending 0 l then Some l else None).

Definition node_of (kind : string) (words : list (list byte)) : option node :=
  match kind, words with
  | "bytes", [s] => option_map NBytes (set_of s)
  | "seq", [a; b] => and_then (decimal a) (fun a => option_map (NSeq a) (decimal b))
  | "alt", [a; b] => and_then (decimal a) (fun a => option_map (NAlt a) (decimal b))
  | "star", [a] => option_map NStar (decimal a)
  | "not", [a] => option_map NNot (decimal a)
  | "rule", [s; n] =>
    match string_of_list_byte s with
    | "bnf" => Some (NRule BNF (string_of_list_byte n))
    | "peg" => Some (NRule PEG (string_of_list_byte n))
    | _ => None
    end
  | _, _ => None
  end%string.

Inductive entry :=
| Class (n : N) (s : set)
| Term (n : N) (t : node)
| Language (n : N) (accepting : bool) (l : steps)
| Operation (o : operator) (x : N * N * N)
| Line (s : side) (x : N * N * N)
| Equal (production rule : string) (l : N)
| Differ (production rule : string) (w : word)
| Column (n : N) (s : set)
| Row (q : N) (accepting : bool) (language : N) (l : steps)
| Start (production : string) (states : list N)
| Other.

Definition three (f : N * N * N -> entry) (a b c : list byte) : option entry :=
  and_then (decimal a) (fun a => and_then (decimal b) (fun b => option_map (fun c => f (a, b, c)) (decimal c))).

Definition entry_of (line : list byte) : option entry :=
  let name := string_of_list_byte in
  match split " " line with
  | [] => None
  | kind :: words =>
    match name kind, words with
    | "class", [n; s] => and_then (decimal n) (fun n => option_map (Class n) (set_of s))
    | "term", n :: kind :: words => and_then (decimal n) (fun n => option_map (Term n) (node_of (name kind) words))
    | "language", n :: sign :: words =>
      and_then (decimal n) (fun n => option_map (Language n (String.eqb (name sign) "+")) (steps_of words))
    | "union", [a; b; _; m] => three (Operation Union) a b m
    | "minus", [a; b; _; m] => three (Operation Minus) a b m
    | "bnf", [t; _; l; _; m] => three (Line BNF) t l m
    | "peg", [t; _; l; _; m] => three (Line PEG) t l m
    | "equal", [p; r; l] => option_map (Equal (name p) (name r)) (decimal l)
    | "differ", p :: r :: w :: _ => option_map (Differ (name p) (name r)) (word_of w)
    | "column", [n; s] => and_then (decimal n) (fun n => option_map (Column n) (set_of s))
    | "row", q :: sign :: _ :: l :: words =>
      and_then (decimal q) (fun q => and_then (decimal l) (fun l =>
        option_map (Row q (String.eqb (name sign) "+") l) (steps_of words)))
    | "table", p :: words => option_map (Start (name p)) (all decimal words)
    | "bnfcheck", _ | "assume", _ | "open", _ | "end", _ | "", [] => Some Other
    | _, _ => None
    end%string
  end.

Definition certificate_of (l : list entry) : certificate :=
  let operations o := flat_map (fun e => match e with Operation o' x => if operator_eqb o o' then [x] else [] | _ => [] end) l in
  let lines s := flat_map (fun e => match e with Line s' x => if side_eqb s s' then [x] else [] | _ => [] end) l in
  let unions := operations Union in
  let minuses := operations Minus in
  let bnf := lines BNF in
  let peg := lines PEG in
  {| classes := flat_map (fun e => match e with Class n s => [(n, s)] | _ => [] end) l;
     terms := flat_map (fun e => match e with Term n t => [(n, t)] | _ => [] end) l;
     languages := flat_map (fun e => match e with Language n a l => [(n, (a, l))] | _ => [] end) l;
     operations o := match o with Union => unions | Minus => minuses end;
     lines s := match s with BNF => bnf | PEG => peg end;
     equals := flat_map (fun e => match e with Equal p r l => [(p, r, l)] | _ => [] end) l;
     differs := flat_map (fun e => match e with Differ p r w => [(p, r, w)] | _ => [] end) l |}.

Definition table_of (l : list entry) : table :=
  {| columns := flat_map (fun e => match e with Column n s => [(n, s)] | _ => [] end) l;
     rows := flat_map (fun e => match e with Row q b _ l => [(q, (b, l))] | _ => [] end) l;
     starts := flat_map (fun e => match e with Start p l => [(p, l)] | _ => [] end) l;
     relation := flat_map (fun e => match e with Row q _ m _ => [(q, m)] | _ => [] end) l |}.

(** A table has a column for each byte, and a row once, none of them of state 0. *)
Definition whole (t : table) : bool :=
  match rows t with [] => true | _ => forallb (fun b => Nat.eqb (length (filter (fun '(_, s) => mem b s) (columns t))) 1) all_bytes end &&
  match fold_left (fun known '(q, _) =>
      and_then known (fun m => if q =? 0 then None else match get m q with Some _ => None | None => Some (put q tt m) end))
    (rows t) (Some (M.empty unit)) with
  | Some _ => true
  | None => false
  end.

(** The entries of a certificate in parts, each of whole lines. *)
Definition entries (parts : list text) : option (list entry) :=
  and_then (all (fun t => all entry_of (split "010" (bytes_of t))) parts) (fun l =>
    if whole (table_of (concat l)) then Some (concat l) else None).

Definition read (parts : list text) : option (certificate * table) :=
  option_map (fun l => (certificate_of l, table_of l)) (entries parts).

(** The table in a certificate: the columns, the rows and the starts that it has lines for. *)
Definition table_in (parts : list text) : table := match entries parts with Some l => table_of l | None => table_of [] end.
