package browse

import "testing"

func TestASumOfSizesIsRoundedAsASizeIs(t *testing.T) {
	for total, want := range map[string]string{
		"1500":                      "1.5 kB",
		"1500.5":                    "1.5 kB",
		"12345678901234567.5":       "12.3 PB",
		"292392550999868570123":     "292.4 EB",
		"1234567890123456789012345": "1,234,567.9 EB",
	} {
		if got := totalSize(total); got != want {
			t.Errorf("totalSize(%s) = %q, want %q", total, got, want)
		}
	}
}
