package ui

import (
	"strings"
	"testing"

	"gatehouse/ui/uitest"
)

func TestValuesThatLookAlikeAreToldApart(t *testing.T) {
	body := `[{"Name":"a","Size":3538,"Created":"2024-05-01T03:40:56Z","Tags":["x","y"],"Owner":"ann","Code":1},
		{"Name":"b","Size":3512,"Created":"2024-05-01T03:40:57Z","Tags":["x","z"],"Owner":"ben","Code":"1"},
		{"Name":"c","Size":null,"Created":"2024-05-02T03:40:57Z","Tags":[],"Owner":"ben","Code":2}]`
	for _, test := range []struct {
		column string
		values []string
	}{
		{"Owner", []string{"›ben   ", " ann   "}},
		{"Size", []string{"3.5 kB  3538 ", "3.5 kB  3512 ", "null"}},
		{"Created", []string{"03:40  2024-05-01T03:40:56Z", "03:40  2024-05-01T03:40:57Z"}},
		{"Tags", []string{`2  ["x","y"]`, `2  ["x","z"]`}},
		{"Code", []string{"›1  1 ", ` 1  "1" `}},
	} {
		t.Run(test.column, uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			d := openLibrary(t, s, []byte(body), 120, 24)
			for range 8 {
				if f := d.Frame(); !strings.Contains(f, "["+test.column) && !strings.Contains(f, test.column+"]") {
					d.Press("right")
				}
			}
			d.Press("b")
			d.Expect(test.values...)
		}))
	}
}
