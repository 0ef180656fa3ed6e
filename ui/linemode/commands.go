package linemode

import (
	"strconv"
	"strings"

	"gatehouse/internal/human"
	"gatehouse/internal/records"
)

// command is something that a person can do with a list.
type command struct {
	verb, argument string
	help           string // what it does, to follow "to"
	run            func(l *list, argument string) error
}

// commands are those of a list.
func commands() []command {
	return []command{
		{"next", "", "hear the next records; an empty line does the same", (*list).more},
		{"previous", "", "hear the ones before", (*list).previous},
		{"open", "NUMBER", "hear all of one record; the number alone does the same", (*list).open},
		{"filter", "WORDS", "keep the records with all these words; filter alone shows all again", (*list).filter},
		{"sort", "COLUMN", "sort by a column, sort COLUMN down for the other direction, sort COLUMN, COLUMN for several; sort alone restores the original order", (*list).sort},
		{"values", "COLUMN", "hear how many of the records have each value of a column, or each range of sizes, numbers or times; values COLUMN by value in their order", (*list).values},
		{"columns", "", "hear the names of the columns", (*list).columns},
		{"export", "FILE", "save the records found to a file ending in .csv, .json or .ndjson", (*list).export},
		{"examples", "", "hear filters that find something here, and what a filter can say", (*list).examples},
		{"reload", "", "load the list again", (*list).reload},
	}
}

// command asks for a command. A prefix of a verb means the first verb that begins with
// it.
func (l *list) command() (run func(string) error, argument string, err error) {
	for {
		answer, err := l.ask(question{text: "Type next, a number to open, filter WORDS, or help", help: l.help()})
		if err != nil {
			return nil, "", err
		}
		if _, err := strconv.Atoi(answer); err == nil {
			return l.open, answer, nil
		}
		if answer == "" {
			return l.more, "", nil
		}
		verb, rest, _ := strings.Cut(answer, " ")
		for _, c := range commands() {
			if strings.HasPrefix(c.verb, strings.ToLower(verb)) {
				return func(argument string) error { return c.run(l, argument) }, strings.TrimSpace(rest), nil
			}
		}
		l.say("%s is not a command here. Type help to hear those that are.", clip(answer, maxListText))
	}
}

func (l *list) help() []string {
	lines := []string{l.summary()}
	for _, c := range commands() {
		lines = append(lines, "Type "+strings.TrimSpace(c.verb+" "+c.argument)+" to "+c.help+".")
	}
	return lines
}

// examples says what filters can look like.
func (l *list) examples(string) error {
	return l.read(func(yield func(string) bool) {
		for _, h := range append(l.table.QueryExamples(l.options.Now()), records.QueryHelp()...) {
			if !yield(sentence(clip("filter "+h.Example+": "+h.Meaning, maxValue))) {
				return
			}
		}
	})
}

// filter keeps the records that match a query.
func (l *list) filter(query string) error {
	l.query = query
	return l.arrange()
}

// columns says the names of the columns.
func (l *list) columns(string) error {
	columns := l.displayColumns()
	l.say("%s, what differs between records first and ids last:", human.Count(len(columns), "column", "columns"))
	return l.read(func(yield func(string) bool) {
		for _, column := range columns {
			text := column.Label
			if !strings.EqualFold(column.Label, column.Name) {
				text += ", in full " + column.Name
			}
			if !yield(sentence(clip(text, maxValue))) {
				return
			}
		}
	})
}

// open says all fields of one record.
func (l *list) open(text string) error {
	if len(l.rows) == 0 {
		l.say("There is nothing to open. Type filter alone to see all %s.", l.names.many)
		return nil
	}
	n, err := strconv.Atoi(strings.TrimSuffix(text, "."))
	if err != nil || n < 1 || n > len(l.rows) {
		l.say("Type open and a number from 1 to %d.", len(l.rows))
		return nil
	}
	l.say("This is %s %d of %d:", l.names.one, n, len(l.rows))
	if l.names.open != nil {
		return l.names.open(l.table.Record(int(l.rows[n-1])))
	}
	return l.read(l.recordFields(int(l.rows[n-1])))
}
