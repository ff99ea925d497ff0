// Answers questions about expressions of the crate regex, a line each, as testdata/sweep.py describes; and besides:
//
//   W hex ...  the words that M asks of
//   M hex      whether an expression matches each word, as 0 and 1; "error"
use regex::Regex;
use std::io::{self, BufRead, Write};

fn text(hex: &str) -> String {
    let bytes: Vec<u8> = (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect();
    String::from_utf8(bytes).unwrap()
}

fn point(hex: &str) -> u32 {
    u32::from_str_radix(hex, 16).unwrap()
}

fn literal(c: char) -> String {
    match c {
        '\0' | '\x01' => format!("\\x0{}", c as u32),
        _ if "^$\\.*+?()[]{}|".contains(c) => format!("\\{}", c),
        _ => c.to_string(),
    }
}

fn found(re: &Regex, list: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for m in re.find_iter(list) {
        let (first, last) = (m.as_str().chars().next(), m.as_str().chars().last());
        if let (Some(first), Some(last)) = (first, last) {
            out.push(format!("{:x}-{:x}", first as u32, last as u32));
        }
    }
    out.join(" ")
}

fn main() {
    let everything: String = (0..=0x10ffffu32).filter_map(char::from_u32).collect();
    let mut candidates = String::new();
    let mut words: Vec<String> = Vec::new();
    let out = io::stdout();
    let mut out = io::BufWriter::new(out.lock());
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let f: Vec<&str> = line.split(' ').collect();
        match f[0] {
            "V" => writeln!(out, "1.7.1").unwrap(),
            "C" => candidates = f[1..].iter().map(|c| char::from_u32(point(c)).unwrap()).collect(),
            "W" => words = f[1..].iter().map(|w| text(w)).collect(),
            "M" => match Regex::new(&text(f.get(1).unwrap_or(&""))) {
                Ok(re) => writeln!(out, "{}", words.iter().map(|w| if re.is_match(w) { '1' } else { '0' }).collect::<String>()).unwrap(),
                Err(_) => writeln!(out, "error").unwrap(),
            },
            "E" => match Regex::new(&text(f[1])) {
                Ok(re) => writeln!(out, "{}", found(&re, &everything)).unwrap(),
                Err(_) => writeln!(out, "error").unwrap(),
            },
            "S" => {
                let mut list = candidates.clone();
                list.extend((point(f[2])..=point(f[3])).filter_map(char::from_u32));
                match Regex::new(&text(f[1])) {
                    Ok(re) => writeln!(out, "{}", found(&re, &list)).unwrap(),
                    Err(_) => writeln!(out, "error").unwrap(),
                }
            }
            _ => {
                for c in (point(f[3])..=point(f[4])).filter_map(char::from_u32) {
                    match Regex::new(&(text(f[1]) + &literal(c) + &text(f[2]))) {
                        Ok(re) => {
                            let list = candidates.clone() + &c.to_string();
                            let mut same: Vec<u32> = re.find_iter(&list).flat_map(|m| m.as_str().chars().map(|c| c as u32).collect::<Vec<_>>()).collect();
                            same.sort();
                            same.dedup();
                            if same != [c as u32] {
                                let names: Vec<String> = same.iter().map(|c| format!("{:x}", c)).collect();
                                writeln!(out, "{:x} {}", c as u32, names.join(" ")).unwrap();
                            }
                        }
                        Err(_) => writeln!(out, "{:x} error", c as u32).unwrap(),
                    }
                }
                writeln!(out, ".").unwrap();
            }
        }
    }
}
