package regexps_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// A language is one in which functions are called. For each there is a program with a hole: every package gets a block, with what it
// imports, and in it every function a line. So a line is what a user would write, and the page prints it as it was run.
type language struct {
	file    string   // of the program
	command []string // that runs it
	block   string   // of a package: its prelude and its lines
	call    string   // a line for a function: its number, and the call of s
	value   string   // a line for an expression: its number, and where it is
	program string   // with %s for the blocks
	literal func(string) string
}

var languages = map[string]*language{
	"js": {
		file: "ask.mjs", command: []string{"node", "ask.mjs"},
		block: "{\n%s\n%s}\n", call: "functions[%d] = s => %s;\n", value: "values[%d] = %s;\n", literal: literalJSON,
		program: `import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
const require = createRequire(import.meta.url);
const functions = {}, values = {};
// made returns the first expression that a module makes of text, and that begins so; or the one of that number.
const made = async (name, which) => {
  const Plain = globalThis.RegExp, list = [];
  globalThis.RegExp = new Proxy(Plain, { construct(_, args) { const r = new Plain(...args); list.push(r); return r; } });
  try {
    await import(pathToFileURL(path.resolve("node_modules", name)).href + "?made=" + Math.random());
  } finally { globalThis.RegExp = Plain; }
  return typeof which === "string" ? list.find(r => r.source.startsWith(which)) : list[which];
};
%s
const out = [];
for (const q of JSON.parse(readFileSync(0, "utf8"))) {
  const a = { expression: "", answers: [] }, r = values[q.number];
  if (r) a.expression = "/" + r.source + "/" + r.flags.replace(/[gyd]/g, "");
  for (const w of q.words) {
    let yes = false; // a function that throws does not accept
    try { yes = !!(await functions[q.number](w)); } catch (e) { if (e instanceof ReferenceError) a.error = String(e); }
    a.answers.push(yes);
  }
  out.push(a);
}
process.stdout.write(JSON.stringify(out));
`,
	},
	"go": {
		file: "main.go", command: []string{"./calls"},
		block: "%s\nfunc init() {\n%s}\n", call: "functions[%d] = func(s string) bool { return %s }\n", value: "values[%d] = %s\n", literal: strconv.QuoteToASCII,
		program: `package main

import (
	"encoding/json"
	"os"
IMPORTS)

var functions, values = map[int]func(string) bool{}, map[int]string{}

// ok reports whether a call has no error.
func ok[T any](_ T, err error) bool { return err == nil }

%s
func main() {
	var questions []struct {
		Number int
		Words  []string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		panic(err)
	}
	type answer struct {
		Expression string ` + "`json:\"expression\"`" + `
		Answers    []bool ` + "`json:\"answers\"`" + `
	}
	var out []answer
	for _, q := range questions {
		a := answer{values[q.Number], []bool{}}
		for _, w := range q.Words {
			a.Answers = append(a.Answers, functions[q.Number](w))
		}
		out = append(out, a)
	}
	json.NewEncoder(os.Stdout).Encode(out)
}
`,
	},
	"python": {
		file: "ask.py", command: []string{"/usr/bin/python3", "ask.py"},
		block: "%s\n%s", call: "functions[%d] = lambda s: %s\n", value: "values[%d] = %s\n", literal: literalJSON,
		program: `import json, sys
sys.path.insert(0, 'deb/usr/lib/python3/dist-packages')
functions, values = {}, {}
def raises(f):
    try:
        f()
    except (NameError, ImportError):
        raise
    except Exception:
        return True
    return False
%s
out = []
for q in json.load(sys.stdin):
    r = values.get(q['number'])
    a = {'expression': r.pattern if r else '', 'answers': []}
    for w in q['words']:
        try:
            a['answers'].append(bool(functions[q['number']](w)))
        except (NameError, ImportError) as e:
            a['error'] = str(e)
        except Exception: # a function that raises does not accept
            a['answers'].append(False)
    out.append(a)
print(json.dumps(out))
`,
	},
	"ruby": {
		file: "ask.rb", command: []string{"ruby", "ask.rb"},
		block: "%s\n%s", call: "$functions[%d] = lambda { |s| %s }\n", value: "$values[%d] = %s\n", literal: literalJSON,
		program: `$LOAD_PATH.unshift('deb/usr/lib/ruby/3.1.0')
require 'json'
$functions, $values = {}, {}
%s
puts JSON.generate(JSON.parse($stdin.read).map { |q|
  r = $values[q['number']]
  a = { expression: r ? r.source : '', answers: [] }
  a[:answers] = q['words'].map do |w|
    begin
      !!$functions[q['number']].(w)
    rescue NameError => e
      a[:error] = e.message
      false
    rescue StandardError
      false # a function that raises does not accept
    end
  end
  a
})
`,
	},
	"perl": {
		file: "ask.pl", command: []string{"perl", "-Ideb/usr/share/perl5", "ask.pl"},
		block: "%s\n%s", call: "$functions{%d} = sub { my $s = shift; %s };\n", value: "$values{%d} = %s;\n", literal: literalJSON,
		program: `use strict; use warnings; use JSON::PP;
our (%%functions, %%values);
%s
my @out;
for my $q (@{decode_json(join '', <STDIN>)}) {
  my ($f, $r) = ($functions{$q->{number}}, $values{$q->{number}});
  push @out, { expression => defined $r ? "$r" : '', answers => [map { $f->($_) ? JSON::PP::true : JSON::PP::false } @{$q->{words}}] };
}
print encode_json(\@out);
`,
	},
	"php": {
		file: "ask.php", command: []string{"php", "ask.php"},
		block: "%s\n%s", call: "$functions[%d] = fn($s) => %s;\n", value: "$values[%d] = %s;\n", literal: literalJSON,
		program: `<?php
$functions = [];
%s
$out = [];
foreach (json_decode(file_get_contents('php://stdin'), true) as $q) {
  $answers = array_map(fn($w) => (bool) $functions[$q['number']]($w), $q['words']);
  $out[] = ['expression' => '', 'answers' => $answers];
}
echo json_encode($out);
`,
	},
}

