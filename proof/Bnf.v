(** The notations of RFC 822, as RFC 1738 has it, and of RFC 1630: readers of the lines in grammar. *)

From Coq Require Import Bool.
Require Import Grammar Reader Tokens Abnf.
Local Open Scope N_scope.

(** In RFC 1738 a literal matches as printed, a bare slash is one, and brackets behind a count only group. *)
Definition rfc822 : notation :=
  let name := name (among "+-_") in
  {| scanners := [
       directive; blanks; comment ";"; sign "<"">" (Is (lit """")); text_behind "" exactly; not_ended; sign "/" (Is (lit "/"));
       defined false name; named name; prose; count; sign "#" (Unread "a list")] ++ signs;
     folds := true; grouping := true; empties := false; character := any; settled := fun _ t => t |}.

(** In RFC 1630 a name has two signs or more and ends with none but a letter or a digit; every other sign stands for itself. A name at
    the beginning of a paragraph is defined by what is behind it on its line. *)
Fixpoint without_dashes (n : list byte) : list byte * list byte :=
  match n with
  | [] => ([], [])
  | b :: n => match without_dashes n with ([], rest) => if Byte.eqb b "-" then ([], b :: rest) else ([b], rest) | (n, rest) => (b :: n, rest) end
  end.

Definition long_name (t : list byte) : option (string * list byte) :=
  and_then (name (among "-") t) (fun '(n, t) =>
    match without_dashes (bytes n) with
    | (a :: b :: n, rest) => Some (string_of_list_byte (a :: b :: n), rest ++ t)
    | _ => None
    end).

Definition within_line (b : byte) : bool := blank b && in_line b.

(** An empty line, a name and a blank. Other paragraphs begin with a line that says what the lines below are. *)
Definition paragraph : scanner := fun t =>
  and_then (after [newline] t) (fun t => and_then (after [newline] (snd (span within_line t))) (fun t =>
    match snd (span within_line t) with
    | [] => None
    | b :: rest =>
      match long_name (b :: rest) with
      | Some (n, []) => Some (Defines n false, [])
      | Some (n, c :: t) => if blank c then Some (Defines n false, c :: t) else Some (Unread "a paragraph", c :: t)
      | None => if between "!" "~" b && negb (Byte.eqb b "@") then Some (Unread "a paragraph", rest) else None
      end
    end)).

Definition spelt : scanner := fun t =>
  option_map (fun '(n, t) => (match n with "space" => Is (lit " ") | "vline" => Is (lit "|") | _ => Named n end, t)%string) (long_name t).

Definition itself : scanner := fun t =>
  match t with b :: t => if between "!" "~" b then Some (Is (Bytes (byte_set b)), t) else None | [] => None end.

(** A bracket that is all of an alternative stands for itself. *)
Definition edge (k : token) : bool := match k with Bar | Defines _ _ | Part | Ids _ _ => true | _ => false end.

Fixpoint brackets (behind_edge : bool) (t : list token) : list token :=
  match t with
  | [] => []
  | k :: t =>
    let alone := behind_edge && match t with [] => true | next :: _ => edge next end in
    match k with
    | Opens _ => if alone then Is (lit "[") else k
    | Closes _ => if alone then Is (lit "]") else k
    | _ => k
    end :: brackets (edge k) t
  end.

Definition rfc1630 : notation :=
  {| scanners := [
       paragraph; directive; sign "
@" (Unread "a line for a person"); blanks; spelt; sign "|" Bar; sign "[" (Opens true); sign "]" (Closes true); itself];
     folds := false; grouping := false; empties := true; character := any; settled := fun _ => brackets true |}.
