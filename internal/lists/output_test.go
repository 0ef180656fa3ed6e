package lists

import (
	"bytes"
	"strings"
	"testing"
)

// A format is one entry of outputs. This test says which part of a new one is missing.
func TestEachFormatHasAllItsParts(t *testing.T) {
	known := map[string]bool{}
	for _, o := range outputs {
		if o.Name == "" || known[o.Name] {
			t.Errorf("format %q has no name to itself", o.Name)
		}
		known[o.Name] = true
		if o.About == "" || strings.HasSuffix(o.About, ".") {
			t.Errorf("format %s does not say in a few words what it is for (About): %q", o.Name, o.About)
		}
		if o.Of == 0 {
			t.Errorf("format %s is for no results (Of)", o.Name)
		}
		if !o.Sent && !o.Shown {
			t.Errorf("format %s has cells neither as they were sent nor as a screen shows them", o.Name)
		}
		if o.Drawn != (o.open == nil) {
			t.Errorf("format %s has no writer (open), or one though the caller draws it (Drawn)", o.Name)
			continue
		}
		if o.File && o.Stream {
			t.Errorf("format %s never goes to a terminal (File) and comes as it is known (Stream)", o.Name)
		}
		if !o.Drawn {
			requireWrites(t, o)
		}
	}
}

// requireWrites writes a row in a format.
func requireWrites(t *testing.T, o *Output) {
	t.Helper()
	table, err := Parse([]byte(`[{"Name":"Board"}]`))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := table.Write(t.Context(), &out, o, View{}); err != nil {
		t.Errorf("format %s: %v", o.Name, err)
	}
	if out.Len() == 0 || !o.File && !strings.Contains(out.String(), "Board") {
		t.Errorf("format %s writes %q", o.Name, out.String())
	}
}
