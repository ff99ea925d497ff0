// Package tokens reads a grammar of tokens, as W3C writes those of SPARQL, Turtle or XPath: names in capitals are
// terminals, quoted strings are terminals too, and white space or comments may stand between two of them.
//
// A string is taken apart from its beginning: the next token is the longest beginning of the rest that a terminal
// derives, or what may stand between terminals. (That is maximal munch, the rule of XPath 2.0, appendix A.2, and of
// SPARQL 1.1, section 19.8.) Several terminals may derive that same token; which is meant is for the grammar to say.
// So each token becomes a symbol, the set of terminals that derive it, and the grammar one over symbols, which are
// written as bytes. Whether two terminals may stand next to each other is not asked for: where they spell something
// longer, they are not the tokens that are found.
//
// The tokens are found by one automaton, the product of those of all terminals. Its size is that of a lexer; with it a
// string takes linear time, but for what is read ahead and given back.
//
// In this package a kind is the index of a terminal, and a symbol that of a set of kinds.
package tokens

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/automata/lang"
	"github.com/bnfcheck/bnfcheck/internal/base/budget"
	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// Tokens is a grammar whose terminals are known.
type Tokens struct {
	// Grammar is the grammar over symbols. Its productions are those of the text, under their IDs.
	Grammar *expr.Grammar

	// Text is the grammar as the text has it.
	Text *expr.Grammar

	kinds   []kind
	states  []state
	symbols [][]int // by symbol, the kinds of the set
}

// A kind is a terminal.
type kind struct {
	text string // as the grammar has it
	dfa  *lang.DFA
	skip bool // it may stand between terminals, and is none
}

// A state is one of the lexer's automaton.
type state struct {
	next   [256]int32 // 0 is where no terminal goes on
	symbol int32      // of the kinds that end here, -1 if none does
}

// maxStates caps the states of a lexer.
const maxStates = 1 << 15

// New returns g read as a grammar of tokens. terminal reports which productions are terminals. What pass
// derives may stand between two terminals, any number of times; nil stands for nothing. New fails if a
// terminal is not regular, or at a limit. A terminal that derives nothing, or only the empty string, is never
// found.
func New(g *expr.Grammar, terminal func(r *expr.Rule) bool, pass *expr.Expr) (t *Tokens, err error) {
	defer budget.Catch(&err)
	b := &builder{grammar: g, tokens: &Tokens{Text: g}, known: map[string]int{}, terminal: map[string]bool{}}
	for _, r := range g.Rules {
		b.terminal[r.ID] = terminal(r)
	}
	if pass != nil {
		if _, err := b.addKind("@pass", pass, true); err != nil {
			return nil, err
		}
	}
	// First the terminals are collected, since a symbol is a set of them; then each is replaced by the symbols of the
	// sets it is in.
	for _, r := range g.Rules {
		if err := b.collectTerminals(r); err != nil {
			return nil, err
		}
	}
	if err := b.buildLexer(); err != nil {
		return nil, err
	}
	b.tokens.Grammar = b.overSymbols()
	return b.tokens, nil
}

// A builder makes Tokens.
type builder struct {
	grammar  *expr.Grammar
	tokens   *Tokens
	terminal map[string]bool // by the ID of a production
	known    map[string]int  // kinds, by name
}

// isTerminal reports whether an expression in a production that is no terminal stands for one.
func (b *builder) isTerminal(e *expr.Expr) bool {
	return e.Op == expr.Literal || e.Op == expr.Class || e.Chars != "" || e.Op == expr.Ref && b.terminal[e.Name]
}

// terminalName returns the name of a terminal: that of its production or, for a string or a class, its text
// in the grammar. Terminals of the same name are one.
func terminalName(e *expr.Expr) string {
	switch {
	case e.Op == expr.Ref:
		return e.Name
	case e.Chars != "":
		return e.Chars
	}
	return e.String()
}

// collectTerminals adds the terminals that a production uses to the kinds, unless it is one itself: what a terminal is
// made of is none.
func (b *builder) collectTerminals(r *expr.Rule) (err error) {
	if b.terminal[r.ID] {
		return nil
	}
	expr.Walk(r.Expr, func(e *expr.Expr) bool {
		if err != nil || !b.isTerminal(e) {
			return err == nil
		}
		_, err = b.addKind(terminalName(e), e, false)
		return false
	})
	return err
}

