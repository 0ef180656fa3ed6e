package ui

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// state is all that a value of the UI holds, by the path to it. What belongs to
// other packages and functions is left out.
type state map[string]string

// take adds what is below a path.
func (s state) take(path string, v reflect.Value, seen map[uintptr]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			s[path] = fmt.Sprint(v.IsNil())
			return
		}
		seen[v.Pointer()] = true
		s.take(path, v.Elem(), seen)
	case reflect.Interface:
		s.take(path, v.Elem(), seen)
	case reflect.Struct:
		s.takeStruct(path, v, seen)
	case reflect.Slice, reflect.Array:
		s[path+" length"] = fmt.Sprint(v.Len())
		for i := range min(v.Len(), 200) {
			s.take(fmt.Sprintf("%s[%d]", path, i), v.Index(i), seen)
		}
	case reflect.Map:
		s[path+" length"] = fmt.Sprint(v.Len())
		for _, key := range v.MapKeys() {
			s.take(fmt.Sprintf("%s[%v]", path, key), v.MapIndex(key), seen)
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Invalid:
	default:
		s[path] = fmt.Sprint(v)
	}
}

func (s state) takeStruct(path string, v reflect.Value, seen map[uintptr]bool) {
	if pkg := v.Type().PkgPath(); !strings.HasPrefix(pkg, "gatehouse/ui") && !strings.Contains(pkg, "bubbles") || strings.HasSuffix(pkg, "/paint") {
		return
	}
	for i := range v.NumField() {
		s.take(path+"."+v.Type().Field(i).Name, v.Field(i), seen)
	}
}

func stateOf(r *root) state {
	s := state{}
	s.take("root", reflect.ValueOf(r), map[uintptr]bool{})
	return s
}

// sizes that a screen is laid out in, each another one than it was drawn in before.
var sizesInTurn = []tea.WindowSizeMsg{
	{Width: 46, Height: 13}, {Width: 130, Height: 30}, {Width: 100, Height: 30}, {Width: 20, Height: 5},
}

// requirePure wants drawing, listing the actions and saying to change nothing, in whatever size a
// screen is drawn beside that in which it was settled.
func (d *driver) requirePure() {
	d.t.Helper()
	r := d.model.root
	for _, size := range sizesInTurn {
		r.update(size)
		requireUnchanged(d.t, r, func() {
			r.view()
			r.collectActions()
			if shown := (&Spoken{root: r}).Screen(); shown != nil {
				drawnInManySizes(shown)
			}
		})
	}
}

// drawnInManySizes draws the parts of a screen, and reads them aloud.
func drawnInManySizes(s screen.Screen) {
	shown := s.View()
	parts := []screen.Part{shown.Body}
	for _, side := range []screen.Part{shown.Side.Body, shown.Lower.Body} {
		if side != nil {
			parts = append(parts, side)
		}
	}
	for _, part := range parts {
		for _, size := range [][2]int{{30, 7}, {140, 50}} {
			part.Draw(size[0], size[1])
		}
		for range part.Say() {
			continue
		}
	}
}

// requireUnchanged tells what of the UI something changes.
func requireUnchanged(t testing.TB, r *root, do func()) {
	t.Helper()
	before := stateOf(r)
	do()
	after := stateOf(r)
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if before[path] != after[path] {
			t.Errorf("at %dx%d: %s was %.100q and is %.100q", r.width, r.height, path, before[path], after[path])
		}
	}
}
