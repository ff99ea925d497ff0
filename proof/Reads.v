(** What the readers make of texts, and what they refuse, by examples. *)

From Coq Require Import Bool.
Require Import Grammar Notations Tokens Files Total Alike.

Definition bnf (s : string) := productions_read (bytes s) [].
Definition peg (s : string) := rules_read (bytes s).

(** These texts are these grammars. *)
Definition are_read (f : string -> reading (list (string * (bool * reading expr)))) : list (string * grammar) -> bool :=
  forallb (fun '(s, g) => alike (grammar_of (f s)) g).

(** These are refused, or one of their productions is, with these reasons. *)
Definition are_refused (f : string -> reading (list (string * (bool * reading expr)))) : list (string * string) -> bool :=
  forallb (fun '(s, why) =>
    match f s with
    | Refused y => String.eqb y why
    | Read l => existsb (fun '(_, (_, r)) => match r with Refused y => String.eqb y why | Read _ => false end) l
    end).

Example abnf_is_read : are_read bnf [
  ("a = %x78", ["a" ::= "x"]);
  ("a = ""x-1""", ["a" ::= { "xX" } "-1"]);
  ("a = %s""xy"" ; ""z""
  %i""z"" %d48.49 %b110010-110011", ["a" ::= "xy" { "zZ" } "01" { "2"-"3" }]);
  ("A = b <b>
b = ""1"" / [ ""2"" ] | <"">
B =/ ( ""3"" / ""4"" ) ""5""", ["A" ::= <"b"> <"b">; "b" ::= "1" | [ "2" ] | """" | ( "3" | "4" ) "5"]);
  ("a = *""1"" 1*""1"" 2""1"" 2*3""1"" *2""1"" 2*( ""1"" ""2"" )",
   ["a" ::= *"1" 1*"1" "11" { 2 * 3 } "1" { 0 * 2 } "1" { 2 * } ( "12" )]);
  ("@ grammar rfc0
@ page 1 line 1
a = ""1""
@ page 2 line 1
  ""2""", ["a" ::= "12"]);
  ("a = ""1"" b
c = ""2""
d = <as in RFC 1>
e = d
c = ""2""", ["c" ::= "2"])
]%string = true.
Proof. vm_compute. reflexivity. Qed.

Example abnf_is_refused : are_refused bnf [
  ("a = <b c>", "not covered: prose"); ("a = 1#""b""", "not covered: a list"); ("a = 2*1""b""", "not covered: a count"); ("a = 9000""b""", "not covered: a count");
  ("a = 2 2""b""", "an element is expected, and another sign found"); ("a = ""b", "not covered: a text that does not end"); ("a = %x178", "not covered: the value of a character");
  ("a = %xE9
b = %x100", "not covered: the value of a character"); ("a = %x79-78", "not covered: a range of values"); ("a = %x79-", "unexpected %");
  ("a = ""b"" )", "a bracket too many"); ("a = ( ""b"" ]", "a bracket does not end"); ("a = ""b"" / ", "an element is expected");
  ("""b"" a = ""c""", "a definition is expected"); ("a = ""b""
a = ""c""", "it is defined twice"); ("a =/ ""b""", "it is added to, and not defined"); ("@ notation other
a = ""b""", "not covered: the notation other")
]%string = true.
Proof. vm_compute. reflexivity. Qed.

(** RFC 1738's notation: texts as printed, a bare slash, and brackets that group; RFC 1630's: signs, parts and their prefixes. *)
Example bnf_is_read : are_read bnf [
  ("@ notation rfc822
a = 1*[ ""b"" | <""> ] [ / ""c"" ]
c+d = a / ; e", ["a" ::= 1*( "b" | """" ) [ "/c" ]; "c+d" ::= <"a"> "/"]);
  ("@ notation rfc1630
@ part one
@ ids x_ all

@ page 1 line 1
  ab     a b space | [ cd ] |
         [ | vline ab- *

  cd

@ part two
@ ids y_ shared

  ab     cd ef
  ef     1 2

  ef     1 2

  gh     ( )",
  ["x_ab" ::= "ab " | [ <"x_cd"> ] | "[" | "|" <"x_ab"> "-*"; "x_cd" ::= ""; "y_ab" ::= <"x_cd"> <"ef"> <"ef"> "12"; "ef" ::= "12"; "gh" ::= "()"])
]%string = true.
Proof. vm_compute. reflexivity. Qed.

(** The line with the notation is seen behind a byte order mark, and must stand once and in the head of the file. Where lines end at
    carriage returns alone, so do comments. *)
Definition file (t : list byte) := productions_read t [].
Definition mark : list byte := ["239"; "187"; "191"]%byte.
Definition return_ : list byte := ["013"]%byte.

Example notation_is_read :
  alike (grammar_of (file (mark ++ bytes "@ notation rfc822
a = ""x"""))) ["a" ::= "x"] &&
  alike (grammar_of (file (bytes "a = %x78 ; c" ++ return_ ++ bytes "  / %x79" ++ return_))) ["a" ::= { "x"-"y" }] &&
  alike (grammar_of (file (bytes "@ grammar g

 ; c
@ notation rfc822
a = ""x"""))) ["a" ::= "x"] = true.
Proof. vm_compute. reflexivity. Qed.

Example notation_is_refused : are_refused bnf [
  ("@ notation abnf
a = ""x""
@ notation rfc822
b = ""y""", "not covered: the notation, which one line at the head of a file gives"); ("a = ""x""

@ notation abnf", "not covered: the notation, which one line at the head of a file gives")
]%string = true.
Proof. vm_compute. reflexivity. Qed.

(** An assumption about a production whose ID has a prefix must name it so, and there is one about a production. *)
Definition assuming (a s : string) := productions_read (bytes s) (bytes a).

Example ids_are_assumed :
  alike (grammar_of (assuming "assume p_x = %x79 because I say so"%string "@ part p p
@ ids p_ all
x = %x78"%string)) ["p_x" ::= "y"] = true.
Proof. vm_compute. reflexivity. Qed.

Example names_are_not_assumed :
  are_refused (assuming "assume x = %x79 because I say so"%string) [("@ part p p
@ ids p_ all
x = %x78", "x is defined: the assumption must name it by its ID")]%string &&
  are_refused (assuming "assume x = %x79 because I say so
assume X = %x7a because I say so"%string) [("a = x", "there are two assumptions about one production")]%string = true.
Proof. vm_compute. reflexivity. Qed.

Example pigeon_is_read : are_read peg [
  ("{ package p; var _ = '}' }
a ""an a"" <- x:b* /* c <- 'd' */ 'e'+ // f
  { return ""}"", nil } / ( !""g"" &b )?
b = [a-c0]i [\n\]-] `x` ; c ← ""\x41\u0042\103\t""",
   ["a" <- <"b">* "e"+ / ( !"g" &<"b"> )?; "b" <- { "ABCabc0" } ( { # 10 } / "]" / "-" ) "x"; "c" <- "ABC" { # 9 }]);
  ("a <- ""k""i [é-ü] 'é'", ["a" <- ( { "Kk" } / { # 226 } { # 132 } { # 170 } ) ( { # 195 } { # 169 - 188 } ) { # 195 } { # 169 }]);
  ("a <- !. [x\x00-\x1f]", ["a" <- !any ( { # 0 - 31 } / "x" )])
]%string = true.
Proof. vm_compute. reflexivity. Qed.

Example pigeon_is_refused : are_refused peg [
  ("a <- &{ return true, nil } 'x'", "an element is expected, and another sign found"); ("a <- #{ x } 'x'", "not covered: code that decides");
  ("a <- %{x}", "not covered: a throw"); ("a <- 'x' //{ l } 'y'", "an element is expected, and another sign found"); ("a <- [\pL]", "not covered: a class");
  ("a <- [z-a]", "not covered: a class"); ("a <- ""é""i", "not covered: a character of a text"); ("a <- [é]i", "not covered: a class beyond ASCII that ignores case");
  ("a <- 'xy'", "not covered: the escapes of a text"); ("a <- ""\xe9""", "not covered: the escapes of a text"); ("a <- ""\777""", "not covered: the escapes of a text");
  ("a <- 'x' {", "unexpected {"); ("'x' a <- 'y'", "a definition is expected"); ("a <- 'x'
a <- 'y'", "it is defined twice"); ("a <- 'x'**", "an element is expected, and another sign found")
]%string = true.
Proof. vm_compute. reflexivity. Qed.
