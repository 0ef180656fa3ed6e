package explain

import (
	"strings"
	"testing"
)

func TestFieldsAreExplainedByTheirPaths(t *testing.T) {
	for _, tt := range []struct {
		kind       Kind
		path, line string
		documented bool
	}{
		{Share, "ShareDefault.Owner", "Who owns the share.", true},
		{Share, "ShareAssociationType", "What you may do with the share. Values seen: 0 read, 1 write, 2 owner.", true},
		{Share, "VirtualFieldId", "", false},
		{Share, "Data[3].Weight", "", false},
		{Login, "UserDomains[1]", "The user's domains, whose fields are not documented.", true},
		{Login, "UserDomains[1].Name", "", false},
		{Claims, "exp", "When the access token expires, in seconds since 1970.", true},
		{None, "anything", "", true},
	} {
		if line, documented := Field(tt.kind, tt.path); line != tt.line || documented != tt.documented {
			t.Errorf("%d %s: %q, %t; want %q, %t", tt.kind, tt.path, line, documented, tt.line, tt.documented)
		}
	}
}

// TestEveryLineIsASentence also holds the lines to a length that a pane shows in a few lines.
func TestEveryLineIsASentence(t *testing.T) {
	const longest = 130
	for kind, lines := range table {
		for path := range lines {
			line, documented := Field(kind, path)
			if !documented || !strings.HasSuffix(line, ".") || len(line) > longest || strings.ToUpper(line[:1]) != line[:1] {
				t.Errorf("%d %s: %q", kind, path, line)
			}
		}
	}
}
