package tree

import (
	"context"

	"gatehouse/internal/jsonscan"
	"gatehouse/ui/grid"
)

// stepBytes is how much of a document one step of a search reads, and one
// string more.
const stepBytes = 4 << 20

// finder looks through a document for a word, step by step. It does not touch
// the tree, so that it can work beside it.
type finder struct {
	ctx    context.Context
	stop   context.CancelFunc
	doc    *document
	word   string
	masked func(path, key, text string) bool // nil: nothing is

	scan      jsonscan.Scanner
	name      string // as sent, of the value that comes next
	nameFound bool
	// The containers around and the path to the value, only kept for masked.
	around []surrounding
	path   []byte
}

// surrounding is a container that the finder is in.
type surrounding struct {
	path int // how much of the finder's path leads to it
	next int // the index of the value that comes next
}

func newFinder(ctx context.Context, doc *document, word string, masked func(path, key, text string) bool) *finder {
	f := &finder{doc: doc, word: word, masked: masked, scan: jsonscan.Scanner{Text: doc.raw, MaxDepth: maxDepth}}
	f.ctx, f.stop = context.WithCancel(ctx)
	return f
}

// step searches on. Its answer has the places that were found: of each the
// first byte of the value, in the order of the document.
func (f *finder) step() foundMsg {
	if f.doc.isText {
		found := foundMsg{finder: f, read: len(f.doc.text), done: true}
		if grid.Contains(f.doc.text, f.word) {
			found.matches = []int{0}
		}
		return found
	}
	msg := foundMsg{finder: f}
	for until := f.scan.At + stepBytes; f.scan.At < until && !msg.done; {
		t, err := f.scan.Next()
		switch t.Kind {
		case jsonscan.End:
			msg.done = true
		case jsonscan.Name:
			f.name = f.textOf(t)
			f.nameFound = grid.Contains(unquote(f.name), f.word)
		case jsonscan.ObjectEnd, jsonscan.ArrayEnd:
			if f.masked != nil {
				f.around = f.around[:len(f.around)-1]
			}
		default:
			if f.value(t) {
				msg.matches = append(msg.matches, t.Start)
			}
		}
		msg.done = msg.done || err != nil || f.ctx.Err() != nil
	}
	msg.read = f.scan.At
	return msg
}

func (f *finder) textOf(t jsonscan.Token) string { return f.doc.text[t.Start:t.End] }

// value takes the beginning of a value and reports whether it or its name is
// what is looked for.
func (f *finder) value(t jsonscan.Token) bool {
	text, found := "", f.nameFound // a container has no text
	switch t.Kind {
	case jsonscan.String:
		text = unquote(f.textOf(t))
	case jsonscan.Number, jsonscan.Literal:
		text = f.textOf(t)
	}
	hidden := f.masked != nil && f.enter(t, text) && f.textOf(t) != "null"
	f.name, f.nameFound = "", false
	if hidden {
		f.skip(t)
		return found
	}
	return found || grid.Contains(text, f.word)
}

// skip moves behind a container whose beginning was taken.
func (f *finder) skip(t jsonscan.Token) {
	if t.Kind != jsonscan.ObjectStart && t.Kind != jsonscan.ArrayStart {
		return
	}
	for outside := f.scan.Depth() - 1; f.scan.Depth() > outside; {
		if _, err := f.scan.Next(); err != nil {
			return
		}
	}
}

// enter keeps account of where a value is and reports whether it is masked.
func (f *finder) enter(t jsonscan.Token, text string) (masked bool) {
	if depth := len(f.around); depth > 0 {
		outer := &f.around[depth-1]
		f.path = appendStep(f.path[:outer.path], f.name, outer.next)
		outer.next++
		name := ""
		if f.name != "" {
			name = unquote(f.name)
		}
		masked = f.masked(string(f.path), name, text)
	}
	if !masked && (t.Kind == jsonscan.ObjectStart || t.Kind == jsonscan.ArrayStart) {
		f.around = append(f.around, surrounding{path: len(f.path)})
	}
	return masked
}
