package linemode

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/prompt"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/intake"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui"
	"gatehouse/ui/screen"
)

const pageSize = 10 // rows said at a time

// rows are those of the screen, nil if it is no list.
func (c *conversation) rows() screen.Rows {
	if c.shown == nil {
		return nil
	}
	return c.shown.View().Rows
}

// command is something that a person can do with a list.
type command struct {
	verb, argument string
	help           string // what it does, to follow "to"
	run            func(c *conversation, argument string) error
	// pages is set where it only says other rows of the list. The others are understood on
	// what a row has opened, too.
	pages bool
	// ofTable is set where the list has to have columns, and ofMarks where its rows can be marked.
	ofTable, ofMarks bool
}

// commands are what a list understands, beside the choices of its screen.
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
			verb: "filter", argument: "words", run: (*conversation).filter,
			help: "keep only rows with all these words; \"filter\" alone shows all rows again",
		},
		{
			verb: "sort", argument: "a column", run: (*conversation).sort, ofTable: true,
			help: `sort by it. Add "down" to reverse the order. Give several columns with commas between them. "sort" alone restores the original order`,
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

// extensions are how the name of a file of rows can end.
func extensions() []string {
	var ends []string
	for _, format := range lists.Exports() {
		ends = append(ends, format.Extension())
	}
	return ends
}

// command asks what to do on the screen, and does it.
func (c *conversation) command() error {
	listed := c.rows()
	isList := listed != nil
	q := question{text: `Type a number, "back" or "help"`, help: c.help()}
	switch {
	case isList && c.ui.HasFilter():
		q.text = `Type a number to open it, "next", "filter" and words, or "help"`
	case isList && listed.Len() == 0:
		q.text = `Type "refresh", "back" or "help"`
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
		if done, err := c.ofList(answer); done {
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
	if c.leads(answer) {
		if done, err := c.ofList(answer); done {
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

// ofList does what a list is asked for.
func (c *conversation) ofList(answer string) (done bool, err error) {
	verb, rest, _ := strings.Cut(answer, " ")
	all := c.commands()
	at := slices.IndexFunc(all, func(k command) bool { return strings.EqualFold(k.verb, verb) })
	if at < 0 && verb != "" {
		at = slices.IndexFunc(all, func(k command) bool { return strings.HasPrefix(k.verb, strings.ToLower(verb)) })
	}
	if at < 0 {
		return false, nil
	}
	return true, all[at].run(c, strings.TrimSpace(rest))
}

// leads goes back from what a list has opened to the list, if that is what an answer is for.
func (c *conversation) leads(answer string) bool {
	verb, _, _ := strings.Cut(strings.ToLower(answer), " ")
	isFor := func(k command) bool { return k.verb == verb && !k.pages }
	if !slices.ContainsFunc(commands(), isFor) || !c.ui.Back() {
		return false
	}
	c.arrive()
	return c.rows() != nil
}

// commands are those that the screen has.
func (c *conversation) commands() []command {
	shown := c.shown.View()
	isList, isTable, hasMarks := c.rows() != nil, shown.Table != nil, shown.Marks != nil
	return slices.DeleteFunc(commands(), func(k command) bool {
		return !isList || k.ofTable && !isTable || k.ofMarks && !hasMarks || k.verb == "filter" && !c.ui.HasFilter()
	})
}

// choice is what a person means by an answer: a number where these are no rows, or what it is
// called, exactly or by its beginning or a part that no other has.
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

// typed is what a person means who types a word in place of the answer to a field.
func (c *conversation) typed(answer string) (ui.Choice, bool) {
	for _, choice := range c.ui.Choices() {
		if choice.Typed && strings.EqualFold(choice.InForm(), answer) {
			return choice, true
		}
	}
	return ui.Choice{}, false
}

// help says what can be typed.
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
		lines = append(lines, `Type "`+k.verb+`"`+screen.If(k.argument != "", " and "+k.argument)+" to "+k.help+".")
	}
	for _, choice := range c.choices() {
		lines = append(lines, typed(choice, choice.Word))
	}
	return lines
}

// typed says what is typed for a choice, and what that does.
func typed(choice ui.Choice, word string) string {
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

// page says rows from one on.
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

// errStay asks again, without saying the list once more.
var errStay = errors.New("the screen stays as it is")

func (c *conversation) next(string) error {
	listed, of := c.rows(), c.of(c.shown)
	if of.from+pageSize >= listed.Len() {
		c.say("There are no more.")
	} else {
		c.page(listed, of, of.from+pageSize)
	}
	return errStay
}

func (c *conversation) previous(string) error {
	of := c.of(c.shown)
	if of.from == 0 {
		c.say("These are the first ones.")
	} else {
		c.page(c.rows(), of, max(of.from-pageSize, 0))
	}
	return errStay
}

func (c *conversation) open(number string) error {
	n, _ := strconv.Atoi(number)
	return c.openRow(c.rows(), n)
}

// about says what is known of a row.
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
	if err := c.settle(); err != nil { // until the row is read
		return err
	}
	return stay(c.read(screen.SaidBeside(c.shown)))
}

func (c *conversation) openRow(listed screen.Rows, number int) error {
	switch {
	case listed.Len() == 0:
		again := `"refresh" to try again, or "back"`
		if c.ui.HasFilter() {
			again = `"filter" alone to see all`
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

func (c *conversation) filter(words string) error {
	c.ui.Filter(words)
	return nil
}

func (c *conversation) sort(columns string) error {
	return c.byColumn(columns, c.shown.View().Table.SortBy)
}

func (c *conversation) values(column string) error {
	if column == "" {
		c.say(`Type "values" and the name of a column. Type "columns" to hear the names.`)
		return errStay
	}
	return c.byColumn(column, c.shown.View().Table.ValuesOf)
}

// byColumn does what needs the names of columns, or says which they may be.
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
		c.say("There is no column called \"%s\". Type \"columns\" to hear the names.", screen.SayLine(unclear.Name))
		return errStay
	}
	c.say("%s could be any of these columns. Type more of the name.", screen.SayLine(unclear.Name))
	for text := range screen.Texts(unclear.Meant...) {
		c.say("%s", text)
	}
	return errStay
}

func (c *conversation) columns(string) error {
	return stay(c.read(c.shown.View().Table.Columns()))
}

func (c *conversation) examples(string) error {
	return stay(c.read(c.shown.View().Table.Examples()))
}

// stay is the error of reading something aloud, after which the screen is as it was.
func stay(err error) error {
	if err == nil {
		return errStay
	}
	return err
}

// export opens the form of an export; with the name of a file it is sent.
func (c *conversation) export(file string) error {
	choice, _, ok := c.choice("export", true)
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

// submit sends a form as it is filled in, or leaves it at the first field that is wrong.
func (c *conversation) submit() {
	for c.ui.Asking() != nil {
		c.ui.Press("enter")
		asking := c.ui.Asking()
		if asking == nil {
			return
		}
		if q := asking.Ask(); q.Wrong != nil || q.First { // refused, or sent
			return
		}
	}
}

// wordCheck is the verb that takes an address on each screen.
const wordCheck = "check"

// check checks what follows the verb: an address, or the name of a file with addresses. It reports
// whether an answer was that.
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

// Why a question was not answered.
var (
	errBack = errors.New("the person goes back")
	errQuit = errors.New("the person leaves")
)

// The words that every question understands.
const (
	wordBack = "back"
	wordHelp = "help"
	wordQuit = "quit"
)

// question is what a person is asked. help is said when they ask for it.
type question struct {
	text   string // without the colon at its end
	help   []string
	secret bool
}

// ask asks until there is an answer, which may be empty, and trims it unless it is a secret. It
// handles the words that every question understands. The error is errBack, errQuit, or that of
// the output.
func (c *conversation) ask(q question) (string, error) {
	var refused *intake.Error
	for {
		text, err := c.line(q)
		switch {
		case errors.Is(err, prompt.ErrTooLong):
			c.say("That line is too long. Type a shorter one.")
			continue
		case errors.As(err, &refused):
			refusal := screen.Describe(refused)
			c.say("%s %s", refusal.Sentence, refusal.Hint)
			continue
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return "", errQuit
		case err != nil:
			return "", err
		}
		switch strings.ToLower(text) {
		case wordBack:
			return "", errBack
		case wordQuit:
			return "", errQuit
		case wordHelp:
			for _, line := range q.help {
				c.say("%s", line)
			}
			c.say("Type \"back\" to go back, \"quit\" to leave, \"help\" to hear this again. If one of these words is your answer, put it in quotes.")
		default:
			return unquoted(text), nil
		}
	}
}

func (c *conversation) line(q question) (string, error) {
	if q.secret {
		text, err := c.console.Secret(c.ctx, q.text+": ")
		return text.Reveal(), err
	}
	text, err := c.console.Line(c.ctx, q.text+": ")
	return strings.TrimSpace(text), err
}

// unquoted removes the quotes around one of the words that every question understands, and
// around nothing.
func unquoted(text string) string {
	switch strings.ToLower(strings.Trim(text, `"`)) {
	case wordBack, wordQuit, wordHelp:
		if len(text) > 2 && text[0] == '"' && text[len(text)-1] == '"' {
			return text[1 : len(text)-1]
		}
	}
	return text
}

// list says a title and answers, numbered from 1.
func (c *conversation) list(title string, answers []string) {
	c.say("%s", title)
	for i, answer := range answers {
		c.say("%s", strconv.Itoa(i+1)+". "+screen.Sentence(answer))
	}
}

// field asks for the field of a form that has the focus, and confirms what is answered.
func (c *conversation) field(asking screen.Form) error {
	q := asking.Ask()
	if q.Wrong != nil {
		c.say("%s", screen.Sentence(q.Wrong.Error()))
	}
	if len(q.Options) > 0 && q.Wrong == nil {
		c.list(screen.Sentence(q.Label+":"), q.Options)
	}
	answer, err := c.ask(question{text: questionOf(q), help: c.helpOf(q), secret: q.Secret})
	if errors.Is(err, errBack) && !q.First {
		asking.Back()
		return nil
	}
	if err != nil {
		return err
	}
	if choice, ok := c.typed(answer); ok && !q.Secret {
		c.ui.Do(choice.Run)
		if choice.ID == screen.FormFold {
			asking.Back() // what has come out may stand before
		}
		return nil
	}
	if !q.Secret && c.check(answer) {
		return nil
	}
	switch {
	case answer == "":
	case answer == `""` && !q.Secret:
		asking.Clear()
	case q.Yes || len(q.Options) > 0:
		if err := asking.Choose(answer); err != nil {
			c.say("%s", screen.Sentence(err.Error()))
			return nil
		}
	default:
		asking.Clear()
		c.ui.Update(tea.PasteMsg{Content: answer})
	}
	if asking.BoxesFollow() {
		c.ui.Press("down") // they are asked for too
	} else {
		c.ui.Press("enter")
	}
	return nil
}

// questionOf is how a field is asked for.
func questionOf(q screen.Asked) string {
	switch value := safetext.Line(q.Value); {
	case q.Secret:
		return q.Label + ", which is not shown"
	case q.Yes:
		return strings.TrimSpace(q.Label+" "+q.Hint) + `? Type "yes" or "no" (press enter for ` + value + ")"
	case len(q.Options) > 0:
		return "Type a number (press enter for " + value + ")"
	case value != "":
		return q.Label + " (press enter for " + value + ")"
	}
	return q.Label
}

// helpOf says what can be answered to a field.
func (c *conversation) helpOf(q screen.Asked) []string {
	var lines []string
	if q.Hint != "" && !q.Yes {
		lines = append(lines, screen.Sentence(q.Label+": "+q.Hint))
	}
	for i, option := range q.Options {
		lines = append(lines, strconv.Itoa(i+1)+". "+option)
	}
	if q.Value != "" && len(q.Options) == 0 && !q.Yes {
		lines = append(lines, `Type "" to leave the field empty.`)
	}
	return append(lines, c.wordsInForm()...)
}

// wordsInForm says what can be typed in place of an answer.
func (c *conversation) wordsInForm() []string {
	var lines []string
	for _, choice := range c.choices() {
		if choice.Typed {
			lines = append(lines, typed(choice, choice.InForm()))
		}
	}
	return lines
}
