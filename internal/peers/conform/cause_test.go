package conform

import (
	"reflect"
	"testing"
)

// TestCauses: groups with the same bytes, in whatever production and of whatever parser, have one cause; others have none.
func TestCauses(t *testing.T) {
	r := &Report{Comparisons: []Comparison{
		{Implementation: "a", Groups: []Group{
			{Number: 1, Kind: AcceptsMore, Production: "path", At: `"#"`, Bytes: `[#<]`, Count: 3, Shortest: "x#"},
			{Number: 2, Kind: AcceptsLess, Production: "path", At: `"#"`, Bytes: `[#<]`, Term: "uchar", Count: 1, Shortest: "x"},
			{Number: 3, Kind: OtherComponent, Component: "host", How: "it ends sooner", At: `"@"`, Count: 1, Shortest: "y"},
		}},
		{Implementation: "b", Groups: []Group{
			{Number: 4, Kind: AcceptsMore, Production: "host", At: `"<"`, Bytes: `[#<]`, Count: 2, Shortest: "#"},
			{Number: 5, Kind: OtherComponent, Component: "user", How: "it ends sooner", At: `"@"`, Count: 1, Shortest: "y"},
			{Number: 6, Kind: AcceptsMore, Production: "host", At: `"#"`, Count: 2, Shortest: "#"},
		}},
	}}
	want := []Cause{{What: "takes [#<]", Groups: []int{1, 4}, Implementations: []string{"a", "b"}, Productions: []string{"path", "host"}, Count: 5, Shortest: "#"}}
	if got := r.causes(); !reflect.DeepEqual(got, want) {
		t.Errorf("have %+v, want %+v", got, want)
	}
}
