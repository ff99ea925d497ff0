(** The notation of pigeon v1.3: a reader of its texts. Labels and actions are left out, as they change nothing; code that decides
    (&{ }, !{ }, #{ }), throws, recoveries, classes of Unicode and, where case is ignored, characters beyond ASCII are refused.
    That pigeon accepts the text is assumed. *)

From Coq Require Import Bool.
Require Import Grammar Reader Tokens.
Local Open Scope N_scope.

(** ** Characters as their encodings in UTF-8 *)

Definition utf8 (c : N) : list N :=
  if c <? 128 then [c] else
  let low n := 128 + c / n mod 64 in
  if c <? 2048 then [192 + c / 64; low 1] else
  if c <? 65536 then [224 + c / 4096; low 64; low 1] else [240 + c / 262144; low 4096; low 64; low 1].

(** Sets of characters are intervals in ascending order, from a first character to before a last one, that do not touch. *)
Definition interval := (N * N)%type.
Definition proper : list interval -> list interval := filter (fun '(a, z) => a <? z).

Fixpoint insert (i : interval) (l : list interval) : list interval :=
  match l with
  | [] => [i]
  | (a, z) :: l' => if snd i <? a then i :: l else if z <? fst i then (a, z) :: insert i l' else insert (N.min a (fst i), N.max z (snd i)) l'
  end.

Fixpoint others (from : N) (l : list interval) : list interval :=
  match l with [] => [(from, 1114112)] | (a, z) :: l => (from, a) :: others z l end.

(** The characters of an interval by their numbers of bytes; surrogates have no encoding. *)
Definition planes (i : interval) : list interval :=
  map (fun '(a, z) => (N.max a (fst i), N.min z (snd i))) [(0, 128); (128, 2048); (2048, 55296); (57344, 65536); (65536, 1114112)].

(** An interval in three, of which the one in the middle has whole blocks of n characters. *)
Definition cut (n : N) (i : interval) : list interval :=
  let '(a, z) := i in
  if a / n =? (z - 1) / n then [i] else let first := (a + n - 1) / n * n in let last := z / n * n in [(a, first); (first, last); (last, z)].

Definition encodings (i : interval) : list expr :=
  let cuts n l := proper (flat_map (cut n) l) in
  map (fun '(a, z) => join Seq (map (fun '(x, y) => values x y) (combine (utf8 a) (utf8 (z - 1)))))
    (cuts 262144 (cuts 4096 (cuts 64 (proper (planes i))))).

Definition replacement : N := 65533.

(** One character of a set. pigeon reads a byte that begins no encoding as U+FFFD. *)
Definition one_of (l : list interval) : expr :=
  join Alt (match flat_map encodings l with [] => [Bytes 0] | l => l end ++
    (if existsb (fun '(a, z) => (a <=? replacement) && (replacement <? z)) l
     then [Seq (Not (join Alt (encodings (128, 1114112)))) (values 128 255)] else [])).

(** The lower case of ASCII, and of the two characters beyond whose lower case is in ASCII. *)
Definition in_lower_case (c : N) : N :=
  if (65 <=? c) && (c <=? 90) then c + 32 else if c =? 304 then 105 else if c =? 8490 then 107 else c.

(** A class of intervals; where [ignore] is set they are in ASCII, and pigeon compares the lower case of a character with that of the ends. *)
Definition class (ignore inverted : bool) (l : list interval) : expr :=
  let within c := existsb (fun '(a, z) => (in_lower_case a <=? c) && (c <=? in_lower_case (z - 1))) l in
  let l := if ignore
    then map (fun c => (c, c + 1)) (filter (fun c => within (in_lower_case c)) (map N.of_nat (List.seq 0 128) ++ [304; 8490])) else l in
  let l := fold_right insert [] l in
  one_of (proper (if inverted then others 0 l else l)).

(** ** Characters as they are written *)

Definition character_of (t : list byte) : option (N * list byte) :=
  match t with
  | [] => None
  | b :: rest =>
    let n := Byte.to_N b in
    if n <? 128 then Some (n, rest) else
    let k := if n <? 224 then 1%nat else if n <? 240 then 2%nat else 3%nat in
    let c := fold_left (fun c b => c * 64 + Byte.to_N b mod 64) (firstn k rest) (n mod 2 ^ (6 - N.of_nat k)) in
    if forallb (fun '(x, b) => x =? Byte.to_N b) (combine (utf8 c) t) && Nat.eqb (length (utf8 c)) (length (firstn (S k) t))
      && ((c <? 55296) || (57344 <=? c) && (c <? 1114112)) then Some (c, skipn k rest) else None
  end.

Definition hexadecimal (n : nat) (base : N) (t : list byte) : option (N * list byte) :=
  if Nat.eqb (length (firstn n t)) n then option_map (fun c => (c, skipn n t)) (number base (bytes (lower (string_of_list_byte (firstn n t))))) else None.

(** What is behind a backslash, as Go has it; [also] are signs that stand for themselves, and [most] is the last character that may be
    written by the number of a byte. *)
Definition escape (also : string) (most : N) (t : list byte) : option (N * list byte) :=
  let below n o := and_then o (fun '(c, t) => if (c <=? n) && ((c <? 55296) || (57344 <=? c)) then Some (c, t) else None) in
  match t with
  | [] => None
  | b :: rest =>
    match find (fun '(x, _) => Byte.eqb b x) (combine (bytes "abfnrtv\") [7; 8; 12; 10; 13; 9; 11; 92]) with
    | Some (_, c) => Some (c, rest)
    | None =>
      if among also b then Some (Byte.to_N b, rest) else
      if Byte.eqb b "x" then below most (hexadecimal 2 16 rest) else
      if Byte.eqb b "u" then below 1114111 (hexadecimal 4 16 rest) else
      if Byte.eqb b "U" then below 1114111 (hexadecimal 8 16 rest) else
      below most (hexadecimal 3 8 t)
    end
  end.

(** What a text has before a sign, which may stand behind a backslash, or anywhere. *)
Fixpoint enclosed (escapes : bool) (close : byte) (t : list byte) : option (list byte * list byte) :=
  match t with
  | [] => None
  | b :: t =>
    let more := option_map (fun '(s, t) => (b :: s, t)) in
    if Byte.eqb b close then Some ([], t) else
    if escapes && Byte.eqb b "010" then None else
    if escapes && Byte.eqb b "\" then
      match t with
      | c :: t => if Byte.eqb c "010" then None else more (option_map (fun '(s, t) => (c :: s, t)) (enclosed escapes close t))
      | [] => None
      end
    else more (enclosed escapes close t)
  end.

(** The characters of a text of n bytes or less. *)
Fixpoint characters (first : list byte -> option (N * list byte)) (n : nat) (t : list byte) : option (list N) :=
  match n, t with
  | _, [] => Some []
  | O, _ => None
  | S n, _ => and_then (first t) (fun '(c, t) => option_map (cons c) (characters first n t))
  end.

Definition escaped (also : string) (most : N) (t : list byte) : option (N * list byte) :=
  match t with b :: rest => if Byte.eqb b "\" then escape also most rest else character_of t | [] => None end.

Definition raw (t : list byte) : option (N * list byte) :=
  match t with b :: _ => if Byte.eqb b "013" then None else character_of t | [] => None end.

(** "text", 'c' and `text`, by the characters; None are some that are not read. *)
Definition text (t : list byte) : option (option (list N) * list byte) :=
  match t with
  | [] => None
  | b :: t =>
    let read escapes first := option_map (fun '(s, t) => (characters first (length s) s, t)) (enclosed escapes b t) in
    if Byte.eqb b """" then read true (escaped """" 127) else
    if Byte.eqb b "`" then read false raw else
    if Byte.eqb b "'" then option_map (fun '(l, t) => (match l with Some [c] => Some [c] | _ => None end, t)) (read true (escaped "'" 127)) else None
  end.

Definition ignoring (t : list byte) : bool * list byte := match after (bytes "i") t with Some t => (true, t) | None => (false, t) end.

Definition literal : scanner := fun t =>
  and_then (text t) (fun '(l, t) =>
    let '(ignore, t) := ignoring t in
    Some (match l with
      | Some l =>
        if existsb (fun c => if ignore then 127 <? c else c =? replacement) l then Unread "a character of a text"
        else Is (join Seq (map (fun c => class ignore false [(c, c + 1)]) l))
      | None => Unread "the escapes of a text"
      end, t)).

(** A range is a character, a - and a character, however they are written. *)
Fixpoint ranges (l : list N) : option (list interval) :=
  match l with
  | [] => Some []
  | a :: l =>
    match l with
    | m :: z :: l' => if m =? 45 then if a <=? z then option_map (cons (a, z + 1)) (ranges l') else None else option_map (cons (a, a + 1)) (ranges l)
    | _ => option_map (cons (a, a + 1)) (ranges l)
    end
  end.

Definition in_brackets : scanner := fun t =>
  and_then (after (bytes "[") t) (fun t => and_then (enclosed true "]" t) (fun '(s, t) =>
    let '(ignore, t) := ignoring t in
    let '(inverted, s) := match after (bytes "^") s with Some s => (true, s) | None => (false, s) end in
    Some (match and_then (characters (escaped "]" 255) (length s) s) ranges with
      | Some l => if ignore && existsb (fun '(_, z) => 128 <? z) l then Unread "a class beyond ASCII that ignores case" else Is (class ignore inverted l)
      | None => Unread "a class"
      end, t))).

(** ** Code: what pigeon takes for it *)

(** Behind a text in quotation marks, if it ends on its line. *)
Fixpoint unquoted (t : list byte) : option (list byte) :=
  match t with
  | [] => None
  | b :: t =>
    if Byte.eqb b """" then Some t else if Byte.eqb b "010" || Byte.eqb b "013" then None else
    match t with c :: t' => if Byte.eqb b "\" && among "\""" c then unquoted t' else unquoted t | [] => None end
  end.

Definition begins (s : string) (t : list byte) : bool := match after (bytes s) t with Some _ => true | None => false end.

(** Behind the comment or the quoted text that code begins with; a sign that nothing ends is one like others. *)
Definition opaque (t : list byte) : option (list byte) :=
  if begins "/*" t then behind (bytes "*/") (skipn 2 t) else
  if begins "//" t && negb (begins "//{" t) then Some (snd (span in_line t)) else
  if begins "'\'" t || begins "'\\" t then after (bytes "'") (skipn 3 t) else
  if begins "`" t then behind (bytes "`") (skipn 1 t) else
  if begins "'" t && negb (begins "''" t) then behind (bytes "'") (skipn 1 t) else
  if begins """" t then unquoted (skipn 1 t) else None.

(** Behind the } that ends all blocks that are open; n is the length of the text. *)
Fixpoint block (n depth : nat) (t : list byte) : option (list byte) :=
  match n, t with
  | S n, b :: rest =>
    if Byte.eqb b "{" then block n (S depth) rest else
    if Byte.eqb b "}" then match depth with 1%nat => Some rest | S depth => block n depth rest | O => None end else
    block n depth (match opaque t with Some t => t | None => rest end)
  | _, _ => None
  end.

Definition code : scanner := fun t => and_then (after (bytes "{") t) (fun _ => option_map (pair Code) (block (length t) 0 t)).

(** ** Names *)

Definition arrow (signs : list string) (t : list byte) : option (list byte) :=
  fold_right (fun s o => match after (bytes s) t with Some t => Some t | None => o end) None signs.

(** What is beyond ASCII and no arrow is a letter. *)
Fixpoint letters (t : list byte) : list byte * list byte :=
  match t with
  | b :: t' =>
    if letter b || decimal_digit b || Byte.eqb b "_" || (128 <=? Byte.to_N b) && match arrow ["←"; "⟵"]%string t with Some _ => false | None => true end
    then let '(w, rest) := letters t' in (b :: w, rest) else ([], t)
  | [] => ([], [])
  end.

Definition identifier (t : list byte) : option (string * list byte) :=
  match letters t with
  | (b :: w, rest) => if decimal_digit b then None else Some (string_of_list_byte (b :: w), rest)
  | _ => None
  end.

Definition label : scanner := fun t => and_then (identifier t) (fun '(_, t) => option_map (pair Blank) (after (bytes ":") (snd (span blank t)))).

(** A name, and one that messages have, before an arrow *)
Definition definition : scanner := fun t =>
  and_then (identifier t) (fun '(n, t) =>
    let t := snd (span blank t) in
    let t := match text t with Some (_, t) => snd (span blank t) | None => t end in
    option_map (pair (Defines n false)) (arrow ["<-"; "="; "←"; "⟵"]%string t)).

Definition line_comment : scanner := fun t => match after (bytes "//{") t with Some _ => None | None => comment "//" t end.

Definition long_comment : scanner := fun t => and_then (after (bytes "/*") t) (fun t => option_map (pair Blank) (behind (bytes "*/") t)).

Definition pigeon : notation := {|
  scanners := [
    code; line_comment; long_comment; blanks; sign ";" Blank; label; definition; (fun t => option_map (fun '(n, t) => (Named n, t)) (identifier t));
    literal; in_brackets; sign "." (Is (class false true []));
    sign "?" (Repeats 0 (Some 1%nat)); sign "*" (Repeats 0 None); sign "+" (Repeats 1 None); sign "&" (Looks false); sign "!" (Looks true);
    sign "/" Bar; sign "(" (Opens false); sign ")" (Closes false); sign "#" (Unread "code that decides"); sign "%" (Unread "a throw")];
  folds := false;
  grouping := false;
  empties := false;
  character := class false true [];
  settled := fun _ t => t
|}.
