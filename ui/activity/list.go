package activity

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/human"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
)

// The columns of the list.
const (
	columnTime = iota
	columnStatus
	columnTook
	columnMethod
	columnRequest
	columnHost
	columnSize
	columnTry
	columnCredential
	columns
)

var titles = [columns]grid.Column{
	{Title: "Time"}, {Title: "Status"}, {Title: "Took", Numeric: true}, {Title: "Method"}, {Title: "Request"}, {Title: "Host"},
	{Title: "Size", Numeric: true}, {Title: "Try"}, {Title: "Sent with"},
}

// row is an entry with its words.
type row struct {
	Entry
	cells [columns]grid.Cell
	words string // all of them, for the filter
}

func newRow(e Entry, glyphs styles.Glyphs) row {
	r := row{Entry: e}
	texts := e.texts()
	for i, text := range texts {
		r.cells[i].Text = text
		if text == "" {
			r.cells[i].State = grid.Empty
		}
	}
	r.words = strings.Join(texts[:], "\n")
	r.addTones(glyphs)
	return r
}

// texts are the words in the columns, without signs.
func (e Entry) texts() [columns]string {
	texts := noteTexts(e)
	if e.Exchange != nil {
		texts = exchangeTexts(e.Exchange)
	}
	texts[columnTime] = e.At.Local().Format(time.TimeOnly)
	return texts
}

// addTones adds signs and colours, and draws units apart.
func (r *row) addTones(glyphs styles.Glyphs) {
	status := &r.cells[columnStatus]
	sign, tone := glyphs.Bullet, grid.Muted
	switch {
	case r.Exchange != nil:
		sign, tone = mark(r.Exchange, glyphs)
	case r.Bad:
		sign, tone = glyphs.Warning, grid.Warn
	}
	status.Text, status.Tone = sign+" "+status.Text, tone
	for _, column := range []int{columnTook, columnSize} {
		if number, unit, found := strings.Cut(r.cells[column].Text, " "); found && len(unit) <= len("ms") {
			r.cells[column].Text, r.cells[column].Unit = number, unit
		}
	}
}

// mark is the sign and the colour of what came of a request, by the hundred of its status.
func mark(x *api.Exchange, glyphs styles.Glyphs) (string, grid.Tone) {
	switch hundred := x.Status / 100; {
	case x.Status == 0, x.Err != nil, hundred >= 5:
		return glyphs.Bad, grid.Bad
	case hundred == 4:
		return glyphs.Warning, grid.Warn
	case hundred == 3:
		return glyphs.Crumb, grid.Plain
	}
	return glyphs.Good, grid.Good
}

func noteTexts(e Entry) (texts [columns]string) {
	texts[columnStatus] = "note"
	if e.Bad {
		texts[columnStatus] = "trouble"
	}
	texts[columnRequest] = e.Text
	return texts
}

func exchangeTexts(x *api.Exchange) (texts [columns]string) {
	texts[columnStatus] = Outcome(x)
	texts[columnMethod] = x.Method
	texts[columnRequest], texts[columnHost] = x.Path+query(x), x.Host
	texts[columnTook] = human.Took(x.Duration)
	texts[columnSize] = human.Bytes(x.Bytes)
	if x.Try > 1 {
		texts[columnTry] = human.Ordinal(x.Try) + " try"
	}
	texts[columnCredential] = strings.Join(Credentials(x), ", ")
	return texts
}

// Outcome says in a word or two what came of a request.
func Outcome(x *api.Exchange) string {
	switch {
	case x.Status == 0:
		return "failed"
	case x.Err != nil:
		return strconv.Itoa(x.Status) + " cut off"
	}
	return strconv.Itoa(x.Status)
}

// query writes the parameters for people to read: not escaped.
func query(x *api.Exchange) string {
	var b strings.Builder
	for i, p := range x.Query {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(p.Name + "=" + p.Value)
	}
	return b.String()
}

