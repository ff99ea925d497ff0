package drawing

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
)

// A figure is a drawing, taken apart.
type figure struct {
	class         string
	width, height float64
	texts         []string
	links         []string
	boxes         []area    // of a railroad diagram
	labels        []area    // the room that text takes
	asides        []bool    // which of the labels stand on the track, outside of boxes
	track         []segment // of a railroad diagram
}

type area struct {
	what                     string
	left, top, right, bottom float64
}

func (a area) meets(b area) bool {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

// read takes a drawing apart. It must be XML.
func read(t *testing.T, svg string) figure {
	t.Helper()
	var f figure
	d := xml.NewDecoder(strings.NewReader(svg))
	var in *area
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return f
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch e := token.(type) {
		case xml.StartElement:
			get := func(name string) string {
				for _, a := range e.Attr {
					if a.Name.Local == name {
						return a.Value
					}
				}
				return ""
			}
			number := func(name string) float64 {
				x, err := strconv.ParseFloat(get(name), 64)
				if err != nil {
					t.Fatalf("%s of <%s>: %v", name, e.Name.Local, err)
				}
				return x
			}
			switch e.Name.Local {
			case "svg":
				f.class, f.width, f.height = get("class"), number("width"), number("height")
			case "a":
				f.links = append(f.links, get("href"))
			case "rect":
				x, y := number("x"), number("y")
				f.boxes = append(f.boxes, area{get("class"), x, y, x + number("width"), y + number("height")})
			case "path":
				if get("class") == "track" {
					f.track = segments(t, get("d"))
				}
			case "text":
				x, y := number("x"), number("y")-baseline
				f.asides = append(f.asides, get("class") == "aside")
				f.labels = append(f.labels, area{left: x, right: x, top: y - FontSize/2, bottom: y + FontSize/2})
				f.texts = append(f.texts, "")
				in = &f.labels[len(f.labels)-1]
			}
		case xml.CharData:
			if in != nil {
				f.texts[len(f.texts)-1] += string(e)
			}
		case xml.EndElement:
			if e.Name.Local == "text" {
				in.what = f.texts[len(f.texts)-1]
				half := advance * float64(len([]rune(in.what))) / 2
				in.left, in.right, in = in.left-half, in.right+half, nil
			}
		}
	}
}

// apart fails where two of the areas lie on each other, or one is not on the paper.
func (f figure) apart(t *testing.T, what string, areas []area) {
	t.Helper()
	for i, a := range areas {
		if a.left < 0 || a.top < 0 || a.right > f.width || a.bottom > f.height {
			t.Errorf("%s: %q is not on the paper", what, a.what)
		}
		for _, b := range areas[:i] {
			if a.meets(b) {
				t.Errorf("%s: %q lies on %q", what, a.what, b.what)
			}
		}
	}
}
