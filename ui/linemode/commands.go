package linemode

import (
	"slices"
	"strconv"
	"strings"

	"gatehouse/internal/lists"
	"gatehouse/internal/prompt"
	"gatehouse/internal/text/human"
	"gatehouse/ui"
	"gatehouse/ui/screen"
)

// pageSize is how many rows are said at a time.
const pageSize = 10

// rows are the rows of the screen, nil if it is not a list.
func (c *conversation) rows() screen.Rows {
	if c.shown == nil {
		return nil
	}
	return c.shown.View().Rows
}

// command is something that a person can do with a list.
type command struct {
	verb     string
	argument string // what can follow the verb, in words; "" for nothing
	help     string // what it does, to follow "to"
	run      func(c *conversation, argument string) error
	// pages means that the command only says other rows of the list. All other commands are
	// understood on a screen that a row has opened as well.
	pages    bool
	ofTable  bool // only for a list with columns
	ofMarks  bool // only for a list whose rows can be marked
	ofFilter bool // only for a list that can be filtered
}

// commands are the commands of lists, beside the choices of their screens.
func commands() []command {
	return []command{
		{verb: "next", help: "hear the next rows; an empty line does the same", run: (*conversation).next, pages: true},
		{verb: "previous", help: "hear the previous rows", run: (*conversation).previous, pages: true},
		{
			verb: "open", argument: "a number", run: (*conversation).open,
			help: "open a row and hear all of it; the number alone does the same",
		},
		{
			verb: "about", argument: "a number", run: (*conversation).about,
			help: "hear a summary of a row without opening it",
		},
		{
			verb: "filter", argument: "words", run: (*conversation).filter, ofFilter: true,
			help: "keep only rows with all these words; \"filter\" alone shows all rows again",
		},
		{
			verb: "sort", argument: "a column", run: (*conversation).sort, ofTable: true,
			help: `sort by it. Add "down" to reverse the order. ` +
				`Give several columns with commas between them. "sort" alone restores the original order`,
		},
		{
			verb: "values", argument: "a column", run: (*conversation).values, ofTable: true,
			help: "hear how many rows have each value of a column, or each range of sizes, numbers or times",
		},
		{
			verb: "columns", run: (*conversation).columns, ofTable: true,
			help: "hear the names of the columns",
		},
		{
			verb: "mark", argument: `numbers, such as 3, 5-8 or "all"`, run: (*conversation).mark, ofMarks: true,
			help: "mark rows, which are then exported, copied or compared",
		},
		{
			verb: "unmark", argument: "numbers", run: (*conversation).unmark, ofMarks: true,
			help: `take the marks of rows away; "unmark" alone takes all away`,
		},
		{verb: "marks", help: "hear the marked rows", run: (*conversation).marks, ofMarks: true},
		{
			verb: "export", argument: "the name of a file", run: (*conversation).export, ofTable: true,
			help: "save the listed rows there, or the marked ones; the name ends in " + human.Either(extensions()),
		},
		{
			verb: "examples", run: (*conversation).examples, ofTable: true,
			help: "hear filters that match something here, and how to write filters",
		},
	}
}

// extensions are the extensions of the files that rows can be exported to.
func extensions() []string {
	var ends []string
	for _, format := range lists.Exports() {
		ends = append(ends, format.Extension())
	}
	return ends
}

// command asks what to do on the screen, and does it. The error is [errStay] if the screen is as
// it was.
func (c *conversation) command() error {
	listed := c.rows()
	isList := listed != nil
	q := question{text: `Type a number, "back" or "help"`, help: c.help()}
	switch {
	case isList && c.ui.HasFilter():
		q.text = `Type a number to open it, "next", "filter" and words, or "help"`
	case isList && listed.Len() == 0:
		q.text = `Type "back" or "help"`
		if refresh, ok := c.choiceOf(refreshes...); ok {
			q.text = `Type "` + refresh.Word + `", "back" or "help"`
		}
	case isList:
		q.text = `Type a number to open it, "next", "back" or "help"`
	}
	answer, err := c.ask(q)
	switch number, unreadable := strconv.Atoi(strings.TrimSuffix(answer, ".")); {
	case err != nil:
		return err
	case isList && answer == "":
		return c.next("")
	case isList && unreadable == nil:
		return c.openRow(listed, number)
	}
	choice, exact, ok := c.choice(answer, isList)
	if !exact {
		if isCommand, err := c.runListCommand(answer); isCommand {
			return err
		}
	}
	if ok {
		c.ui.Do(choice.Run)
		return nil
	}
	if c.check(answer) {
		return nil
	}
	if c.returnToList(answer) {
		if isCommand, err := c.runListCommand(answer); isCommand {
			return err
		}
	}
	if isList || answer != "" {
		c.say("\"%s\" is not a command here. Type \"help\" to hear the commands.", screen.SayLine(answer))
	} else {
		c.say("Type a number from 1 to %d, or \"help\" to hear what they stand for.", len(c.choices()))
	}
	return errStay
}

