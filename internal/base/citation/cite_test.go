package citation

import "testing"

func TestPlace(t *testing.T) {
	for _, tt := range []struct {
		place Place
		want  string
	}{
		{Place{}, ""},
		{Place{Title: "RFC 1738"}, "RFC 1738"},
		{Place{"RFC 1738", "5", 18, "983"}, "RFC 1738 section 5, page 18, line 983"},
		{Place{"RFC 1738", "3.4.4 to 3.4.9", 0, "569-636"}, "RFC 1738 section 3.4.4 to 3.4.9, lines 569-636"},
		{Place{"RFC 1630", "Fragment-id", 0, "628"}, `RFC 1630 section "Fragment-id", line 628`},
		{Place{"RFC 1630", "", 22, "0"}, "RFC 1630, page 22"},
		{Place{Section: "5"}, "section 5"},
		{Place{"RFC 3986", "Appendix A", 49, "2692"}, "RFC 3986 appendix A, page 49, line 2692"},
		{Place{Section: "Appendix A"}, "appendix A"},
		{Place{"RFC 3986", "RFC 5234 appendix B.1", 0, ""}, "RFC 5234 appendix B.1"},
		{Place{Section: "a\"\n"}, `section "a\"\x0A"`},
		{Place{Page: 3, Lines: "7, 9"}, "page 3, lines 7, 9"},
		{Place{Lines: "7"}, "line 7"},
	} {
		if got := tt.place.String(); got != tt.want {
			t.Errorf("%+v is cited as %s, want %s", tt.place, got, tt.want)
		}
	}
}
