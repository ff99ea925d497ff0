(* check GRAMMAR PEG CERTIFICATE prints what the certificate states of the productions of a grammar and of the rules of a PEG, as [answer_of]
   computes it of the three files. It ends with 0 if every production equals the rule of its own name.

   check GRAMMAR trees TREES prints for each line of TREES whether it is a derivation, and whether it is the first one or another, unless
   nothing is found of that. A line of GRAMMAR is "node" or "lexical" and an expression with each operator before its operands: "empty",
   "bytes SET", "rule NAME", "seq", "alt", "star", and "times LEAST MOST", where -1 is no most; its number is its name. A line of TREES is the name of a production, the bytes of a text in hexadecimal digits and,
   each behind a blank, the signs of a bracketed string: "(NAME", a byte, ")". *)
open Checker

let read_file file =
  let channel = open_in_bin file in
  really_input_string channel (in_channel_length channel)

let lines file = String.split_on_char '\n' (read_file file)

let chars s = List.of_seq (String.to_seq s)

let nat n = List.fold_left (fun n () -> S n) O (List.init n ignore)

let rec pattern = function
  | "empty" :: rest -> (PEmpty, rest)
  | "bytes" :: set :: rest -> (PBytes (Option.get (set_of (chars set))), rest)
  | "rule" :: name :: rest -> (PRule name, rest)
  | "star" :: rest -> let a, rest = pattern rest in (PMany (O, None, a), rest)
  | "times" :: least :: most :: rest ->
    let a, rest = pattern rest in
    let least = int_of_string least and most = int_of_string most in
    (PMany (nat least, (if most = -1 then None else Some (nat (max 0 (most - least)))), a), rest)
  | "seq" :: rest -> let a, rest = pattern rest in let b, rest = pattern rest in (PSeq (a, b), rest)
  | "alt" :: rest -> let a, rest = pattern rest in let b, rest = pattern rest in (PAlt (a, b), rest)
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
  let g = List.mapi (fun i words -> let p, rest = pattern (List.tl words) in assert (rest = []); (string_of_int (i + 1), p)) words in
  let fuel = nat 100000 and nodes = Hashtbl.create 99 in
  List.iteri (fun i words -> if List.hd words = "node" then Hashtbl.add nodes (string_of_int (i + 1)) ()) words;
  List.iter (fun line ->
    match String.split_on_char ' ' line with
    | name :: text :: signs ->
      let node = Hashtbl.mem nodes and text = bytes_of text and signs = List.map sign signs in
      print_endline (
        if not (check_tree (plainly g) node name text signs) then "no derivation" else
        match first_tree fuel g node name text with
        | None -> "a derivation"
        | Some first -> if first = signs then "the first derivation" else "another derivation")
    | _ -> ()) (lines Sys.argv.(3))

let () = if Sys.argv.(2) = "trees" then trees () else answer (fun i -> Sys.argv.(i))
