package linemode

import (
	"errors"
	"iter"
	"strconv"

	"github.com/tidwall/gjson"

	"gatehouse/internal/secret"
)

const (
	linesAtATime = 30   // of what is read out at length
	longestValue = 1000 // cells of a value; what is longer can be exported
	deepest      = 64   // objects and arrays inside one another
)

// read says lines, and after some of them asks whether to go on.
func (c *conversation) read(lines iter.Seq[string]) error {
	next, stop := iter.Pull(lines)
	defer stop()
	said := 0
	for text, ok := next(); ok; text, ok = next() {
		if said == linesAtATime {
			said = 0
			if err := c.goOn(); errors.Is(err, errBack) {
				return nil
			} else if err != nil {
				return err
			}
		}
		c.say("%s", text)
		said++
	}
	return nil
}

func (c *conversation) goOn() error {
	_, err := c.ask(question{text: "There is more. Type next to hear it, or back", help: []string{"Type next, or an empty line, to hear more."}})
	return err
}

// fields says each value of a JSON document on a line of its own, behind the
// names that lead to it: "ShareDefault.Owner: ada@harbor.example." The elements
// of arrays count from 1. Secrets that are masked are "hidden".
func fields(document []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		walk("", gjson.ParseBytes(document), 0, yield)
	}
}

// walk says a value, or those inside it. It returns false when nobody listens
// any more.
func walk(path string, value gjson.Result, depth int, yield func(string) bool) bool {
	if depth == deepest || !value.IsObject() && !value.IsArray() {
		return yield(field(path, words(value)))
	}
	goOn, inside := true, 0
	value.ForEach(func(key, element gjson.Result) bool {
		inside++
		name := key.String()
		if value.IsArray() {
			name = strconv.Itoa(inside)
		}
		if path != "" {
			name = path + "." + name
		}
		goOn = walk(name, element, depth+1, yield)
		return goOn
	})
	switch {
	case inside > 0:
		return goOn
	case value.IsArray():
		return yield(field(path, "an empty list"))
	default:
		return yield(field(path, "an empty object"))
	}
}

func field(path, text string) string {
	text = clip(text, longestValue)
	if path == "" {
		return sentence(text)
	}
	return sentence(clip(path, longestValue) + ": " + text)
}

// words says a value that has none inside. Numbers keep the digits that were
// sent.
func words(value gjson.Result) string {
	switch {
	case value.Type == gjson.Null:
		return "nothing"
	case value.Type != gjson.String:
		return value.Raw
	case value.Str == "":
		return "empty"
	case value.Str == secret.Mask:
		return "hidden"
	default:
		return value.Str
	}
}