// runListCommand runs the command of a list that an answer asks for: by its verb or the beginning
// of the verb, with an argument after it. isCommand is false if the list has no such command.
func (c *conversation) runListCommand(answer string) (isCommand bool, err error) {
	verb, rest, _ := strings.Cut(answer, " ")
	all := c.commands()
	at := slices.IndexFunc(all, func(k command) bool { return strings.EqualFold(k.verb, verb) })
	if at < 0 && verb != "" {
		at = slices.IndexFunc(all, func(k command) bool {
			return strings.HasPrefix(k.verb, strings.ToLower(verb))
		})
	}
	if at < 0 {
		return false, nil
	}
	return true, all[at].run(c, strings.TrimSpace(rest))
}

// returnToList goes back from a screen that a row has opened to the list, if an answer asks for a
// command of lists. It reports whether a list is shown then.
func (c *conversation) returnToList(answer string) bool {
	verb, _, _ := strings.Cut(strings.ToLower(answer), " ")
	isFor := func(k command) bool { return k.verb == verb && !k.pages }
	if !slices.ContainsFunc(commands(), isFor) || !c.ui.Back() {
		return false
	}
	c.arrive()
	return c.rows() != nil
}

// commands are the commands of lists that the screen understands; none if it is not a list.
func (c *conversation) commands() []command {
	shown := c.shown.View()
	isList, isTable, hasMarks := c.rows() != nil, shown.Table != nil, shown.Marks != nil
	if !isList {
		return nil
	}
	return slices.DeleteFunc(commands(), func(k command) bool {
		lacksTable := k.ofTable && !isTable
		lacksMarks := k.ofMarks && !hasMarks
		lacksFilter := k.ofFilter && !c.ui.HasFilter()
		return lacksTable || lacksMarks || lacksFilter
	})
}

// choice finds the choice of the screen that an answer means: by its number, unless numbers are
// rows of a list; by its word, for which exact is true; or by a part of the word that no other
// choice has. ok is false if there is none.
func (c *conversation) choice(answer string, isList bool) (choice ui.Choice, exact, ok bool) {
	if at, err := strconv.Atoi(strings.TrimSuffix(answer, ".")); err == nil {
		if choices := c.choices(); !isList && at > 0 && at <= len(choices) {
			return choices[at-1], true, true
		}
		return ui.Choice{}, false, false
	}
	all := c.ui.Choices()
	words := make([]string, len(all))
	for i, choice := range all {
		words[i] = choice.Word
		if strings.EqualFold(choice.Word, answer) || strings.EqualFold(choice.Short, answer) {
			return choice, true, true
		}
	}
	at, ok := prompt.Choose(answer, words)
	if !ok {
		return ui.Choice{}, false, false
	}
	return all[at], false, true
}

// choiceOf finds the choice of the screen that does one of the actions; ok is false if there is
// none.
func (c *conversation) choiceOf(actions ...screen.ActionID) (choice ui.Choice, ok bool) {
	for _, choice := range c.ui.Choices() {
		if slices.Contains(actions, choice.ID) {
			return choice, true
		}
	}
	return ui.Choice{}, false
}

// choiceInForm finds the choice whose word was typed instead of an answer to a field; ok is false
// if there is none.
func (c *conversation) choiceInForm(answer string) (choice ui.Choice, ok bool) {
	for _, choice := range c.ui.Choices() {
		if choice.Typed && strings.EqualFold(choice.InForm, answer) {
			return choice, true
		}
	}
	return ui.Choice{}, false
}

// help lists what can be typed on the screen, as sentences.
func (c *conversation) help() []string {
	isList := c.rows() != nil
	if !isList {
		var lines []string
		for i, choice := range c.choices() {
			lines = append(lines, strconv.Itoa(i+1)+". "+screen.Sentence(described(choice)))
		}
		return lines
	}
	lines := c.sentences(c.shown)
	for _, k := range c.commands() {
		typed := `Type "` + k.verb + `"` + screen.If(k.argument != "", " and "+k.argument)
		lines = append(lines, typed+" to "+k.help+".")
	}
	for _, choice := range c.choices() {
		lines = append(lines, describeTyped(choice, choice.Word))
	}
	return lines
}

// describeTyped says that a word is typed for a choice, and what that does.
func describeTyped(choice ui.Choice, word string) string {
	text := `Type "` + word + `"`
	if choice.ID == screen.RootCheck {
		text += `, or "` + wordCheck + `" and an address,`
	}
	switch {
	case choice.Note == "":
	case choice.Names:
		text += " for " + choice.Note
	default:
		text += " to " + choice.Note
	}
	return screen.Sentence(text)
}

// submit sends a form as it is filled in, or leaves it at the first field that is wrong.
func (c *conversation) submit() {
	for c.ui.Asking() != nil {
		c.ui.Do(c.ui.Asking().Confirm)
		asking := c.ui.Asking()
		if asking == nil {
			return
		}
		q := asking.Ask()
		isRefused := q.Wrong != nil
		isSent := q.First // the focus is on the first field again
		if isRefused || isSent {
			return
		}
	}
}

// wordCheck is the verb that is followed by an address, on every screen.
const wordCheck = "check"

// check checks the address, or the file with addresses, that follows the verb in an answer. It
// reports whether the answer has that form.
func (c *conversation) check(answer string) bool {
	verb, address, _ := strings.Cut(answer, " ")
	address = strings.TrimSpace(address)
	if !strings.EqualFold(verb, wordCheck) || address == "" || !c.ui.CanCheck() {
		return false
	}
	c.ui.Check(address)
	c.submit()
	return true
}
