package jspackage

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/bnfcheck/bnfcheck/internal/syntax/expr"
)

// This file writes the types of a module for TypeScript. A production is a member of the interface
// Productions, so that names are string literals and need not be identifiers: then, __proto__ and
// constructor are names like others.

// typesHead is the part that the types of all modules have. It is no format.
const typesHead = `/** What is known of the nodes of each production. */
interface Production {
  /** The children that always occur, once. */
  one: string;
  /** The children that occur once or not at all. */
  maybe: string;
  /** The children that can occur more than once. */
  many: string;
  /** What the alternatives are called, by one of which a node is derived. */
  alternative: string | number;
}

/** The name of a production. */
export type Name = keyof Productions;

/** The name of a child of a node of a production. */
export type ChildName<N extends Name> = N extends Name
  ? Extract<Productions[N]['one'] | Productions[N]['maybe'] | Productions[N]['many'], Name>
  : never;

/** A node of a tree: a production, and what it derives. It iterates over its children, in order. */
export type Node<N extends Name = Name> = N extends Name ? NodeOf<N> : never;

interface NodeOf<N extends Name> extends Iterable<Node<ChildName<N>>> {
  /** The name of the production. */
  readonly name: N;
  /** The offset in the input where the node begins: in UTF-16 code units, or in bytes. */
  readonly start: number;
  /** The offset in the input after the node. */
  readonly end: number;
  /** The part of the input that the production derives. */
  readonly text: string;
  /** The line in which the node begins, from 1. */
  readonly line: number;
  /** The column in which the node begins, in code points from 1. */
  readonly column: number;
  /** The children, in order. */
  readonly children: Node<ChildName<N>>[];
  /**
   * The alternative of the production by which the node was derived: the name of the production, or
   * the word in quotation marks, that the alternative is, and otherwise its number from 1. It is
   * undefined where none is found within the limit on steps.
   */
  readonly alternative: Productions[N]['alternative'] | undefined;
  /** Returns the child of a production that always occurs. */
  get<K extends Extract<Productions[N]['one'], Name>>(name: K): Node<K>;
  /** Returns the child of a production that may be missing. */
  get<K extends Extract<Productions[N]['maybe'], Name>>(name: K): Node<K> | undefined;
  /** Returns the children of a production, in order. */
  all<K extends ChildName<N>>(name: K): Node<K>[];
  /** Returns the node as plain data. */
  toJSON(): PlainNode;
}

/** A node as plain data. */
export interface PlainNode {
  name: Name;
  start: number;
  end: number;
  children: PlainNode[];
}

/** Says where and why a production does not derive an input. */
export class ParseError extends Error {
  /** The offset in the input, in UTF-16 code units or bytes. */
  readonly offset: number;
  /** The line, from 1. */
  readonly line: number;
  /** The column, in code points from 1. */
  readonly column: number;
  /** The innermost production that was being matched; undefined if none is known. */
  readonly production: Name | undefined;
  /** All productions that were being matched, that one first, then inner before outer. */
  readonly productions: Name[];
  /** What stands there: a quoted byte, a code point as U+061C, or "end of input". */
  readonly unexpected: string;
  /** What could stand there: names of productions, quoted literals, "end of input". */
  readonly expected: string[];
  /** Whether more input could complete this one. */
  readonly incomplete: boolean;
}

/** Says that an input nests deeper than the limit. */
export class TooDeepError extends RangeError {
  readonly offset: number;
  readonly limit: number;
}

/** Says that an input takes more steps or memory than the limit. */
export class TooLargeError extends RangeError {
  readonly offset: number;
  readonly limit: number;
}

/** What is read: a string, or bytes. */
export type Input = string | Uint8Array;

/** What a caller may choose. */
export interface Options<N extends Name> {
  /** The production to parse. */
  start?: N;
  /** How many nodes may be nested in each other; by default any number. */
  maxDepth?: number;
}

/** The names of the productions, in the order of the text. */
export const productions: readonly Name[];
`

// writeTypes returns the declarations of the module.
func (m *module) writeTypes() []byte {
	var b bytes.Buffer
	m.writeHeader(&b)
	fmt.Fprintf(&b, "/** The productions of %s, and the children that a node of each can have. "+
		"*/\ninterface Productions {\n",
		m.commentText(m.Grammar.Title))
	for _, r := range m.Grammar.Rules {
		var one, maybe, many []string
		for _, c := range m.Children(r) {
			name := literal(c.ID)
			switch { // with several, it does not matter how many there are at least
			case c.Max > 1:
				many = append(many, name)
			case c.Min == 0:
				maybe = append(maybe, name)
			default:
				one = append(one, name)
			}
		}
		fmt.Fprintf(&b, "  /** %s */\n", m.commentText(m.CiteLine(r)))
		fmt.Fprintf(&b, "  %s: { one: %s; maybe: %s; many: %s; alternative: %s };\n",
			literal(r.ID), typeUnion(one), typeUnion(maybe), typeUnion(many), m.alternativeType(r))
	}
	b.WriteString("}\n\n" + typesHead)
	start := literal(m.Start.ID)
	fmt.Fprintf(&b, `
/** Reports whether %[2]s derives an input. It builds no tree. */
export function accepts(input: Input): boolean;

/** Reports whether a production derives an input. */
export function acceptsAs(production: Name, input: Input): boolean;

/** Returns the root of the tree of an input. It throws a ParseError if the input is not derived. */
export function parse<N extends Name = %[1]s>(input: Input, options?: Options<N>): Node<N>;

/**
 * Is parse, but returns undefined for an input that is not derived. What explains why is left out of a bundle that
 * uses nothing else.
 */
export function tryParse<N extends Name = %[1]s>(input: Input, options?: Options<N>): Node<N> | undefined;

/**
 * Returns the root of the tree of the longest prefix of an input that is derived; its end is the
 * length of the prefix. It throws a ParseError if no prefix is derived, not even the empty string.
 */
export function parsePrefix<N extends Name = %[1]s>(input: Input, options?: Options<N>): Node<N>;
`, start, m.commentText(m.Start.Name))
	return b.Bytes()
}

// typeUnion returns a union of types, never for none.
func typeUnion(list []string) string {
	if len(list) == 0 {
		return "never"
	}
	return strings.Join(list, " | ")
}

// alternativeType returns the union of the names of the alternatives of a production.
func (m *module) alternativeType(r *expr.Rule) string {
	if labels := m.labels(r); len(labels) > 0 {
		return typeUnion(labels)
	}
	return "1"
}
