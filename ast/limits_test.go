package ast_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/bnfcheck/bnfcheck/ast"
)

// nested parses brackets as generated code does: with a limit on depth.
var nested = &ast.Grammar{
	Name:        "nest",
	Productions: []ast.Production{{}, {ID: "list", Name: "list"}},
	Default:     1,
	Accept:      func(ast.Kind, string) bool { return false },
	Within: func(run *ast.Run, dst []ast.Raw, start ast.Kind, src string, _ bool) ([]ast.Raw, bool) {
		deep := strings.LastIndexByte(src, '(') + 1
		if uint(deep) > run.DepthLimit() {
			run.TooDeep(run.DepthLimit())
			return dst, false
		}
		if run.Context != nil && run.Context.Err() != nil {
			run.Stopped = ast.StopContext
			return dst, false
		}
		if run.Steps == 1 || run.Memory == 1 {
			run.Stopped, run.At = ast.StopSteps+ast.Stop(run.Memory), 2
			return dst, false
		}
		ok := src == strings.Repeat("(", deep)+strings.Repeat(")", deep)
		return append(dst, ast.Raw{Kind: start, End: int32(len(src)), Next: 1}), ok
	},
}

// Each limit that is passed is an error of its own, whatever else is wrong with the input.
func TestLimits(t *testing.T) {
	done, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("nobody waits"))
	for _, c := range []struct {
		name    string
		limits  ast.Limits
		context context.Context
		src     string
		want    string
	}{
		{"deep", ast.Limits{Depth: 3}, nil, "((((", "nest: offset 3: nested deeper than 3 productions, which is the limit on depth"},
		{"as deep as may be", ast.Limits{Depth: 3}, nil, "((()))", ""},
		{"deep by default", ast.Limits{}, nil, strings.Repeat("(", 200_000), "nest: offset 100000: nested deeper than 100,000 productions, which is the limit on depth"},
		{"wrong", ast.Limits{}, nil, "(", `nest: offset 0: unexpected "("`},
		{"steps", ast.Limits{Steps: 1}, nil, "((\n))", "nest: offset 2: the parser has taken its 1 steps, which are the limit"},
		{"memory", ast.Limits{Memory: 1}, nil, "(())", "nest: offset 2: the parser has taken its 1 bytes of memory, which are the limit"},
		{"context", ast.Limits{}, done, "()", "nest: offset 0: nobody waits"},
	} {
		p := nested.NewParser()
		p.Limits, p.Context = c.limits, c.context
		_, err := p.Parse(c.src)
		if got := errorText(err); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		if ok := p.Accepts(c.src); ok != (c.want == "") {
			t.Errorf("%s: accepts %t", c.name, ok)
		}
		if errors.Is(err, ast.ErrIncomplete) {
			t.Errorf("%s: %v is incomplete", c.name, err)
		}
	}
	var deep *ast.TooDeepError
	if _, err := nested.ParseAs(1, strings.Repeat("(", 200_000)); !errors.As(err, &deep) || deep.Limit != ast.DefaultDepth {
		t.Errorf("%v", err)
	}
	if _, err := nested.Derive(1, "()"); err != nil {
		t.Error(err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
