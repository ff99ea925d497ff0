(* check GRAMMARS CERTIFICATE prints what the certificate states of the grammars, or ends with 1 if the proven checker refuses it.
   A line of GRAMMARS is a rule: "bnf" or "peg", a name, and an expression with each operator before its operands, in the words of
   certificates, with "empty", "and", and "times LEAST MOST" as well, where -1 is no most.

   check GRAMMAR trees TREES prints for each line of TREES whether it is a derivation. A line of GRAMMAR is "node" or "lexical" and an
   expression; its number is its name. A line of TREES is the name of a production, the bytes of a text in hexadecimal digits and, each
   behind a blank, the signs of a bracketed string: "(NAME", a byte, ")". *)
open Checker

let lines file =
  let channel = open_in_bin file in
  String.split_on_char '\n' (really_input_string channel (in_channel_length channel))

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

let rule line =
  match String.split_on_char ' ' line with
  | side :: name :: words -> let e, rest = expr words in assert (rest = []); [ (side, (name, e)) ]
  | _ -> []

let certificate () =
  let rules = List.concat_map rule (lines Sys.argv.(1)) in
  let side s = List.filter_map (fun (t, r) -> if s = t then Some r else None) rules in
  match read (List.map chars (lines Sys.argv.(2))) with
  | Some (c, t) when check (side "bnf") (side "peg") c && check_table (side "bnf") (side "peg") c t ->
    List.iter (fun ((production, rule), _) -> print_endline ("equal " ^ production ^ " " ^ rule)) c.equals;
    List.iter (fun ((production, rule), _) -> print_endline ("differ " ^ production ^ " " ^ rule)) c.differs;
    List.iter (fun (production, _) -> print_endline ("table " ^ production)) t.starts
  | _ -> exit 1

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

let () = if Sys.argv.(2) = "trees" then trees () else certificate ()
