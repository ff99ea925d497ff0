package runes

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// An engine is built with the tables of one version of Unicode: Python 3.11 with 14.0, node 20.20 with 17.0. Each
// version adds characters and corrects some properties of others, so that \w, \p{L} and ignoring case mean other
// sets in each. Go's package unicode has one version. The others are computed from it by versions.txt, which lists
// what changed from a version to its neighbor, by code points. The file has a chain of versions on either side of
// Go's.

//go:embed versions.txt
var versionsText string

// A Unicode is the tables of one version of Unicode. Several goroutines may use it. The sets that its methods return
// for names are shared, and must not be changed.
type Unicode struct {
	Version string // "14.0.0"

	changes []change // from Go's tables to these, in order

	once     sync.Once
	lower    map[rune]rune // the characters whose mapping is not that of package unicode
	upper    map[rune]rune // likewise
	simple   map[rune]rune // likewise: the least character with the same simple case folding
	changed  []rune        // the characters that have another case, here or in package unicode
	foldings [folds]Folding

	mu   sync.Mutex
	sets map[string]Set // by kind and name, as far as they were asked for
}

// A change is a line of versions.txt: code points that have a value of a property, or mappings of single ones.
type change struct {
	kind, value string // "gc" and "Lu"; "sc" and "Latin"; "is" or "not" and "White_Space"; "lower", "upper" or "fold"
	set         Set
	pairs       [][2]rune
}

// The versions that engines are built with. A sweep over all code points holds each against its engine.
const (
	OfGo         = unicode.Version
	OfJava17     = "13.0.0"
	OfNode20     = "17.0.0" // 20.20
	OfPCRE2_1042 = "14.0.0"
	OfPython311  = "14.0.0"
	OfPython312  = "15.0.0"
	OfPython313  = "15.1.0"
	OfPython314  = "16.0.0"
	OfPerl536    = "14.0.0"
	OfRuby31     = "13.0.0"
)

// baseVersion is the version of the tables in Go's package unicode.
const baseVersion = unicode.Version

// versions returns all versions that there are tables for, by name: "14.0.0". The first call reads versionsText.
var versions = sync.OnceValue(func() map[string]*Unicode {
	all := map[string]*Unicode{baseVersion: {Version: baseVersion}}
	var u *Unicode
	for line := range strings.Lines(versionsText) {
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case fields[0] == "version": // its name, and the neighbor that it is computed from, which stands before it
			u = &Unicode{Version: fields[1], changes: slices.Clone(all[fields[2]].changes)}
			all[u.Version] = u
			continue
		}
		c := change{kind: fields[0], value: fields[1]}
		for _, f := range fields[2:] {
			from, to, pair := strings.Cut(f, ">")
			if pair {
				c.pairs = append(c.pairs, [2]rune{codePoint(from), codePoint(to)})
				continue
			}
			lo, hi, isRange := strings.Cut(f, "-")
			if !isRange {
				hi = lo
			}
			c.set = append(c.set, Span{codePoint(lo), codePoint(hi)})
		}
		u.changes = append(u.changes, c)
	}
	return all
})

// codePoint returns the value of hexadecimal digits in versions.txt, whose form a test holds.
func codePoint(digits string) rune {
	v, _ := strconv.ParseInt(digits, 16, 32)
	return rune(v)
}

// Versions lists the versions of Unicode that there are tables for, oldest first.
func Versions() []string {
	return slices.SortedFunc(maps.Keys(versions()), func(a, b string) int {
		return slices.Compare(versionNumbers(a), versionNumbers(b))
	})
}

// versionNumbers returns the numbers of a version.
func versionNumbers(version string) (list []int) {
	for _, part := range strings.Split(version, ".") {
		n, _ := strconv.Atoi(part)
		list = append(list, n)
	}
	return list
}

// UnicodeOf returns the tables of a version: "14", "14.0" or "14.0.0". If there are none, the error lists the versions.
func UnicodeOf(version string) (*Unicode, error) {
	full := version
	for strings.Count(full, ".") < 2 {
		full += ".0"
	}
	if u := versions()[full]; u != nil {
		return u, nil
	}
	return nil, fmt.Errorf("there are no tables of Unicode %q: %s", version, strings.Join(Versions(), ", "))
}

// memoized returns a set by its kind and name, which make computes the first time. If make reports false, so does
// memoized, which remembers nothing: make is called again the next time. make may call memoized for other sets.
func (u *Unicode) memoized(kind, name string, make func() (Set, bool)) (Set, bool) {
	key := kind + " " + name
	u.mu.Lock()
	s, known := u.sets[key]
	u.mu.Unlock()
	if known {
		return s, true
	}
	s, ok := make() // without the lock, which make may take; two goroutines may compute the same set
	if ok {
		u.mu.Lock()
		defer u.mu.Unlock()
		if u.sets == nil {
			u.sets = map[string]Set{}
		}
		u.sets[key] = s
	}
	return s, ok
}

