package lists_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/lists"
)

func TestTheExamplesAreOfTheTableAndFindSomething(t *testing.T) {
	body := `[{"Id":1,"Name":"Board minutes","ShareDefault":{"Owner":"mei.tanaka@harbor.example"},"SpaceUsage":{"DiskUsage":142838469126874026,"HistoryUsage":4},"ShareTick":637123456789012345,"Enabled":true},
		{"Id":2,"Name":"Plans 7","ShareDefault":{"Owner":"ann.lee@harbor.example"},"SpaceUsage":{"DiskUsage":1234567,"HistoryUsage":0},"ShareTick":0,"Enabled":false},
		{"Id":3,"Name":"東京","ShareDefault":{"Owner":"bo@harbor.example"},"SpaceUsage":{"DiskUsage":23456789,"HistoryUsage":77},"ShareTick":635584236915068204,"Enabled":false}]`
	want := []lists.Example{
		{Help: lists.Help{Example: "board", Meaning: "board is anywhere in the record"}},
		{Help: lists.Help{Example: "owner:mei", Meaning: "Owner has mei in it"}, OfColumn: true},
		{Help: lists.Help{Example: "disk>=100PB", Meaning: "Disk is 100PB or more"}, OfColumn: true},
		{Help: lists.Help{Example: "changed>=2019", Meaning: "Changed is in 2019 or later"}, OfColumn: true},
		{Help: lists.Help{Example: "enabled=true", Meaning: "Enabled is true"}, OfColumn: true},
	}
	if diff := cmp.Diff(want, parse(t, body).QueryExamples()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEachExampleFindsSomething(t *testing.T) {
	for name, body := range map[string]string{
		"shares": string(shareBody(500)), "of many": sharesOfMany(100), "files": files, "people": people, "odd": `[{"a b":"x y","|":1,"~":"~"},{"a b":"!","|":2,"~":"z"}]`,
	} {
		table := parse(t, body)
		examples := table.QueryExamples()
		if len(examples) == 0 || len(examples) > 6 {
			t.Errorf("%s has %d examples", name, len(examples))
		}
		for _, example := range examples {
			search := table.Search(table.Query(example.Example, noon), nil)
			if _, err := search.Next(t.Context()); err != nil || len(search.Rows()) == 0 {
				t.Errorf("%s: %s finds nothing, %v", name, example.Example, err)
			}
			if notes := table.Query(example.Example, noon).Notices(); notes != nil {
				t.Errorf("%s: %s: %q", name, example.Example, notes)
			}
		}
	}
	for _, body := range []string{"[]", "[{}]", "[null]"} {
		if examples := parse(t, body).QueryExamples(); len(examples) != 0 {
			t.Errorf("%s has examples: %v", body, examples)
		}
	}
}