// addKind returns the kind of a terminal, and adds it if it is new. It fails if the terminal is not regular,
// or at a limit.
func (b *builder) addKind(name string, e *expr.Expr, skip bool) (int, error) {
	if k, ok := b.known[name]; ok {
		return k, nil
	}
	a, err := lang.FromExpr(b.grammar, e)
	if err != nil {
		return 0, fmt.Errorf("the terminal %s: %w", name, err)
	}
	k := len(b.tokens.kinds)
	b.known[name] = k
	b.tokens.kinds = append(b.tokens.kinds, kind{name, a, skip})
	return k, nil
}

// A product is a state of the lexer while it is built: the states that the automata of the kinds are in, of those that
// are not dead.
type product []struct{ kind, state int }

// key returns a string that is different for different states.
func (p product) key() string { return fmt.Sprint([]struct{ kind, state int }(p)) }

// buildLexer builds the automaton of the lexer, breadth first: the states of Tokens, and a symbol for each
// set of kinds that end in the same state. It fails at a limit.
func (b *builder) buildLexer() error {
	t := b.tokens
	var start product
	for k, kind := range t.kinds {
		if !kind.dfa.Dead(0) {
			start = append(start, struct{ kind, state int }{k, 0})
		}
	}
	t.states = []state{{symbol: -1}, {symbol: -1}} // nothing goes on, and the start, at which no token ends
	at := map[string]int32{}                       // the state of each product that has been reached
	symbols := map[string]int32{}                  // those that have been given, by set
	lowest := b.representatives()
	queue := []product{start} // the i-th is the state i+1, since nothing goes on from the state 0
	for i := 0; i < len(queue); i++ {
		from := queue[i]
		for c, first := range lowest {
			if first != byte(c) { // as the byte that it is represented by, which is lower
				t.states[i+1].next[c] = t.states[i+1].next[first]
				continue
			}
			var to product
			for _, s := range from {
				a := t.kinds[s.kind].dfa
				if q := a.Next(s.state, byte(c)); !a.Dead(q) {
					to = append(to, struct{ kind, state int }{s.kind, q})
				}
			}
			if len(to) == 0 {
				continue
			}
			key := to.key()
			if at[key] == 0 {
				if len(t.states) > maxStates {
					return fmt.Errorf("the lexer of the terminals: %w", budget.ErrTooLarge)
				}
				t.states = append(t.states, state{symbol: b.addSymbol(to, symbols)})
				queue = append(queue, to)
				at[key] = int32(len(t.states) - 1)
			}
			t.states[i+1].next[c] = at[key]
		}
	}
	return nil
}

// addSymbol returns the symbol of the kinds that end in a state, which is added to those known where it is new; -1 if
// none ends.
func (b *builder) addSymbol(p product, known map[string]int32) int32 {
	var ends []int
	for _, s := range p {
		if b.tokens.kinds[s.kind].dfa.Accepts(s.state) {
			ends = append(ends, s.kind)
		}
	}
	if len(ends) == 0 {
		return -1
	}
	key := fmt.Sprint(ends)
	if _, ok := known[key]; !ok {
		known[key] = int32(len(b.tokens.symbols))
		b.tokens.symbols = append(b.tokens.symbols, ends)
	}
	return known[key]
}

// representatives returns, for each byte, the lowest that no automaton tells from it.
func (b *builder) representatives() (first [256]byte) {
	lowest := map[string]byte{}
	for c := range 256 {
		var key strings.Builder
		for _, k := range b.tokens.kinds {
			fmt.Fprintf(&key, "%d,", k.dfa.ClassOf(byte(c)))
		}
		if _, ok := lowest[key.String()]; !ok {
			lowest[key.String()] = byte(c)
		}
		first[c] = lowest[key.String()]
	}
	return first
}

// SymbolSize is how many bytes a symbol has in a word.
const SymbolSize = 2

// perByte is how many symbols the second byte of one tells apart. A lexer has less than 250 times as many, since
// maxStates caps them.
const perByte = 250

// wordOf returns the two bytes that stand for a symbol in the grammar over symbols. Neither is 0.
func wordOf(symbol int32) string {
	return string([]byte{byte(1 + symbol/perByte), byte(1 + symbol%perByte)})
}

