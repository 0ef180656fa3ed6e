package linemode

import (
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/ui/screen"
)

// page says a page of rows, and remembers that it begins with the row from.
func (c *conversation) page(listed screen.Rows, of *said, from int) {
	of.from, of.paged = from, true
	end := min(from+pageSize, listed.Len())
	if listed.Len() > pageSize {
		c.say("Numbers %s to %s of %s:", human.Number(from+1), human.Number(end), human.Number(listed.Len()))
	}
	for at := from; at < end; at++ {
		c.sayRow(listed, at)
	}
}

// sayRow says a row with its number.
func (c *conversation) sayRow(listed screen.Rows, at int) {
	c.say("%s", strconv.Itoa(at+1)+". "+listed.SayRow(at))
}

// errStay means that the next question is asked without saying the screen again.
var errStay = errors.New("the screen stays as it is")

// next says the next page of rows.
func (c *conversation) next(string) error {
	listed, of := c.rows(), c.of(c.shown)
	if of.from+pageSize >= listed.Len() {
		c.say("There are no more.")
	} else {
		c.page(listed, of, of.from+pageSize)
	}
	return errStay
}

// previous says the previous page of rows.
func (c *conversation) previous(string) error {
	of := c.of(c.shown)
	if of.from == 0 {
		c.say("These are the first ones.")
	} else {
		c.page(c.rows(), of, max(of.from-pageSize, 0))
	}
	return errStay
}

// open opens the row with a number.
func (c *conversation) open(number string) error {
	n, _ := strconv.Atoi(number)
	return c.openRow(c.rows(), n)
}

// about says the summary of the row with a number.
func (c *conversation) about(number string) error {
	listed := c.rows()
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > listed.Len() {
		c.say("Type \"about\" and a number from 1 to %d.", listed.Len())
		return errStay
	}
	c.ui.Do(func() tea.Cmd {
		listed.Choose(n - 1)
		return nil
	})
	if err := c.settle(); err != nil { // wait until the summary is read
		return err
	}
	return stay(c.read(screen.SaidBeside(c.shown)))
}

// openRow opens the row with a number, from 1, or says why not.
func (c *conversation) openRow(listed screen.Rows, number int) error {
	switch {
	case listed.Len() == 0:
		again := `"back"`
		if c.ui.HasFilter() {
			again = `"filter" alone to see all`
		} else if refresh, ok := c.choiceOf(refreshes...); ok {
			again = `"` + refresh.Word + `" to try again, or "back"`
		}
		c.say("There is nothing to open. Type %s.", again)
	case number < 1 || number > listed.Len():
		c.say("Type \"open\" and a number from 1 to %d.", listed.Len())
	default:
		listed.Choose(number - 1)
		if !c.ui.Open() {
			c.say("It cannot be opened.")
		}
		return nil
	}
	return errStay
}

// filter filters the list; no words show all rows again.
func (c *conversation) filter(words string) error {
	c.ui.Filter(words)
	return nil
}

// sort sorts the list by columns; none restore the original order.
func (c *conversation) sort(columns string) error {
	return c.byColumn(columns, c.shown.View().Table.SortBy)
}

// values opens the counts of the values of a column.
func (c *conversation) values(column string) error {
	if column == "" {
		c.say(`Type "values" and the name of a column. Type "columns" to hear the names.`)
		return errStay
	}
	return c.byColumn(column, c.shown.View().Table.ValuesOf)
}

// byColumn calls do with the names of columns that were typed. If there is no such column, it
// says which columns may be meant.
func (c *conversation) byColumn(text string, do func(string) (tea.Cmd, error)) error {
	cmd, err := do(text)
	if err == nil {
		c.ui.Do(func() tea.Cmd { return cmd })
		return nil
	}
	unclear, ok := errors.AsType[*lists.ColumnError](err)
	switch {
	case !ok:
		return err
	case len(unclear.Like) > 0:
		c.say("There is no column called \"%s\". Did you mean %s? Type \"columns\" to hear the names.",
			screen.SayLine(unclear.Name), screen.SayLine(strings.Join(unclear.Like, " or ")))
		return errStay
	case len(unclear.Meant) == 0:
		c.say("There is no column called \"%s\". Type \"columns\" to hear the names.",
			screen.SayLine(unclear.Name))
		return errStay
	}
	c.say("%s could be any of these columns. Type more of the name.", screen.SayLine(unclear.Name))
	for text := range screen.Texts(unclear.Meant...) {
		c.say("%s", text)
	}
	return errStay
}

// columns says the names of the columns.
func (c *conversation) columns(string) error {
	return stay(c.read(c.shown.View().Table.Columns()))
}

// examples says filters that find something in the list.
func (c *conversation) examples(string) error {
	return stay(c.read(c.shown.View().Table.Examples()))
}

// stay is [errStay] after something was read aloud without an error, and otherwise that error.
func stay(err error) error {
	if err == nil {
		return errStay
	}
	return err
}

// exports are the actions that export a list with columns, and refreshes those that load a list
// again: each kind of list has its own.
var (
	exports   = []screen.ActionID{screen.BrowseExport, screen.ActivityExport}
	refreshes = []screen.ActionID{screen.BrowseReload, screen.DomainsAsk}
)

// export opens the form of an export. With the name of a file it sends the form as well.
func (c *conversation) export(file string) error {
	choice, ok := c.choiceOf(exports...)
	if !ok {
		c.say("There is nothing here to export.")
		return errStay
	}
	c.ui.Do(choice.Run)
	asking := c.ui.Asking()
	if file == "" || asking == nil {
		return nil
	}
	asking.Clear()
	c.ui.Update(tea.PasteMsg{Content: file})
	c.submit()
	return nil
}
