package jspackage

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bnfcheck/bnfcheck/internal/notation/bnf"
	"github.com/bnfcheck/bnfcheck/internal/testkit/longtest"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// useOfTypes is a program in TypeScript. What follows a line with ts-expect-error must be refused.
const useOfTypes = `import { accepts, acceptsAs, parse, ParseError, parsePrefix, productions, type Name, type Node } from './tag.js';

const root: Node<'tag'> = parse('aa-bb:cc');
const parts: Node<'part'>[] = root.all('part');
const region: string = root.get('region')?.text ?? '';
for (const child of root) {
  if (child.name === 'region') {
    const one: 'body' | 2 | undefined = child.alternative;
    const body: Node<'body'> = child.get('body');
    console.log(one, body.start);
  }
}
const other: Node<'part'> = parse('aa', { start: 'part', maxDepth: 10 });
const prefix: number = parsePrefix(new Uint8Array(3)).end;
const yes: boolean = accepts('aa') && acceptsAs('part', 'aa');
const names: readonly Name[] = productions;
try {
  parse('');
} catch (error) {
  if (error instanceof ParseError) {
    const production: Name | undefined = error.production;
    const where: number = error.offset + error.line + error.column;
    console.log(production, where, error.expected.join(), error.incomplete);
  }
}
function* walk(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children) yield* walk(child);
}
const isNode = <N extends Name>(node: Node, name: N): node is Node<N> => node.name === name;
for (const node of walk(root)) {
  if (isNode(node, 'tag')) console.log(node.all('part').length, node.get('region')?.text);
}
// @ts-expect-error: no production has this name
root.get('regoin');
// @ts-expect-error: the child may be missing
root.get('region').text;
// @ts-expect-error: the child can occur several times
root.get('part');
// @ts-expect-error: the production is no child
root.all('tag');
// @ts-expect-error: no production has this name
parse('aa', { start: 'tags' });
// @ts-expect-error: there is no such alternative
if (region && root.get('region')?.alternative === 3) console.log(parts, other, prefix, yes, names);
`

// A program that uses the types rightly passes tsc --strict, and each misuse is found.
func TestTypes(t *testing.T) {
	longtest.Program(t, "tsc")
	const text = "tag = part *(\"-\" part) [\":\" region]\npart = 2*8letter\nregion = body / \"(\" body \")\"\nbody = 2letter\nletter = %x61-7A\n"
	_, path := made(t, "tag", must.Of(bnf.ReadABNF("tag.abnf", []byte(text)))(t))
	use := filepath.Join(filepath.Dir(path), "use.ts")
	must.Do(t, os.WriteFile(use, []byte(useOfTypes), 0o600))
	out, err := exec.Command("tsc", "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom", use).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
