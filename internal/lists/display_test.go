package lists_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
)

// sharesOfMany are shares with members of all roles, of which some are the same everywhere.
func sharesOfMany(rows int) string {
	var body strings.Builder
	for i := range rows {
		fmt.Fprintf(&body, `{"Id":"%08x-0000-4000-8000-000000000000","CompanyId":%d,"Region":"north","Name":"Share %d","ShareType":%d,"ShareIds":["a"],`+
			`"Enabled":%t,"Deleted":{"DeleteTime":"0001-01-01T00:00:00Z"},"ShareDefault":{"Owner":"ann%d@harbor.example","ShareCategory":%d},`+
			`"ShareTick":%d,"SpaceUsage":{"DiskUsage":%d,"HistoryUsage":%d},"Page":"https://harbor.example/%d","ParentShareId":null,"Note":null`,
			i, i%4, i, i%2, i%3 == 0, i, i%3, 635584236915068204+i, i*7919, i, i)
		if i%10 == 0 {
			fmt.Fprintf(&body, `,"GlobalStamp":%d`, i)
		}
		body.WriteString("}\n")
	}
	return body.String()
}

func labels(table *lists.Table) []string {
	var labels []string
	for _, column := range table.DisplayColumns() {
		labels = append(labels, column.Label)
	}
	return labels
}

