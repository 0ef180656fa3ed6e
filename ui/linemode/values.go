package linemode

import (
	"context"
	"strings"

	"gatehouse/internal/human"
	"gatehouse/internal/records"
)

// mostValues is how many values of a column are said.
const mostValues = 50

// values says how many of the records that were found have each value of a column, or
// each range of sizes, numbers or times.
func (l *list) values(text string) error {
	name, byValue := strings.CutSuffix(strings.TrimSpace(text), " by value")
	index, err := l.table.ColumnNamed(name)
	if name == "" {
		l.say("Type values and the name of a column. Type columns to hear their names.")
		return nil
	}
	if err != nil {
		l.explainColumn(name, err)
		return nil
	}
	column := l.column(index)
	var found records.Distribution
	err = l.await(func() string { return "Still counting." }, func(ctx context.Context) (err error) {
		found, err = l.table.Distribution(ctx, l.rows, column, l.format(), mostValues)
		return err
	})
	if err != nil {
		return errQuit // the context has ended: nothing else can fail
	}
	l.say("%s", l.valuesSummary(column, &found))
	return l.read(func(yield func(string) bool) {
		buckets := found.Buckets
		if byValue {
			buckets = found.ByValue()
		}
		for i, bucket := range buckets {
			text := clip(bucket.Label, maxListText) + ": " + l.count(bucket.Rows)
			if i == 0 {
				text += "; filter " + clip(bucket.Term, maxListText) + " keeps them"
			}
			if !yield(sentence(text)) {
				return
			}
		}
	})
}

func (l *list) column(index int) records.ColumnInfo {
	for _, column := range l.table.DisplayColumns() {
		if column.Index == index {
			return column
		}
	}
	return records.ColumnInfo{Index: index}
}

func (l *list) count(rows int) string { return human.Count(rows, l.names.one, l.names.many) }

// valuesSummary says what there is beside the values.
func (l *list) valuesSummary(column records.ColumnInfo, d *records.Distribution) string {
	var parts []string
	add := func(rows int, what string) {
		if rows > 0 {
			parts = append(parts, l.count(rows)+" "+what)
		}
	}
	if d.OtherValues > 0 {
		add(d.OtherRows, "have "+human.Count(d.OtherValues, "other value", "other values"))
	} else {
		add(d.OtherRows, "have something else")
	}
	add(d.Nulls, "have nothing there")
	add(d.Missing, "lack it")
	text := clip(column.Label, maxListText) + " in " + l.count(len(l.rows))
	if len(parts) > 0 {
		text += "; " + strings.Join(parts, ", ")
	}
	return text + ":"
}
