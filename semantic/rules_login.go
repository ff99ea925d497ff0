package semantic

import (
	"fmt"
	"strings"
)

var loginRules = []Rule{
	{
		ID: "1738/no-user", Schemes: []string{"file", "gopher", "nntp", "wais"}, Severity: Error, about: userName,
		Title: "this scheme has no user name",
		Requirement: "Some schemes allow the specification of a user name; the form of file, gopher, nntp and " +
			"wais URLs has no place for one.",
		check: func(u *URL, r *report) {
			r.composed(u.User, func() string {
				return fmt.Sprintf("remove the user name and the \"@\": the form of %s URLs has none", u.name)
			})
		},
	},
	{
		ID: "1738/empty-user", Severity: Note, about: userName,
		Title:       "an empty user name is not the same as none",
		Requirement: "An empty user name or password is different from no user name or password.",
		check: func(u *URL, r *report) {
			if u.User.Raw == "" {
				r.at(u.User, "remove the \"@\" if no user name is meant: this is the empty user name")
			}
		},
	},
	{
		ID: "1738/password", Severity: Warning, about: userName,
		Title: "a password in a URL",
		Requirement: "The use of URLs containing passwords that should be secret is clearly unwise. That of the " +
			"user \"anonymous\" is not secret (section 3.2.1).",
		check: func(u *URL, r *report) {
			if u.Password.Raw != "" && !strings.EqualFold(u.User.Decoded(), "anonymous") {
				r.at(u.Password, "remove the password if it is to be secret")
			}
		},
	},
}
