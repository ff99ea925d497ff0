// Package page makes the report on the grammars: one page of HTML that stands by itself, and the same content as text
// and as Markdown.
//
// Collect finds out everything that the report on the published grammars says, from packages prove, explain and
// lang, CollectPair what there is to say about two grammars, and CollectFile about one in a file; the writers only
// say it. The page loads nothing: its style, its script and its figures are in it, and a policy that lets nothing
// else run. The diagrams and the tables of causes are compressed in it, and the script unpacks them. Strings in it
// are bytes of languages, and hold whatever a language holds: they are shown byte by byte.
package page
