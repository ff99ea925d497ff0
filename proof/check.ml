(* check GRAMMARS CERTIFICATE prints what the certificate states of the grammars, or ends with 1 if the proven checker refuses it.
   A line of GRAMMARS is a rule: "bnf" or "peg", a name, and an expression with each operator before its operands, in the words of
   certificates, with "empty" and "and" as well. *)
open Checker

let lines file =
  let channel = open_in_bin file in
  String.split_on_char '\n' (really_input_string channel (in_channel_length channel))

let chars s = List.of_seq (String.to_seq s)

let rec expr = function
  | "empty" :: rest -> (Empty, rest)
  | "bytes" :: set :: rest -> (Bytes (Option.get (set_of (chars set))), rest)
  | "rule" :: name :: rest -> (Rule name, rest)
  | "star" :: rest -> let a, rest = expr rest in (Star a, rest)
  | "and" :: rest -> let a, rest = expr rest in (And a, rest)
  | "not" :: rest -> let a, rest = expr rest in (Not a, rest)
  | "seq" :: rest -> let a, rest = expr rest in let b, rest = expr rest in (Seq (a, b), rest)
  | "alt" :: rest -> let a, rest = expr rest in let b, rest = expr rest in (Alt (a, b), rest)
  | _ -> failwith "an expression is expected"

let rule line =
  match String.split_on_char ' ' line with
  | side :: name :: words -> let e, rest = expr words in assert (rest = []); [ (side, (name, e)) ]
  | _ -> []

let () =
  let rules = List.concat_map rule (lines Sys.argv.(1)) in
  let side s = List.filter_map (fun (t, r) -> if s = t then Some r else None) rules in
  match read (List.map chars (lines Sys.argv.(2))) with
  | Some (c, t) when check (side "bnf") (side "peg") c && check_table (side "bnf") (side "peg") c t ->
    List.iter (fun ((production, rule), _) -> print_endline ("equal " ^ production ^ " " ^ rule)) c.equals;
    List.iter (fun ((production, rule), _) -> print_endline ("differ " ^ production ^ " " ^ rule)) c.differs;
    List.iter (fun (production, _) -> print_endline ("table " ^ production)) t.starts
  | _ -> exit 1
