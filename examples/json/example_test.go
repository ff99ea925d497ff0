package json_test

import (
	"fmt"
	"strconv"

	stdjson "encoding/json"

	"github.com/bnfcheck/bnfcheck/examples/json"
)

// A document becomes the value that encoding/json has for it.
func Example() {
	tree, err := json.Parse(`{"name": "caf\u00e9", "sizes": [1, 2.5e1, -3], "open": true, "owner": null}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	document, err := value(json.AsJSONText(tree.Root()).Value())
	fmt.Println(document, err)

	_, err = json.Parse("[1, x]")
	fmt.Println(err)
	// Output:
	// map[name:café open:true owner:<nil> sizes:[1 25 -3]] <nil>
	// json: offset 4: unexpected "x" in array; expected " ", "\x09", "\x0A", "\x0D", "{", "[", `"`, "-", "0", [1-9], "true", "false" or "null" (json.abnf:6)
}

// value returns a value of JSON as Go has it.
func value(n json.Value) (any, error) {
	switch n.Alternative() {
	case json.ValueObject:
		object := map[string]any{}
		for member := range n.Object().Member() {
			key, err := text(member.StringNode())
			if err != nil {
				return nil, err
			}
			if object[key], err = value(member.Value()); err != nil {
				return nil, err
			}
		}
		return object, nil
	case json.ValueArray:
		list := []any{}
		for element := range n.Array().Element() {
			item, err := value(element.Value())
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		return list, nil
	case json.ValueString:
		return text(n.StringNode())
	case json.ValueNumber:
		return strconv.ParseFloat(n.Number().Text(), 64)
	case json.ValueTrue:
		return true, nil
	case json.ValueFalse:
		return false, nil
	}
	return nil, nil // ValueNull
}

// text returns what a string of JSON stands for. The grammar says which escapes there are, and encoding/json what they mean.
func text(n json.String) (s string, err error) {
	err = stdjson.Unmarshal([]byte(n.Text()), &s)
	return s, err
}
