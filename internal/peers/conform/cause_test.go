package conform

import (
	"reflect"
	"testing"

	_ "github.com/bnfcheck/bnfcheck/internal/urls/published" // which are built in
)

// TestCauses: groups that part at the same byte, in whatever production and of whatever parser, have one cause, and so have those in
// a production in which nearly everything is taken; others have none.
func TestCauses(t *testing.T) {
	in := &loose{production: "IP-literal", asked: 10, taken: 9}
	r := &Report{Comparisons: []Comparison{
		{Implementation: "a", Groups: []Group{
			{Number: 1, Kind: AcceptsMore, Production: "path", At: `"#"`, Bytes: `[#<]`, Count: 3, Shortest: "x#"},
			{Number: 2, Kind: AcceptsLess, Production: "path", At: `"#"`, Bytes: `[#<]`, Term: "uchar", Count: 1, Shortest: "x"},
			{Number: 3, Kind: OtherComponent, Component: "host", How: "it ends sooner", At: `"@"`, Count: 1, Shortest: "y"},
		}},
		{Implementation: "b", Groups: []Group{
			{Number: 4, Kind: AcceptsMore, Production: "host", At: `"#"`, Bytes: `[#<]`, Count: 2, Shortest: "#"},
			{Number: 5, Kind: OtherComponent, Component: "user", How: "it ends sooner", At: `"@"`, Count: 1, Shortest: "y"},
			{Number: 6, Kind: AcceptsMore, Production: "host", At: `"<"`, Bytes: `[#<]`, Count: 2, Shortest: "<"},
			{Number: 7, Kind: AcceptsMore, Production: "h16", At: `"#"`, Count: 2, Shortest: "[#", loose: in},
			{Number: 8, Kind: AcceptsMore, Production: "ls32", At: `"<"`, Count: 2, Shortest: "[::<", loose: in},
		}},
	}}
	want := []Cause{
		{What: "takes what goes wrong in IP-literal", Groups: []int{7, 8}, Implementations: []string{"b"}, Productions: []string{"h16", "ls32"}, Count: 9, Asked: 10, Shortest: "[#", by: "b"},
		{What: `takes "#"`, Groups: []int{1, 4}, Implementations: []string{"a", "b"}, Productions: []string{"path", "host"}, Count: 5, Shortest: "#", by: "b"},
	}
	if got := r.joinCauses(); !reflect.DeepEqual(got, want) {
		t.Errorf("have %+v, want %+v", got, want)
	}
}