// overSymbols returns the grammar with each terminal replaced by the symbols of the sets that it is in. A production
// of a terminal derives these; one that is used only inside of terminals derives nothing.
func (b *builder) overSymbols() *expr.Grammar {
	words := make([][]*expr.Expr, len(b.tokens.kinds))
	for symbol, kinds := range b.tokens.symbols {
		for _, k := range kinds {
			words[k] = append(words[k], expr.Lit(wordOf(int32(symbol))))
		}
	}
	// symbolsOf returns the expression that replaces a terminal.
	symbolsOf := func(e *expr.Expr) *expr.Expr {
		c := *expr.Or(words[b.known[terminalName(e)]]...)
		c.Pos, c.Chars = e.Pos, terminalName(e)
		return &c
	}
	var replace func(e *expr.Expr) *expr.Expr
	replace = func(e *expr.Expr) *expr.Expr {
		switch {
		case b.isTerminal(e) && e.Op == expr.Ref: // its own production has the symbols
			return e
		case b.isTerminal(e):
			return symbolsOf(e)
		case len(e.Sub) == 0:
			return e
		}
		return e.Map(replace)
	}
	rules := make([]*expr.Rule, len(b.grammar.Rules))
	for i, r := range b.grammar.Rules {
		c := *r
		_, used := b.known[r.ID]
		switch {
		case b.terminal[r.ID] && used:
			c.Expr = symbolsOf(expr.To(r.ID))
		case b.terminal[r.ID]: // a part of terminals
			c.Expr = expr.Or()
		default:
			c.Expr = replace(r.Expr)
		}
		rules[i] = &c
	}
	return b.grammar.With(rules)
}

// A Token is a token of a string, from offset Start to End.
type Token struct{ Start, End int }

// Lex takes a string apart. word is the string over symbols, [SymbolSize] bytes a token, and list has the tokens, both
// without what stands between terminals. If no terminal fits somewhere, ok is false, and both have what is before that
// place.
func (t *Tokens) Lex(s string) (word string, list []Token, ok bool) {
	var symbols strings.Builder
	for at := 0; at < len(s); {
		end, symbol := t.longestToken(s, at)
		if end < 0 {
			return symbols.String(), list, false
		}
		if !t.isSkipped(int(symbol)) {
			symbols.WriteString(wordOf(symbol))
			list = append(list, Token{at, end})
		}
		at = end
	}
	return symbols.String(), list, true
}

// LexedLength returns the first offset at which no terminal fits, or the length of s.
func (t *Tokens) LexedLength(s string) int {
	at := 0
	for at < len(s) {
		end, _ := t.longestToken(s, at)
		if end < 0 {
			break
		}
		at = end
	}
	return at
}

// longestToken returns the end of the token that begins at an offset, and its symbol; -1 if no terminal fits.
func (t *Tokens) longestToken(s string, at int) (end int, symbol int32) {
	q := int32(1) // the start
	end, symbol = -1, -1
	for i := at; i < len(s) && q != 0; i++ {
		if q = t.states[q].next[s[i]]; q != 0 && t.states[q].symbol >= 0 {
			end, symbol = i+1, t.states[q].symbol
		}
	}
	return end, symbol
}

// isSkipped reports whether a symbol may stand between terminals and is skipped. A symbol that a terminal
// derives as well counts as that terminal.
func (t *Tokens) isSkipped(symbol int) bool {
	return !slices.ContainsFunc(t.symbols[symbol], func(k int) bool { return !t.kinds[k].skip })
}

// maxPending caps the states of the automaton that [Tokens.Automaton] makes.
const maxPending = 1 << 16

// Automaton returns the automaton of the strings whose tokens the production with this ID derives. It fails
// if the production nests, or at a limit.
//
// The automaton guesses where each token ends. It goes on to follow the lexer's state after a token: if that
// comes to the end of a longer token, the guess was wrong. So a state consists of a state of the grammar's
// automaton over symbols, the lexer's state in the current token, and the states that are still followed,
// none of which may reach an end.
func (t *Tokens) Automaton(id string) (a *lang.DFA, err error) {
	defer budget.Catch(&err)
	syntax, err := lang.FromBNF(t.Grammar, id)
	if err != nil {
		return nil, err
	}
	m := &guesser{tokens: t, syntax: syntax, ids: map[string]string{}, extensible: t.extensible()}
	start := m.productionOf(guess{token: 1})
	for i := 0; i < len(m.queue); i++ {
		if len(m.queue) > maxPending {
			return nil, fmt.Errorf("the automaton of the tokens of %s: %w", id, budget.ErrTooLarge)
		}
		m.expand(m.queue[i])
	}
	g := t.Grammar.With(m.rules)
	return lang.FromBNF(g, start)
}

