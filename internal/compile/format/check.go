package format

import "fmt"

// A text that was laid out is read again, and compared with the original. Only a defect of this package makes
// a difference.

// defect ends the message about a wrong result.
const defect = "which is a defect of this program; nothing is changed"

// unreadable returns the error that a result cannot be read in its notation; reason is the reader's error.
func unreadable(file, notation string, reason error) error {
	return fmt.Errorf("%s: the result is not %s, %s: %w", file, notation, defect, reason)
}

// differentToken returns the first token of before that has another one in its place in after, or the last one of
// before if after only has more. differs is false if there is none. Comments are compared with comments, after all
// other tokens were with each other: a comment may change places with a sign, as one after a "/" at the end of a line
// moves before it.
func differentToken[T any](before, after []T, isComment func(T) bool, same func(a, b T) bool) (at T, differs bool) {
	for _, comments := range []bool{false, true} {
		a, b := selectTokens(before, isComment, comments), selectTokens(after, isComment, comments)
		for i := range max(len(a), len(b)) {
			switch {
			case i >= len(a):
				return before[len(before)-1], true
			case i >= len(b) || !same(a[i], b[i]):
				return a[i], true
			}
		}
	}
	return at, false
}

// selectTokens returns the comments among tokens if comments is true, and otherwise all others.
func selectTokens[T any](tokens []T, isComment func(T) bool, comments bool) (list []T) {
	for _, t := range tokens {
		if isComment(t) == comments {
			list = append(list, t)
		}
	}
	return list
}