// Credentials names the kinds of secrets that went out with a request.
func Credentials(x *api.Exchange) []string {
	var kinds []string
	add := func(kind string) {
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if x.Credential != "" {
		add(kindOf(x.Credential))
	}
	for _, p := range slices.Concat(x.Query, x.Form) {
		if p.Secret {
			add(kindOf(p.Name))
		}
	}
	return kinds
}

// kindOf gives the words for a scheme, a parameter or a field that carries a
// secret (interface sections 4.1 to 4.5); one that is not known is its own name.
func kindOf(name string) string {
	switch name {
	case "Bearer":
		return "access token"
	case "ApiKey":
		return "API key"
	case "Basic", "client_secret":
		return "client secret"
	case "password", "password2":
		return "password"
	case "refresh_token":
		return "refresh token"
	case "Ad":
		return "directory token"
	}
	return name
}

// statusLine is a status with the words that belong to it.
func statusLine(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

// list shows the entries to the grid. The row of an entry is its number, so that it
// keeps its row while others come and go.
type list struct {
	rows   []row
	glyphs styles.Glyphs
}

func (l *list) Len() int {
	if len(l.rows) == 0 {
		return 0
	}
	return l.rows[len(l.rows)-1].Number + 1
}

func (l *list) Columns() []grid.Column { return titles[:] }

func (l *list) Cells(number int, dst []grid.Cell) []grid.Cell {
	return append(dst, l.at(number).cells[:]...)
}

// at is the row of a number that is still remembered.
func (l *list) at(number int) *row { return &l.rows[number-l.rows[0].Number] }

// update takes over the entries of a log; rows that were made are used again.
func (l *list) update(entries []Entry) {
	rows := make([]row, len(entries))
	for i, e := range entries {
		if known := l.known(e); known != nil {
			rows[i] = *known
		} else {
			rows[i] = newRow(e, l.glyphs)
		}
	}
	l.rows = rows
}

// hosts reports whether the requests went to several hosts.
func (l *list) hosts() bool {
	first := ""
	for i := range l.rows {
		host := l.rows[i].cells[columnHost].Text
		if first != "" && host != "" && host != first {
			return true
		}
		first = cmp.Or(first, host)
	}
	return false
}

// longestRequest is how many cells the longest request takes, as far as one is read.
func (l *list) longestRequest() int {
	const most = 200
	longest := 0
	for i := range l.rows {
		longest = max(longest, safetext.Width(safetext.Clip(l.rows[i].cells[columnRequest].Text, most)))
	}
	return longest
}

func (l *list) known(e Entry) *row {
	if len(l.rows) == 0 || e.Number < l.rows[0].Number || e.Number >= l.Len() {
		return nil
	}
	if r := l.at(e.Number); r.Entry == e {
		return r
	}
	return nil
}

// order is by what the list is sorted: by time, the newest first, if nothing else
// is chosen.
type order struct {
	column     int
	descending bool
}

var newestFirst = order{columnTime, true}

// next goes through the orders of a column: up, down, and back to the newest first.
func (o order) next(column int) order {
	switch {
	case o.column != column || column == columnTime && o.descending:
		return order{column: column}
	case !o.descending:
		return order{column, true}
	}
	return newestFirst
}

// arrange lists the numbers of the rows that have all the words, in order.
func (l *list) arrange(words []string, by order) []int32 {
	found := make([]*row, 0, len(l.rows))
	for i := range l.rows {
		if grid.ContainsAll(l.rows[i].words, words) {
			found = append(found, &l.rows[i])
		}
	}
	slices.SortStableFunc(found, by.compare)
	numbers := make([]int32, len(found))
	for i, r := range found {
		numbers[i] = int32(r.Number)
	}
	return numbers
}

// compare puts what has no value last in both directions, and among equals the
// newest first.
func (o order) compare(a, b *row) int {
	x, y := a.Exchange, b.Exchange
	compared := 0
	switch {
	case o.column == columnTime:
		compared = cmp.Compare(a.Number, b.Number)
	case x == nil && y == nil:
	case x == nil:
		return 1
	case y == nil:
		return -1
	case o.column == columnStatus:
		compared = cmp.Compare(x.Status, y.Status)
	case o.column == columnTook:
		compared = cmp.Compare(x.Duration, y.Duration)
	case o.column == columnSize:
		compared = cmp.Compare(x.Bytes, y.Bytes)
	case o.column == columnTry:
		compared = cmp.Compare(x.Try, y.Try)
	default:
		compared = strings.Compare(a.cells[o.column].Text, b.cells[o.column].Text)
	}
	if o.descending {
		compared = -compared
	}
	return cmp.Or(compared, cmp.Compare(b.Number, a.Number))
}
