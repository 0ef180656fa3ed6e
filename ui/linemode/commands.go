package linemode

import (
	"strconv"
	"strings"

	"gatehouse/internal/records"
	"gatehouse/ui/screen"
)

// command is something that a person can do with a list.
type command struct {
	verb, argument string
	help           string // what it does, to follow "to"
	run            func(l *list, argument string) error
}

var commands = [...]command{
	{"next", "", "hear the next records; an empty line does the same", (*list).more},
	{"previous", "", "hear the ones before", (*list).previous},
	{"open", "NUMBER", "hear all of one record; the number alone does the same", (*list).open},
	{"filter", "WORDS", "keep the records in which all words are found; filter alone shows all again", (*list).filter},
	{"sort", "COLUMN", "sort by a column, sort COLUMN down for the other direction; sort alone puts them back as they came", (*list).sort},
	{"columns", "", "hear the names of the columns", (*list).columns},
	{"export", "FILE", "write what the filter has found to a file ending in .csv, .json or .ndjson", (*list).export},
	{"examples", "", "hear what a filter can say", (*list).examples},
	{"reload", "", "ask the service again", (*list).reload},
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
		for _, c := range commands {
			if strings.HasPrefix(c.verb, strings.ToLower(verb)) {
				return func(argument string) error { return c.run(l, argument) }, strings.TrimSpace(rest), nil
			}
		}
		l.say("%s is not understood here. Type help to hear what is.", clip(answer, maxListText))
	}
}

func (l *list) help() []string {
	lines := []string{l.summary()}
	for _, c := range commands {
		lines = append(lines, "Type "+strings.TrimSpace(c.verb+" "+c.argument)+" to "+c.help+".")
	}
	return lines
}

// examples says what filters can look like.
func (l *list) examples(string) error {
	return l.read(func(yield func(string) bool) {
		for _, h := range records.QueryHelp() {
			if !yield(sentence("filter " + h.Example + ": " + h.Meaning)) {
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

// sort sorts the records by a column.
func (l *list) sort(text string) error {
	sorting := order{column: text}
	found := l.table.ColumnsNamed(text)
	if name, down := cutLastWord(text, "down"); down && len(found) == 0 {
		sorting = order{column: name, descending: true}
		found = l.table.ColumnsNamed(name)
	}
	switch {
	case text != "" && len(found) == 0:
		l.say("There is no column %s. Type columns to hear those that there are.", clip(text, maxListText))
		return nil
	case len(found) > 1 && !l.sameName(found):
		l.say("%s can be one of these columns. Type more of its name.", clip(text, maxListText))
		for _, col := range found {
			l.say("%s", sentence(clip(l.table.Columns()[col].Name, maxListText)))
		}
		return nil
	case len(found) > 0:
		sorting.column = l.table.Columns()[found[0]].Name
	}
	l.order = sorting
	return l.arrange()
}

// sameName reports whether all of these columns have the same name.
func (l *list) sameName(columns []int) bool {
	all := l.table.Columns()
	for _, col := range columns {
		if all[col].Name != all[columns[0]].Name {
			return false
		}
	}
	return true
}

// cutLastWord removes a word from the end of a text.
func cutLastWord(text, word string) (rest string, found bool) {
	at := strings.LastIndexByte(text, ' ')
	if at < 0 || !strings.EqualFold(text[at+1:], word) {
		return text, false
	}
	return strings.TrimSpace(text[:at]), true
}

// columns says the names of the columns.
func (l *list) columns(string) error {
	all, order := l.table.Columns(), l.table.DisplayOrder()
	l.say("%s, names first and ids last:", screen.Count(len(all), "column", "columns"))
	return l.read(func(yield func(string) bool) {
		for _, col := range order {
			if !yield(sentence(clip(all[col].Name, maxValue))) {
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
	return l.read(fields(l.table.Record(int(l.rows[n-1]))))
}
