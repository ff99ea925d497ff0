(* check GRAMMAR PEG CERTIFICATE prints what the certificate states of the productions of a grammar and of the rules of a PEG, as [answer_of]
   computes it of the three files. It ends with 0 if every production equals the rule of its own name.

   check GRAMMAR trees TREES prints for each line of TREES whether it is a derivation. A line of GRAMMAR is "node" or "lexical" and an
   expression with each operator before its operands, in the words of certificates, with "empty", "and", and "times LEAST MOST" as well,
   where -1 is no most; its number is its name. A line of TREES is the name of a production, the bytes of a text in hexadecimal digits and,
   each behind a blank, the signs of a bracketed string: "(NAME", a byte, ")". *)
open Checker

let read_file file =
  let channel = open_in_bin file in
  really_input_string channel (in_channel_length channel)

let lines file = String.split_on_char '\n' (read_file file)

let chars s = List.of_seq (String.to_seq s)

let nat s = List.fold_left (fun n () -> S n) O (List.init (int_of_string s) ignore)

let rec expr = function
  | "empty" :: rest -> (Empty, rest)
  | "bytes" :: set :: rest -> (Bytes (Option.get (set_of (chars set))), rest)
  | "rule" :: name :: rest -> (Rule name, rest)
  | "star" :: rest -> let a, rest = expr rest in (Star a, rest)
  | "times" :: least :: most :: rest ->
    let a, rest = expr rest in
    ((if most = "-1" then at_least (nat least) a else from_to (nat least) (nat most) a), rest)
  | "and" :: rest -> let a, rest = expr rest in (And a, rest)
  | "not" :: rest -> let a, rest = expr rest in (Not a, rest)
  | "seq" :: rest -> let a, rest = expr rest in let b, rest = expr rest in (Seq (a, b), rest)
  | "alt" :: rest -> let a, rest = expr rest in let b, rest = expr rest in (Alt (a, b), rest)
  | _ -> failwith "an expression is expected"

let printable = String.map (fun c -> if c < ' ' || c > '~' then '?' else c)

let answer file =
  let text i = chars (read_file (file i)) in
  match answer_of (text 1) (text 2) (text 3) with
  | Refused why -> print_endline (printable ("refused: " ^ why)); exit 1
  | Read a ->
    let equal = List.length (List.filter (function _, Equals _ -> true | _ -> false) a.verdicts) in
    let all = List.length a.verdicts in
    let verified = equal > 0 && equal = all in
    let say format = Printf.ksprintf (fun line -> print_endline (printable line)) format in
    say "%s: %d of %d productions equal the rules of their names" (if verified then "verified" else "every line is right") equal all;
    List.iter (fun (name, verdict) ->
      match verdict with
      | Equals _ -> ()
      | EqualsAnother rule -> say "another rule: %s equals %s" name rule
      | DiffersFrom (_, word) ->
        let digits = String.concat "" (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) word) in
        say "differs: %s, on the bytes %s" name (if digits = "" then "-" else digits)
      | NotStated -> say "not covered: %s" name) a.verdicts;
    List.iter (fun (name, why) -> say "not read: %s: %s" name why) a.refused;
    if a.tabled <> [] then say "table: what is on the lines of rows accepts exactly what %d of %d productions derive" (List.length a.tabled) all;
    List.iter (fun line -> if String.starts_with ~prefix:"assume " line then say "assumed: %s" (String.sub line 7 (String.length line - 7))) (lines (file 3));
    print_endline "assumed: what certcheck prints of pigeon, of code in the PEG, and of values above 127";
    exit (if verified then 0 else 1)

let bytes_of s = List.init (String.length s / 2) (fun i -> Char.chr (int_of_string ("0x" ^ String.sub s (2 * i) 2)))

let sign word =
  if word = ")" then Close else if word.[0] = '(' then Open (String.sub word 1 (String.length word - 1)) else Byte (List.hd (bytes_of word))

let trees () =
  let words = List.map (String.split_on_char ' ') (List.filter (( <> ) "") (lines Sys.argv.(1))) in
  let g = List.mapi (fun i words -> let e, rest = expr (List.tl words) in assert (rest = []); (string_of_int (i + 1), e)) words in
  let nodes = Hashtbl.create 99 in
  List.iteri (fun i words -> if List.hd words = "node" then Hashtbl.add nodes (string_of_int (i + 1)) ()) words;
  List.iter (fun line ->
    match String.split_on_char ' ' line with
    | name :: text :: signs -> print_endline (string_of_bool (check_tree g (Hashtbl.mem nodes) name (bytes_of text) (List.map sign signs)))
    | _ -> ()) (lines Sys.argv.(3))

let () = if Sys.argv.(2) = "trees" then trees () else answer (fun i -> Sys.argv.(i))