// valuedPoints returns the code points with one value of "gc" or "sc", properties that give each code point one value.
// base is Go's table for the value, nil if it has none. It reports false if no code point has the value.
func (u *Unicode) valuedPoints(kind, value string, base *unicode.RangeTable) (Set, bool) {
	return u.memoized(kind, value, func() (s Set, ok bool) {
		if base != nil {
			s, ok = Tables(base), true
		}
		for _, c := range u.changes {
			switch {
			case c.kind != kind:
			case c.value == value:
				s, ok = s.Or(c.set), true
			default:
				s = s.And(c.set.Not(unicode.MaxRune))
			}
		}
		return s, ok && len(s) > 0
	})
}

// Category returns the characters of a general category, by its short or its long name, or of a group of categories,
// such as L or LC. It reports false for a name that is not known. A category without characters in the version is
// known, and empty.
func (u *Unicode) Category(name string) (Set, bool) {
	if short, ok := unicode.CategoryAliases[name]; ok {
		name = short
	}
	if unicode.Categories[name] == nil {
		return nil, false
	}
	return u.memoized("category", name, func() (s Set, ok bool) {
		for leaf, base := range unicode.Categories {
			in := strings.HasPrefix(leaf, name) || name == "LC" && (leaf == "Lu" || leaf == "Ll" || leaf == "Lt")
			if len(leaf) == 2 && leaf != "LC" && in {
				part, _ := u.valuedPoints("gc", leaf, base)
				s = append(s, part...)
			}
		}
		return s.Clean(), true
	})
}

// Script returns the characters of a script, by its long name. It reports false if the version has no such script, and
// for "Unknown".
func (u *Unicode) Script(name string) (Set, bool) {
	if name == "Unknown" {
		return nil, false
	}
	return u.valuedPoints("sc", name, unicode.Scripts[name])
}

// Scripts lists the long names of the scripts of the version, in the order of the alphabet.
func (u *Unicode) Scripts() (names []string) {
	known := map[string]bool{}
	for name := range unicode.Scripts {
		known[name] = true
	}
	for _, c := range u.changes {
		if c.kind == "sc" {
			known[c.value] = true
		}
	}
	for name := range known {
		if _, ok := u.Script(name); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// binaryProperty returns the characters that have a binary property, by its name in package unicode. It reports false
// for any other name.
func (u *Unicode) binaryProperty(name string) (Set, bool) {
	base := unicode.Properties[name]
	if base == nil {
		return nil, false
	}
	return u.memoized("is", name, func() (Set, bool) {
		s := Tables(base)
		for _, c := range u.changes {
			switch {
			case c.value != name:
			case c.kind == "is":
				s = s.Or(c.set)
			case c.kind == "not":
				s = s.And(c.set.Not(unicode.MaxRune))
			}
		}
		return s, true
	})
}

// Table returns the union of these categories and binary properties, as a set that is shared (see [Unicode]). A name
// that is not known adds nothing.
func (u *Unicode) Table(names ...string) Set {
	s, _ := u.memoized("table", strings.Join(names, " "), func() (s Set, ok bool) {
		for _, name := range names {
			part, ok := u.Category(name)
			if !ok {
				part, _ = u.binaryProperty(name)
			}
			s = append(s, part...)
		}
		return s.Clean(), true
	})
	return s
}

// prepare sets u.lower, u.upper and u.simple, the mappings that are not those of package unicode, and u.changed, the
// characters that have another case. u.once calls it.
func (u *Unicode) prepare() {
	u.lower, u.upper, u.simple = map[rune]rune{}, map[rune]rune{}, map[rune]rune{}
	u.changed = slices.Clone(changed())
	for _, c := range u.changes {
		// nil for the kinds that have no pairs
		to := map[string]map[rune]rune{"lower": u.lower, "upper": u.upper, "fold": u.simple}[c.kind]
		for _, pair := range c.pairs {
			to[pair[0]] = pair[1]
			u.changed = append(u.changed, pair[0], pair[1])
		}
	}
	slices.Sort(u.changed)
	u.changed = slices.Compact(u.changed)
}

// mapCase returns what a map of exceptions has for a character, or else what usual returns.
func mapCase(exceptions map[rune]rune, usual func(rune) rune, r rune) rune {
	if to, ok := exceptions[r]; ok {
		return to
	}
	return usual(r)
}

// Lower returns the simple lower case of a character.
func (u *Unicode) Lower(r rune) rune {
	u.once.Do(u.prepare)
	return mapCase(u.lower, unicode.ToLower, r)
}

// Upper returns the simple upper case of a character.
func (u *Unicode) Upper(r rune) rune {
	u.once.Do(u.prepare)
	return mapCase(u.upper, unicode.ToUpper, r)
}
