package lists_test

import (
	"testing"

	"gatehouse/internal/lists"
)

func TestEachAlternativeOfAFilterIsNarrowed(t *testing.T) {
	for _, test := range []struct{ name, query, terms, want string }{
		{"nothing", "", "Disk>=1GB Disk<2GB", "Disk>=1GB Disk<2GB"},
		{"other columns and words", "report Owner:ann", "Disk>=2GB Disk<3GB", "report Owner:ann Disk>=2GB Disk<3GB"},
		{"a value that was left out", "!Owner=ben", "Owner=ann", "!Owner=ben Owner=ann"},
		{"two alternatives", "ann | Disk>=1GB", "Disk>=2GB Disk<3GB", "ann Disk>=2GB Disk<3GB | Disk>=1GB Disk>=2GB Disk<3GB"},
		{"an alternative that is still empty", "ann | ", "Owner=ann", "ann Owner=ann"},
		{"a quote that is open", `"an`, "Disk>=1GB", `"an" Disk>=1GB`},
		{"a term that is not finished", "Owner:", "Disk>=1GB", "Owner: Disk>=1GB"},
	} {
		if got := lists.Narrow(test.query, test.terms); got != test.want {
			t.Errorf("%s: %q narrowed by %q is %q, want %q", test.name, test.query, test.terms, got, test.want)
		}
	}
}