// extensible reports of each state of the lexer whether an end can be reached from it by more bytes.
func (t *Tokens) extensible() []bool {
	// found to be so by now; each round finds those that are one byte further from an end
	live := make([]bool, len(t.states))
	for changed := true; changed; {
		changed = false
		for q := 1; q < len(t.states); q++ {
			for _, to := range t.states[q].next {
				if !live[q] && to != 0 && (t.states[to].symbol >= 0 || live[to]) {
					live[q], changed = true, true
				}
			}
		}
	}
	return live
}

// A guess is a state of the automaton.
type guess struct {
	syntax  int     // the state of the grammar's automaton over symbols, after the tokens that have ended
	token   int32   // the lexer's state in the token at hand; 1 between tokens
	pending []int32 // the lexer's states in tokens that have ended, in ascending order
}

// A guesser makes a grammar of guesses, each a production that begins with a byte.
type guesser struct {
	tokens     *Tokens
	syntax     *lang.DFA         // of the grammar over symbols
	extensible []bool            // as [Tokens.extensible] reports it
	ids        map[string]string // of the productions, by guess
	queue      []guess           // all guesses that have an ID; those that have no production yet are last
	rules      []*expr.Rule
}

// productionOf returns the ID of the production of a guess. A guess that is new it adds to the queue.
func (m *guesser) productionOf(g guess) string {
	key := fmt.Sprint(g.syntax, g.token, g.pending)
	if m.ids[key] == "" {
		m.ids[key] = fmt.Sprintf("guess-%d", len(m.queue))
		m.queue = append(m.queue, g)
	}
	return m.ids[key]
}

// expand adds the production of a guess: an alternative for each guess that it may become, and the empty string if it
// may end.
func (m *guesser) expand(g guess) {
	id := m.productionOf(g)
	sets := map[string]*expr.Set{} // the bytes that turn the guess into another one, by the other's ID
	var order []string             // of the others, as they are found
	for c := range 256 {
		for _, to := range m.guessesAfter(g, byte(c)) {
			next := m.productionOf(to)
			if sets[next] == nil {
				sets[next] = &expr.Set{}
				order = append(order, next)
			}
			*sets[next] = sets[next].Union(expr.Range(byte(c), byte(c)))
		}
	}
	var alts []*expr.Expr
	for _, next := range order {
		alts = append(alts, expr.Cat(expr.In(*sets[next]), expr.To(next)))
	}
	if g.token == 1 && m.syntax.Accepts(g.syntax) {
		alts = append(alts, expr.Lit(""))
	}
	m.rules = append(m.rules, &expr.Rule{ID: id, Name: id, Expr: expr.Or(alts...)})
}

// guessesAfter returns the guesses that g turns into when the byte c is read: the token goes on, or ends with
// c, or both are possible. It returns none if no token has that byte next, if the guess turns out to be
// wrong, or if the grammar has no use for the token.
func (m *guesser) guessesAfter(g guess, c byte) (list []guess) {
	states := m.tokens.states
	var pending []int32
	for _, q := range g.pending {
		if q = states[q].next[c]; q == 0 {
			continue
		}
		if states[q].symbol >= 0 { // a longer token was there
			return nil
		}
		if m.extensible[q] {
			pending = append(pending, q)
		}
	}
	q := states[g.token].next[c]
	if q == 0 {
		return nil
	}
	if m.extensible[q] { // the token goes on
		list = append(list, guess{g.syntax, q, sortedSet(pending)})
	}
	symbol := states[q].symbol // from here on: the token ends, if it may
	if symbol < 0 {
		return list
	}
	after := g.syntax
	if !m.tokens.isSkipped(int(symbol)) {
		if after = m.syntax.Run(after, wordOf(symbol)); m.syntax.Dead(after) {
			return list
		}
	}
	if m.extensible[q] { // it is to be seen that no longer token is there
		pending = append(slices.Clone(pending), q)
	}
	return append(list, guess{after, 1, sortedSet(pending)})
}

// sortedSet returns states in ascending order, each once.
func sortedSet(list []int32) []int32 {
	list = slices.Clone(list)
	slices.SortFunc(list, cmp.Compare[int32])
	return slices.Compact(list)
}