// literalJSON returns a string as JSON has it in ASCII, which JavaScript, Python, Ruby, Perl and PHP read too but for what is beyond
// U+FFFF, written as JavaScript and Ruby write it.
func literalJSON(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String() + `"`
}

// writePrograms writes the program of each language into the folder, in which every function has its number.
func writePrograms(t *testing.T, folder string, packages []*pack) {
	t.Helper()
	blocks := map[string]*strings.Builder{}
	imports := map[string]bool{}
	for _, p := range packages {
		l := languages[p.language]
		if l == nil {
			t.Fatalf("%s: no language %q", p.module, p.language)
		}
		var lines strings.Builder
		for _, f := range p.functions {
			fmt.Fprintf(&lines, l.call, f.number, f.call)
			if f.evaluated() {
				fmt.Fprintf(&lines, l.value, f.number, f.value)
			}
		}
		if blocks[p.language] == nil {
			blocks[p.language] = &strings.Builder{}
		}
		for _, path := range strings.Fields(p.imports) {
			imports["\t"+strconv.Quote(path)+"\n"] = true
		}
		fmt.Fprintf(blocks[p.language], l.block, p.prelude, lines.String())
	}
	for name, b := range blocks {
		l := languages[name]
		text := fmt.Sprintf(l.program, b.String())
		var list strings.Builder
		for line := range imports {
			list.WriteString(line)
		}
		text = strings.Replace(text, "IMPORTS", list.String(), 1)
		must.Do(t, os.WriteFile(filepath.Join(folder, l.file), []byte(text), 0o666))
	}
}

// An answer is what a program says of a function: its expression, and which of the strings it accepts.
type answer struct {
	Expression string
	Answers    []bool
	Error      string
}

// ask asks the program of each language about the strings of its functions.
func ask(t *testing.T, folder string, packages []*pack, complain complaint, words func(*function) []string) {
	t.Helper()
	type question struct {
		Number int      `json:"number"`
		Words  []string `json:"words"`
	}
	for name, l := range languages {
		var of []*function
		var questions []question
		for _, p := range packages {
			if p.language == name {
				for _, f := range p.functions {
					of, questions = append(of, f), append(questions, question{f.number, append([]string{}, words(f)...)})
				}
			}
		}
		if of == nil {
			continue
		}
		var got []answer
		must.Do(t, json.Unmarshal(run(t, folder, must.Of(json.Marshal(questions))(t), l.command...), &got))
		for i, f := range of {
			if got[i].Error != "" || len(got[i].Answers) != len(questions[i].Words) {
				complain("%s %s: %d answers to %d questions: %s", f.pack.module, f.name, len(got[i].Answers), len(questions[i].Words), got[i].Error)
				continue
			}
			f.answers = got[i].Answers
			if f.evaluated() && got[i].Expression != "" {
				f.text = got[i].Expression
			}
		}
	}
}
