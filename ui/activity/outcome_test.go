package activity

import (
	"errors"
	"slices"
	"testing"

	"gatehouse/api"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/traffic"
)

func TestAnOutcomeIsMarkedInTheListAsInTheEntry(t *testing.T) {
	torn := errors.New("the connection was closed")
	answer := func(status int, err error) traffic.Entry {
		return traffic.Entry{Exchange: &api.Exchange{Status: status, Err: err}}
	}
	for _, tt := range []struct {
		entry traffic.Entry
		want  outcome
		text  string
		tone  grid.Tone
	}{
		{answer(200, nil), outcome{answered, 200}, "200", grid.Good},
		{answer(304, nil), outcome{answered, 304}, "304", grid.Plain},
		{answer(404, nil), outcome{answered, 404}, "404", grid.Warn},
		{answer(503, nil), outcome{answered, 503}, "503", grid.Bad},
		{answer(200, torn), outcome{cutOff, 200}, "200 cut off", grid.Bad},
		{answer(0, torn), outcome{failed, 0}, "failed", grid.Bad},
		{traffic.Entry{Text: "renewed"}, outcome{noted, 0}, "note", grid.Muted},
		{traffic.Entry{Text: "delayed", Bad: true}, outcome{trouble, 0}, "trouble", grid.Warn},
	} {
		t.Run(tt.text, func(t *testing.T) {
			glyphs := styles.New(styles.Options{}).Glyphs
			got := outcomeOf(tt.entry)
			sign, tone := got.mark(glyphs)
			if got != tt.want || got.text() != tt.text || tone != tt.tone {
				t.Errorf("%+v, %q in tone %d; want %+v in tone %d", got, got.text(), tone, tt.want, tt.tone)
			}
			table := tableOf([]traffic.Entry{tt.entry})
			cell := table.Cell(0, slices.Index(table.Columns(), "status"))
			inList, toneInList := outcomeIn(cell).mark(glyphs)
			if inList != sign || toneInList != tone || cell.Text() != tt.text {
				t.Errorf("in the list %q is %s in tone %d; want %s in tone %d",
					cell.Text(), inList, toneInList, sign, tone)
			}
		})
	}
}
