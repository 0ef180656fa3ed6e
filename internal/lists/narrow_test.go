package lists_test

import (
	"testing"
)

func TestEachAlternativeOfAFilterIsNarrowed(t *testing.T) {
	table := parse(t, sharesOfMany(30))
	for _, test := range []struct{ name, query, terms, want string }{
		{"nothing", "", "Disk>=1GB Disk<2GB", "Disk>=1GB Disk<2GB"},
		{"other columns and words", "report Owner:ann", "Disk>=2GB Disk<3GB", "report Owner:ann Disk>=2GB Disk<3GB"},
		{"a value that was left out", "!Owner=ben", "Owner=ann", "!Owner=ben Owner=ann"},
		{"two alternatives", "ann | Disk>=1GB", "Disk>=2GB Disk<3GB", "ann Disk>=2GB Disk<3GB | Disk>=1GB Disk>=2GB Disk<3GB"},
		{"an alternative that is still empty", "ann | ", "Owner=ann", "ann Owner=ann"},
		{"a quote that is open", `"an`, "Disk>=1GB", `"an" Disk>=1GB`},
		{"a term that is not finished", "Owner:", "Disk>=1GB", "Owner: Disk>=1GB"},
	} {
		if got := table.Narrow(test.query, test.terms); got != test.want {
			t.Errorf("%s: %q narrowed by %q is %q, want %q", test.name, test.query, test.terms, got, test.want)
		}
	}
}
