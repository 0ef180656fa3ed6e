package tree

import (
	"context"

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

	scan      scanner
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
	f := &finder{doc: doc, word: word, masked: masked, scan: scanner{text: doc.text}}
	f.ctx, f.stop = context.WithCancel(ctx)
	return f
}

// step searches on. Its answer has the places that were found: of each the
// first byte of the value, in the order of the document.
func (f *finder) step() foundMsg {
	if f.doc.isText {
		found := foundMsg{finder: f, read: len(f.doc.text), done: true}
		if grid.Contains(f.doc.text, f.word) {
			found.places = []int{0}
		}
		return found
	}
	var places []int
	for until := f.scan.at + stepBytes; f.scan.at < until && f.ctx.Err() == nil; {
		t := f.scan.next()
		switch t.kind {
		case noToken:
			return foundMsg{f, places, t.end, true}
		case nameToken:
			f.name = f.scan.text[t.at:t.end]
			f.nameFound = grid.Contains(unquote(f.name), f.word)
		case '}', ']':
			if f.masked != nil {
				f.around = f.around[:len(f.around)-1]
			}
		default:
			if f.value(t) {
				places = append(places, t.at)
			}
		}
	}
	return foundMsg{f, places, f.scan.at, f.ctx.Err() != nil}
}

// value takes the beginning of a value and reports whether it or its name is
// what is looked for.
func (f *finder) value(t token) bool {
	text, found := f.scan.text[t.at:t.end], f.nameFound
	hidden := f.masked != nil && f.enter(t) && text != "null"
	f.name, f.nameFound = "", false
	switch {
	case hidden:
		f.scan.at = valueEnd(f.scan.text, t.at)
		return found
	case found:
		return true
	case t.kind == stringToken:
		return grid.Contains(unquote(text), f.word)
	}
	return t.kind == plainToken && grid.Contains(text, f.word)
}

// enter keeps account of where a value is and reports whether it is masked.
func (f *finder) enter(t token) (masked bool) {
	if depth := len(f.around); depth > 0 {
		outer := &f.around[depth-1]
		f.path = appendStep(f.path[:outer.path], f.name, outer.next)
		outer.next++
		name := ""
		if f.name != "" {
			name = unquote(f.name)
		}
		text := f.scan.text[t.at:t.end]
		if t.kind == stringToken {
			text = unquote(text)
		} else if t.kind != plainToken {
			text = ""
		}
		masked = f.masked(string(f.path), name, text)
	}
	if !masked && (t.kind == '{' || t.kind == '[') {
		f.around = append(f.around, surrounding{path: len(f.path)})
	}
	return masked
}
