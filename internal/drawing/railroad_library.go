package drawing

import (
	_ "embed"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// The layout of railroad diagrams is by Tab Atkins Jr. and others, in JavaScript: railroad-diagrams, in the edition by
// Ferdinand Prantl, which can also break a long sequence into several lines. The file is lib/index.js of the npm package
// @prantlf/railroad-diagrams, version 1.0.1, unchanged; LICENSE beside it is the CC0 that it is under. It runs here, where a
// diagram is drawn, so that a page shows diagrams without any script.
//
//go:embed railroad-diagrams/railroad-diagrams.js
var railroadSource string

// The measures of a diagram. The library knows boxes of one height, 22.
const (
	column  = 8  // the width of a character, a little more than [advance]: whole numbers are shorter
	between = 8  // above and below tracks that run side by side
	bend    = 10 // the radius of a curve
	margin  = 4
)

// A layout is the library. It draws one diagram at a time.
type layout struct {
	sync.Mutex
	js      *goja.Runtime
	classes *goja.Object // what the library exports
}

// startLayout runs the library's file, once for all diagrams.
var startLayout = sync.OnceValues(func() (*layout, error) {
	file, err := goja.Parse("railroad-diagrams.js", railroadSource, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, err
	}
	program, err := goja.CompileAST(file, true)
	if err != nil {
		return nil, err
	}
	l := &layout{js: goja.New()}
	l.classes = l.js.NewObject()
	settings := map[string]any{
		"CHAR_WIDTH": column, "COMMENT_CHAR_WIDTH": column, "AR": bend, "VS": between,
		"STROKE_ODD_PIXEL_LENGTH": false, "INTERNAL_ALIGNMENT": "left",
	}
	for name, value := range map[string]any{"exports": l.classes, "settings": settings} {
		if err := l.js.Set(name, value); err != nil {
			return nil, err
		}
	}
	if _, err := l.js.RunProgram(program); err != nil {
		return nil, err
	}
	_, err = l.js.RunString("Object.assign(exports.Options, settings)")
	return l, err
})

// A part is an object of the library: a diagram, or what it is made of.
type part struct{ *goja.Object }

// newPart makes an object of a class of the library. Here and below, what the library throws goes up as a panic, to
// [drawParts].
func (l *layout) newPart(class string, args ...any) part {
	values := make([]goja.Value, len(args))
	for i, a := range args {
		if p, ok := a.(part); ok {
			a = p.Object
		}
		values[i] = l.js.ToValue(a)
	}
	o, err := l.js.New(l.classes.Get(class), values...)
	if err != nil {
		panic(err)
	}
	return part{o}
}

// ofParts does the same for a class that is made of other parts.
func (l *layout) ofParts(class string, parts []part) part {
	args := make([]any, len(parts))
	for i, p := range parts {
		args[i] = p
	}
	return l.newPart(class, args...)
}

// choice makes a choice, with the first of the parts on the line and the others below.
func (l *layout) choice(parts []part) part {
	args := []any{0}
	for _, p := range parts {
		args = append(args, p)
	}
	return mended(l.newPart("Choice", args...), parts[len(parts)-1])
}

// optional makes a choice between p, on the line, and nothing, above.
func (l *layout) optional(p part) part { return mended(l.newPart("Optional", p), p) }

// mended adds to what a choice needs below the line how much lower the last of its parts ends than it begins: the
// library forgets that, and a part of several rows would lie on what comes below.
func mended(choice, last part) part {
	if err := choice.Set("down", choice.measure("down")+last.measure("height")); err != nil {
		panic(err)
	}
	return choice
}

// measure gives a measure of a part: how wide it is, how much lower it ends than it begins (its height), and how far it
// reaches up and down from there.
func (p part) measure(name string) float64 { return p.Get(name).ToFloat() }

// attribute gives an attribute that the part has, as an element of SVG.
func (l *layout) attribute(p part, name string) string {
	if v := p.Get("attrs").ToObject(l.js).Get(name); v != nil {
		return v.String()
	}
	return ""
}

// setClass says what kind of box a part is.
func (l *layout) setClass(p part, class string) part {
	if err := p.Get("attrs").ToObject(l.js).Set("class", class); err != nil {
		panic(err)
	}
	return p
}

// drawParts draws the diagram that build makes, without the element around it.
func drawParts(build func(*layout) part) (*diagram, error) {
	d := &diagram{}
	l, err := startLayout()
	if err != nil {
		return d, err
	}
	l.Lock()
	defer l.Unlock()
	if thrown := l.js.Try(func() {
		p := l.newPart("Diagram", build(l))
		format, ok := goja.AssertFunction(p.Get("format"))
		if !ok {
			panic(l.js.NewTypeError("a diagram cannot be laid out"))
		}
		if _, err := format(p.Object, l.js.ToValue(margin)); err != nil {
			panic(err)
		}
		size := p.Get("attrs").ToObject(l.js)
		d.width, d.height = size.Get("width").ToFloat(), size.Get("height").ToFloat()
		l.collect(d, p, "")
	}); thrown != nil {
		return d, thrown
	}
	d.track.goAcross()
	return d, d.track.err
}

// A diagram is what the library has laid out, as SVG.
type diagram struct {
	width, height float64
	track         pen // all lines and curves
	boxes         strings.Builder
}

// collect takes what p shows into d. Class is of the box that p is in. The library makes an element of each line and each
// curve; in one path they take a quarter of the bytes.
func (l *layout) collect(d *diagram, p part, class string) {
	switch tag := p.Get("tagName").String(); tag {
	case "path":
		d.track.follow(l.attribute(p, "d"))
	case "rect":
		fmt.Fprintf(&d.boxes, `<rect class="%s"`, class)
		for _, name := range []string{"x", "y", "width", "height", "rx"} {
			if v := l.attribute(p, name); v != "" {
				fmt.Fprintf(&d.boxes, ` %s="%s"`, name, v)
			}
		}
		d.boxes.WriteString("/>")
	case "text":
		aside := ""
		if l.attribute(p, "class") == "comment" {
			aside = `class="aside" `
		}
		fmt.Fprintf(&d.boxes, `<text %sx="%s" y="%s">%s</text>`, aside,
			l.attribute(p, "x"), l.attribute(p, "y"), html.EscapeString(p.Get("children").String()))
	default: // a group, or the library's link, which has the text in it and not the box
		link := p.Get("href")
		linked := link != nil && link.ToBoolean()
		if linked {
			fmt.Fprintf(&d.boxes, `<a href="%s">`, html.EscapeString(link.String()))
		}
		if c := l.attribute(p, "class"); c != "" {
			class = c
		}
		l.js.ForOf(p.Get("children"), func(child goja.Value) bool {
			l.collect(d, part{child.ToObject(l.js)}, class)
			return true
		})
		if linked {
			d.boxes.WriteString("</a>")
		}
	}
}

// A pen draws the library's paths as one, and leaves out what draws nothing: the library joins its parts by lines of the
// length that remains, often none, and begins each path anew where another has ended.
type pen struct {
	path
	at     [2]float64 // where it is
	across float64    // how far to the right, or the left, it is to go next
	err    error
}

var pathStep = regexp.MustCompile(`[A-Za-z][^A-Za-z]*`)

// pathSteps has the numbers that each step takes.
var pathSteps = map[byte]int{'M': 2, 'm': 2, 'h': 1, 'v': 1, 'a': 7}

// follow draws a path of the library, in which only the beginning is an absolute place.
func (p *pen) follow(d string) {
	for _, step := range pathStep.FindAllString(d, -1) {
		var n []float64
		for _, field := range strings.Fields(step[1:]) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				p.err = err
				return
			}
			n = append(n, v)
		}
		if want, ok := pathSteps[step[0]]; !ok || len(n) != want {
			p.err = fmt.Errorf("%q is no step of a path that is known", step)
			return
		}
		switch step[0] {
		case 'M':
			to := [2]float64(n)
			if to == p.at {
				continue
			}
			p.at = to
		case 'h':
			if p.across*n[0] < 0 {
				p.goAcross()
			}
			p.across += n[0]
			p.at[0] += n[0]
			continue
		case 'v':
			if n[0] == 0 {
				continue
			}
			p.at[1] += n[0]
		default:
			p.at[0] += n[len(n)-2]
			p.at[1] += n[len(n)-1]
		}
		p.goAcross()
		p.step(step[:1], n...)
	}
}

// goAcross draws the horizontal line that is still to be drawn.
func (p *pen) goAcross() {
	if p.across != 0 {
		p.step("h", p.across)
	}
	p.across = 0
}
