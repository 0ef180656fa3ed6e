package cli

import (
	"fmt"
	"strings"
	"testing"
)

func TestAFurtherPageIsSaid(t *testing.T) {
	for body, says := range map[string]string{
		`{"Data":[{"Id":1},{"Id":2},{"Id":3}],"TotalCount":300}`:                  "gatehouse: the service has more shares than the 3 of 300 that it sent; further pages are not read.\n",
		`{"value":[{"Id":1}],"@odata.nextLink":"https://harbor.example/?page=2"}`: "gatehouse: the service has more shares than the 1 that it sent; further pages are not read.\n",
		`{"Data":[{"Id":1}],"TotalCount":1}`:                                      "",
		`{"Id":1,"Name":"x","ShareRelations":[]}`:                                 "",
	} {
		d := fakeDesk(t, answer(body))
		d.login("ann@x.example")
		for _, format := range []string{"json", "ndjson", "csv", "table"} {
			got := d.run("shares", "-o", format)
			if got.code != exitDone || got.stderr != says || !strings.Contains(got.stdout, fmt.Sprint(1)) {
				t.Errorf("%s of %s: %+v", format, body, got)
			}
		}
	}
}