func TestColumnsAreDisplayedByWhatDiffersAndPeopleLookFor(t *testing.T) {
	want := []string{
		"Name", "Owner", "Changed", "Disk", "Enabled", "History", "Type", "Category", "Page",
		"Global stamp", "Id", "Company", "Region", "Share ids", "Delete time", "Parent share", "Note",
	}
	if diff := cmp.Diff(want, labels(parse(t, sharesOfMany(100)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOneRecordSaysNothingOfWhatDiffers(t *testing.T) {
	want := []string{"Name", "Size", "B", "Id"}
	if diff := cmp.Diff(want, labels(parse(t, `{"Id":1,"b":"x","Name":"n","size":4}`))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAColumnHasARole(t *testing.T) {
	for name, want := range map[string]lists.Role{
		"Name": lists.RoleName, "name": lists.RoleName, "Title": lists.RoleName, "DisplayName": lists.RoleName,
		"Contact.Name": lists.RoleText, "": lists.RoleText, "value": lists.RoleText, "Paid": lists.RoleText,
		"Grid": lists.RoleText, "Identity": lists.RoleText, "Owner": lists.RolePerson, "CreatedBy": lists.RolePerson,
		"Id": lists.RoleID, "id": lists.RoleID, "Owner.id": lists.RoleID, "CompanyId": lists.RoleID,
		"ShareIds": lists.RoleID, "userID": lists.RoleID, "company_id": lists.RoleID, "State": lists.RoleState,
	} {
		body := `"` + strings.ReplaceAll(name, ".", `":{"`) + `":"some text"` + strings.Repeat("}", strings.Count(name, "."))
		if got := parse(t, `[{`+body+`}]`).DisplayColumns()[0].Role; got != want {
			t.Errorf("%q: role %d, want %d", name, got, want)
		}
	}
	for raw, want := range map[string]lists.Role{
		`{"n":1}`: lists.RoleNumber, `{"size":1}`: lists.RoleSize, `{"at":"2020-01-01"}`: lists.RoleTime, `{"on":true}`: lists.RoleState,
		`{"of":"a@b.example"}`: lists.RolePerson, `{"at":"http://b.example/x"}`: lists.RoleLink, `[{"l":[1]}]`: lists.RoleList,
		`{"x":"0b0b2a5c-8d7e-4f6a-8a1d-5b20c9e6f314"}`: lists.RoleID, `{"type":3}`: lists.RoleState,
	} {
		if got := parse(t, raw).DisplayColumns()[0].Role; got != want {
			t.Errorf("%s: role %d, want %d", raw, got, want)
		}
	}
}

func TestTheLabelOfAColumnIsTheShortestInWordsThatIsItsOwn(t *testing.T) {
	for body, want := range map[string][]string{
		`{"Name":1,"Contact":{"Name":2,"ContactName":3}}`:                          {"Name", "Contact.Name", "Contact name"},
		`{"SpaceUsage":{"DiskUsage":1,"Usage":2},"Quota":{"disk":3}}`:              {"Disk usage", "Usage", "Disk"},
		`{"ShareDefault":{"ShareCategory":1,"Owner":2},"TimeStamps":{"Create":3}}`: {"Category", "Owner", "Create"},
		`{"a.b":1,"a":{"b":2}}`:                                                            {"a.b", "a.b"},
		`{"a":{"x":{"n":1}},"b":{"x":{"n":2}},"c":{"m":3}}`:                                {"A x n", "B x n", "M"},
		`{"user_quota":{"disk_quota":1},"":{"":2}}`:                                        {"Disk quota", ""},
		`{"ShareTick":1,"ShareType":2,"ShareId":3,"Times":{"CreateTime":4,"CreatedBy":5}}`: {"Changed", "Type", "Share", "Created", "Created by"},
		`{"CompanyId":1,"VATNumber":2,"Line1":3,"Owner":{"Id":4}}`:                         {"Company", "VAT number", "Line1", "Id"},
	} {
		table := parse(t, body)
		got := make([]string, len(want))
		for _, column := range table.DisplayColumns() {
			got[column.Index] = column.Label
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func TestValuesAsPeopleReadThem(t *testing.T) {
	format := lists.Format{Zone: time.FixedZone("", 60*60), Now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)}
	for _, test := range []struct {
		body string
		want lists.Value
	}{
		{`{"size":142838469126874026}`, lists.Value{Text: "142.8", Unit: "PB"}},
		{`{"size":123456789012345678901234}`, lists.Value{Text: "123,456.8", Unit: "EB"}},
		{`{"size":479}`, lists.Value{Text: "479", Unit: "B", Exact: true}},
		{`{"at":"2019-12-19T16:25:59Z"}`, lists.Value{Text: "2019-12-19 17:25", Day: "2019-12-19", Age: "6 y ago"}},
		{`{"at":"0001-01-01T00:00:00Z"}`, lists.Value{Text: "never", Unset: true}},
		{`[{"tick":0},{"tick":635584236915068204}]`, lists.Value{Text: "never", Unset: true}},
		{`{"n":1234567}`, lists.Value{Text: "1,234,567", Exact: true}},
		{`{"n":2019}`, lists.Value{Text: "2019", Exact: true}},
		{`{"n":906611299459930756089}`, lists.Value{Text: "906611299459930756089", Exact: true}},
		{`{"n":-1234567.5}`, lists.Value{Text: "-1234567.5", Exact: true}},
		{`{"CompanyId":1234567}`, lists.Value{Text: "1234567", Exact: true}},
		{`{"b":true}`, lists.Value{Text: "yes", Exact: true}},
		{`[{"l":[1,2]}]`, lists.Value{Text: "2"}},
		{`{"s":"text"}`, lists.Value{Text: "text", Exact: true}},
		{`{"s":null}`, lists.Value{Text: "null", Exact: true}},
		{`[{"s":2},{"s":"mixed","size":"none"}]`, lists.Value{Text: "2", Exact: true}},
	} {
		table := parse(t, test.body)
		got := format.Value(table.DisplayColumns()[0], table.Cell(0, 0))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.body, diff)
		}
	}
	if got := (lists.Value{Text: "1.5", Unit: "kB"}).String(); got != "1.5 kB" {
		t.Errorf("the value is %q", got)
	}
}

func BenchmarkDisplayColumns(b *testing.B) {
	benchmarkFresh(b, func(b *testing.B, table *lists.Table) { table.DisplayColumns() })
}
