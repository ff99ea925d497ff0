package semantic

// Stable reports whether u's canonical form has all its edits, and none was given up because it would be read in another way.
func Stable(u *URL) bool {
	_, l := u.canonical(nil)
	return l == everything
}
