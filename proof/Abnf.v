(** ABNF as RFC 5234 and RFC 7405 define it, without prose: a reader of its texts. Names in angle brackets, | for /, and a quotation mark in angle brackets are read
    as well, which earlier documents have. A value is a byte, and refused above 127 where another one is above 255. *)

From Coq Require Import Bool.
Require Import Grammar Reader Tokens.
Local Open Scope N_scope.

Definition rulename : list byte -> option (string * list byte) := name (among "-_").

(** <name> *)
Definition in_angles (t : list byte) : option (string * list byte) :=
  and_then (after (bytes "<") t) (fun t => and_then (rulename t) (fun '(n, t) => option_map (pair n) (after (bytes ">") t))).

Definition named (f : list byte -> option (string * list byte)) : scanner := fun t => option_map (fun '(n, t) => (Named n, t)) (f t).

(** A name before =, and where [adding] is set before =/ *)
Definition defined (adding : bool) (f : list byte -> option (string * list byte)) : scanner := fun t =>
  and_then (f t) (fun '(n, t) =>
    and_then (after (bytes "=") (snd (span blank t))) (fun t =>
      match after (bytes "/") t with Some t' => if adding then Some (Defines n true, t') else Some (Defines n false, t) | None => Some (Defines n false, t) end)).

Definition exactly (s : list byte) : expr := join Seq (map (fun b => Bytes (byte_set b)) s).

Definition in_either_case (s : list byte) : expr :=
  join Seq (map (fun b => if letter b then Bytes (N.lor (byte_set b) (N.shiftl 1 (N.lxor (Byte.to_N b) 32))) else Bytes (byte_set b)) s).

Definition text_behind (sign : string) (f : list byte -> expr) : scanner := fun t =>
  and_then (after (bytes sign) t) (fun t => option_map (fun '(s, t) => (Is (f s), t)) (quoted t)).

(** A quotation mark by itself, with the rest of its line. *)
Definition not_ended : scanner := fun t => option_map (fun t => (Unread "a text that does not end", snd (span in_line t))) (after [""""%byte] t).

(** %x41, %x41-5A and %x41.42 *)
Definition value : scanner := fun t =>
  match t with
  | percent :: kind :: t =>
    let base := if among "xX" kind then 16 else if among "dD" kind then 10 else 2 in
    if negb (Byte.eqb percent "%" && among "bBdDxX" kind) then None else
    let '(digits, t) := span (fun b => decimal_digit b || between "a" "f" b || between "A" "F" b || among ".-" b) t in
    let number d := and_then (number base (bytes (lower (string_of_list_byte d)))) (fun n => if n <? 2 ^ 31 then Some n else None) in
    match all number (split "-" digits), all number (split "." digits) with
    | Some [a; z], _ => Some (Values [a; z] true, t)
    | _, Some l => Some (Values l false, t)
    | _, _ => None
    end
  | _ => None
  end.

Definition prose : scanner := fun t =>
  and_then (after (bytes "<") t) (fun t =>
    let '(_, t) := span (fun b => in_line b && negb (Byte.eqb b ">")) t in option_map (pair (Unread "prose")) (after (bytes ">") t)).

Definition above (n : N) (k : token) : bool := match k with Values l _ => existsb (N.ltb n) l | _ => false end.

Definition bytes_of_values (file : list token) : list token -> list token :=
  let wide := existsb (above 255) file in
  map (fun k =>
    if above 255 k || wide && above 127 k then Unread "the value of a character" else
    match k with
    | Values [a; z] true => if a <=? z then Is (values a z) else Unread "a range of values"
    | Values l _ => Is (join Seq (map byte_of_value l))
    | _ => k
    end).

Definition abnf : notation := {|
  scanners := [
    directive; blanks; comment ";";
    sign "<"">" (Is (lit """")); text_behind "" in_either_case; text_behind "%i" in_either_case; text_behind "%I" in_either_case;
    text_behind "%s" exactly; text_behind "%S" exactly; not_ended;
    defined true in_angles; defined true rulename; named in_angles; named rulename; prose;
    value; count; sign "#" (Unread "a list"); sign "/" Bar] ++ signs;
  folds := true;
  grouping := false;
  empties := false;
  character := any;
  settled := bytes_of_values
|}.
