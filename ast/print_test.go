package ast_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
	"github.com/bnfcheck/bnfcheck/internal/testkit/must"
)

// lone returns the tree of one node, for sources that no parser accepts.
func lone(src string) *ast.Tree {
	return &ast.Tree{Grammar: tiny, Source: src, Nodes: []ast.Raw{{Kind: Mail, End: int32(len(src)), Next: 1}}}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		tree *ast.Tree
		want string
	}{
		{pairTree(), `address 0..7 "host:80"
  pair 0..7 "host:80"
    host 0..4 "host"
    port 5..7 "80"
`},
		{lone(""), "mail 0..0 \"\"\n"},
		{lone("a\n\x00\xff\""), `mail 0..5 "a\x0A\x00\xFF\""` + "\n"},
		{&ast.Tree{Grammar: tiny, Source: "x"}, ""},
	} {
		if got := c.tree.String(); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}

type full struct{ room int }

func (w *full) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func TestWriteTextReturnsTheWritersError(t *testing.T) {
	if err := pairTree().WriteText(&full{room: 30}); message(err) != "full" {
		t.Errorf("error %v", err)
	}
}

func TestJSON(t *testing.T) {
	for _, c := range []struct {
		tree *ast.Tree
		want string
	}{
		{pairTree(), `{"grammar":"tiny","input":"host:80","tree":` +
			`{"production":"address","start":0,"end":7,"text":"host:80","children":[` +
			`{"production":"pair","start":0,"end":7,"text":"host:80","children":[` +
			`{"production":"uri_host","name":"host","start":0,"end":4,"text":"host"},` +
			`{"production":"url_port","name":"port","start":5,"end":7,"text":"80"}]}]}}`},
		{lone(""), `{"grammar":"tiny","input":"","tree":{"production":"mail","start":0,"end":0,"text":""}}`},
		{lone("\"\\<&\x00\x7f\n"), `{"grammar":"tiny","input":"\"\\<&\u0000\u007f\u000a","tree":` +
			`{"production":"mail","start":0,"end":7,"text":"\"\\<&\u0000\u007f\u000a"}}`},
		{lone("é\u202e\U0001F600"), `{"grammar":"tiny","input":"\u00e9\u202e\ud83d\ude00","tree":` +
			`{"production":"mail","start":0,"end":9,"text":"\u00e9\u202e\ud83d\ude00"}}`},
		{lone("a\xff"), `{"grammar":"tiny","input_base64":"Yf8=","tree":` +
			`{"production":"mail","start":0,"end":2,"text_base64":"Yf8="}}`},
		{&ast.Tree{Grammar: tiny, Source: "x"}, `{"grammar":"tiny","input":"x","tree":null}`},
		{&ast.Tree{Source: "x"}, `{"input":"x","tree":null}`},
	} {
		got, err := c.tree.MarshalJSON()
		if err != nil || string(got) != c.want {
			t.Errorf("%v\ngot  %s\nwant %s", err, got, c.want)
		}
		var out bytes.Buffer
		enc := json.NewEncoder(&out) // which also checks the output against JSON's syntax
		enc.SetEscapeHTML(false)
		if err := enc.Encode(*c.tree); err != nil || out.String() != c.want+"\n" {
			t.Errorf("encoding/json: %v\ngot  %s\nwant %s", err, out.String(), c.want)
		}
	}
}

// The JSON of a tree has the same nodes, nested in the same way, for trees of any shape.
func TestJSONNestsAsTheTreeDoes(t *testing.T) {
	type node struct {
		Production, Text string
		Start, End       int
		Children         []node
	}
	for _, tree := range []*ast.Tree{pairTree(), wide(3), chain(40), ladder(6)} {
		data := must.Of(json.Marshal(tree))(t)
		var doc struct{ Tree node }
		must.Do(t, json.Unmarshal(data, &doc))
		var same func(node, ast.Node)
		same = func(j node, n ast.Node) {
			if j.Production != n.ID() || j.Text != n.Text() || j.Start != n.Start() || j.End != n.End() {
				t.Errorf("%v is not %s %d..%d", j, n.ID(), n.Start(), n.End())
			}
			i := 0
			for c := range n.Children() {
				if i >= len(j.Children) {
					t.Fatalf("%s has more than %d children", n.ID(), i)
				}
				same(j.Children[i], c)
				i++
			}
			if i != len(j.Children) {
				t.Errorf("%s has %d children, in JSON %d", n.ID(), i, len(j.Children))
			}
		}
		same(doc.Tree, tree.Root())
	}
}

// ladder returns a tree whose root has n subtrees: the ladders of 0 to n-1. Walking it goes up
// several levels at once.
func ladder(n int) *ast.Tree {
	t := &ast.Tree{Grammar: tiny}
	var build func(n int)
	build = func(n int) {
		at := len(t.Nodes)
		t.Nodes = append(t.Nodes, ast.Raw{Kind: Pair})
		for i := range n {
			build(i)
		}
		t.Nodes[at].Next = int32(len(t.Nodes))
	}
	build(n)
	return t
}
