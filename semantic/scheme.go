package semantic

import (
	"slices"

	"github.com/bnfcheck/bnfcheck"
)

// numbered numbers the schemes of the published grammars and of this package, so that tables are indexed by scheme. A
// scheme without a number is looked up by its name.
var numbered = numberSchemes()

// ownNumber maps a role to the number of its ownScheme.
var ownNumber = func() (numbers [roles]uint8) {
	for r, name := range ownScheme {
		numbers[r] = numbered.number(name)
	}
	return numbers
}()

// schemes has the numbers of schemes. There are few enough for a uint8.
type schemes struct {
	names    []string  // by number; 0 stands for all others
	ports    [3][]int  // by family and number, as portsOf1994 has them
	byLength [][]uint8 // the numbers of those with names of a length
}

// numberSchemes numbers the schemes from 1, those of the published grammars first, and finds their ports.
func numberSchemes() *schemes {
	s := &schemes{names: []string{""}}
	add := func(name string) {
		if name != "" && s.number(name) == 0 {
			for len(s.byLength) <= len(name) {
				s.byLength = append(s.byLength, nil)
			}
			s.byLength[len(name)] = append(s.byLength[len(name)], uint8(len(s.names)))
			s.names = append(s.names, name)
		}
	}
	for _, g := range bnfcheck.Grammars() {
		for _, own := range g.Schemes {
			add(own.Name)
		}
	}
	for _, name := range slices.Concat(ownScheme[:], only1630, proposed, inProse1630) {
		add(name)
	}
	for rfc := Family1630; rfc <= Family1738; rfc++ {
		for _, name := range s.names {
			s.ports[rfc] = append(s.ports[rfc], portsOf1994[rfc][name])
		}
	}
	return s
}

// number returns the number of a scheme, 0 if it has none. name is in the spelling of s.names, in exactly that case.
func (s *schemes) number(name string) uint8 {
	if len(name) >= len(s.byLength) {
		return 0
	}
	for _, n := range s.byLength[len(name)] {
		if s.names[n][0] == name[0] && s.names[n] == name {
			return n
		}
	}
	return 0
}
