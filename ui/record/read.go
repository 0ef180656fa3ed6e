package record

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/jsonscan"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/styles"
	"gatehouse/ui/fields"
)

// Reader reads the records of a table as fields in groups, from the names and kinds of
// its columns. It belongs to one goroutine.
type Reader struct {
	// Masked reports whether a value is a secret, by its path, the name of its member and its
	// text; nil masks nothing.
	Masked func(path, key, text string) bool
	// Leads reports whether values of a kind can be followed; nil for none.
	Leads func(LeadKind) bool
	// Unmarked leaves out the signs of good and bad before yes and no, which would seem to belong
	// to a verdict.
	Unmarked bool
	// Spoken writes ages for a person who hears them: "7 years ago".
	Spoken bool

	// A record that is not read as fields is in long. own makes groups in place of its fields; nil
	// for none.
	long []byte
	own  func() []fields.Group
	// The records that are read are in table.
	table    *lists.Table
	columns  []column // by their index in the table
	glyphs   styles.Glyphs
	now      func() time.Time
	cells    []lists.Cell // of the row that was read last, to use its memory again
	revealed bool         // nothing is masked
}

// LeadKind is the kind of thing that a value leads to.
type LeadKind uint8

// The kinds. An e-mail address leads to a Person.
const (
	None LeadKind = iota
	Person
	Company
	Reseller
)

// NewReader makes the reader of a table.
func NewReader(table *lists.Table, glyphs styles.Glyphs, now func() time.Time) *Reader {
	infos := table.DisplayColumns()
	columns := make([]column, len(infos)) // in the order in which the records have them
	for _, info := range infos {
		columns[info.Index] = newColumn(info)
	}
	return &Reader{table: table, columns: columns, glyphs: glyphs, now: now}
}

// One makes the reader of a single record, which is its row 0. The error says that the record is not
// JSON.
func One(raw []byte, glyphs styles.Glyphs, now func() time.Time) (*Reader, error) {
	if len(raw) > maxRead {
		return &Reader{long: raw}, nil
	}
	table, err := lists.Parse(slices.Concat([]byte{'['}, raw, []byte{']'}))
	if err != nil {
		return nil, fmt.Errorf("read one record: %w", err)
	}
	return NewReader(table, glyphs, now), nil
}

// Fixed makes the reader of a single document of which groups makes the fields.
func Fixed(raw []byte, groups func() []fields.Group) *Reader {
	return &Reader{long: raw, own: groups}
}

// IsLong reports whether a row is too long to be read as fields.
func (r *Reader) IsLong(row int) bool { return r.own == nil && len(r.record(row)) > maxRead }

// maxRead is the size in bytes up to which a record is read as fields.
const maxRead = 1 << 20

// Groups reads a row. It leaves out what the record does not have; the names of all that is null are
// in one field.
func (r *Reader) Groups(row int) []fields.Group {
	if r.own != nil {
		return r.own()
	}
	if size := len(r.record(row)); size > maxRead {
		text := "a record of " + human.Bytes(int64(size))
		long := fields.Field{Text: text, Role: fields.Aside}
		return []fields.Group{{Title: titles[rest], Fields: []fields.Field{long}}}
	}
	r.cells = r.table.Cells(row, r.cells[:0])
	now := r.now()
	format := lists.Format{Zone: now.Location(), Now: now, Spoken: r.Spoken}
	var all [groups][]fields.Field
	var nulls, unset []string // the names and the labels of the columns that are null
	for i := range r.columns {
		c := &r.columns[i]
		cell := r.cells[c.Index]
		switch cell.Kind() {
		case lists.Missing:
		case lists.Null:
			nulls, unset = append(nulls, c.Name), append(unset, c.Label)
		default:
			f := r.field(c, cell, format)
			g := c.group
			hasAddress := f.Document && strings.Contains(f.Text, "@")
			if g == rest && hasAddress {
				g = people // such as those who have access to a share
			}
			all[g] = append(all[g], f)
		}
	}
	r.addBars(all[space])
	if len(nulls) > 0 {
		names := strings.Join(nulls, ", ")
		all[rest] = append(all[rest], fields.Field{
			Label:   "Not set",
			Text:    strings.Join(unset, ", "),
			Role:    fields.Absent,
			Exact:   names,
			Copied:  names,
			What:    "the names of fields that are null",
			Meaning: "The service sent these fields as null.",
		})
	}
	return r.titled(all)
}

// record is the JSON of a row, as it was sent.
func (r *Reader) record(row int) []byte {
	if r.long != nil {
		return r.long
	}
	return r.table.Record(row)
}

// titled returns the groups that have fields, with their titles. In the first one the name and the id
// of the record come first.
func (r *Reader) titled(all [groups][]fields.Field) []fields.Group {
	byRank := func(a, b fields.Field) int { return cmp.Compare(rank(a), rank(b)) }
	slices.SortStableFunc(all[what], byRank)
	list := make([]fields.Group, 0, groups)
	for g, found := range all {
		if len(found) > 0 {
			list = append(list, fields.Group{Title: titles[g], Fields: found})
		}
	}
	return list
}

// rank is the place of a field in the first group: the name, the id, and then all others.
func rank(f fields.Field) int {
	switch strings.ToLower(f.Path) {
	case "name":
		return 0
	case "id":
		return 1
	}
	return 2
}

// maxExact is how many bytes of an array or object are shown as they were sent.
const maxExact = 4 << 10

// field makes the field of a cell, masked if its value is a secret.
func (r *Reader) field(c *column, cell lists.Cell, format lists.Format) fields.Field {
	f := fields.Field{Label: c.Label, Path: c.Name, What: c.Name, Document: cell.Kind() >= lists.Array}
	text := ""
	if !f.Document {
		text = cell.Text()
	}
	if r.isSecret(c.Name, lastMember(c.Name), text) {
		f.Text, f.Role, f.Masked = secret.Mask, fields.Absent, true
		return f
	}
	mayHaveSecrets := f.Document && r.Masked != nil && !r.revealed
	if !mayHaveSecrets {
		f.Exact = exact(cell)
	}
	r.read(&f, c, cell, format)
	return f
}

// exact is the value as it was sent: the text of a string, or else its JSON, of an array or object
// the first maxExact bytes.
func exact(cell lists.Cell) string {
	switch raw := cell.Raw(); cell.Kind() {
	case lists.String:
		return cell.Text()
	case lists.Array, lists.Object:
		return string(raw[:min(len(raw), maxExact)])
	default:
		return string(raw)
	}
}

// isSecret reports whether a value is to be masked now.
func (r *Reader) isSecret(path, name, text string) bool {
	return r.Masked != nil && !r.revealed && r.Masked(path, name, text)
}

// read gives a field the text of a cell as people read it, and its role.
func (r *Reader) read(f *fields.Field, c *column, cell lists.Cell, format lists.Format) {
	v := format.Value(c.ColumnInfo, cell)
	f.Text, f.AsSent = v.String(), isAsSent(v, cell)
	switch {
	case cell.Kind() == lists.Array:
		f.Text, f.Partial = r.listed(c, cell)
	case cell.Kind() == lists.Object:
		f.Partial = true
	case cell.Kind() == lists.Bool && !r.Unmarked:
		f.Text, f.Role = r.glyphs.Bad+" "+v.Text, fields.Aside
		if cell.Raw()[0] == 't' {
			f.Text, f.Role = r.glyphs.Good+" "+v.Text, fields.Plain
		}
	case v.Unset:
		f.Role = fields.Absent
	case v.Age != "":
		f.Behind, f.BehindCells = []string{v.Age}, longestAge
	case v.Unit != "":
		f.Role, f.Amount = fields.Amount, v.Amount()
		if !v.Exact {
			f.Digits = human.Grouped(string(cell.Raw()))
		}
	default:
		r.readPlain(f, c)
	}
}

// isAsSent reports whether a value is written exactly as it was sent, apart from quotation marks.
func isAsSent(v lists.Value, cell lists.Cell) bool {
	if cell.Kind() == lists.String {
		return v.Text == cell.Text()
	}
	return v.Text == string(cell.Raw())
}

// longestAge is the width of the longest age of a time in cells.
const longestAge = len("59 min ago")

// LabelCells is the width of the longest label of a record in cells.
func (r *Reader) LabelCells() int {
	cells := 0
	for i := range r.columns {
		cells = max(cells, safetext.Width(r.columns[i].Label))
	}
	return cells
}

// readPlain gives a field the role of a value without age or unit, and adds its meaning if it is
// known.
func (r *Reader) readPlain(f *fields.Field, c *column) {
	switch {
	case f.Text == "":
		f.Text, f.Role = "empty", fields.Absent
	case c.enum[f.Text] != "":
		f.Text += " " + c.enum[f.Text]
	case c.Role == lists.RoleName:
		f.Role = fields.Strong
	case strings.HasPrefix(f.Text, "https://"):
		f.URL, f.Role = f.Text, fields.Lead
		f.Text = hostname.ReadableURL(f.Text)
	case c.lead != None && r.Leads != nil && r.Leads(c.lead):
		f.Role = fields.Lead
	case c.Role == lists.RoleNumber:
		f.Role = fields.Amount
	}
}

// maxListed is how many elements of an array are written in a field.
const maxListed = 20

// listed writes the elements of an array, or only their number if one of them is long. partial
// means that something is left out.
func (r *Reader) listed(c *column, cell lists.Cell) (text string, partial bool) {
	var parts []string
	count := 0
	for item := range jsonscan.Items(cell.Raw(), 0) {
		if count++; count <= maxListed {
			parts = append(parts, r.element(c, cell.Raw()[item.Value.Start:item.Value.End]))
		}
	}
	if count == 0 {
		return "none", false
	}
	if slices.Contains(parts, "") {
		return human.Count(count, "entry", "entries"), true
	}
	if count > maxListed {
		parts = append(parts, "and "+human.Number(count-maxListed)+" more")
	}
	return strings.Join(parts, ", "), count > maxListed
}

// maxMembers is how many members an object has that is written in a list.
const maxMembers = 3

// element is an element of an array in a few words; "" if it is too long for that.
func (r *Reader) element(c *column, raw []byte) string {
	switch raw[0] {
	case '[':
		return ""
	case '{':
		return r.members(c, raw)
	}
	text := scalar(raw)
	if r.isSecret(c.Name, "", text) {
		return secret.Mask
	}
	return text
}

// members are the values of an object in a few words; "" if they are too many, or not simple.
func (r *Reader) members(c *column, raw []byte) string {
	var parts []string
	for item := range jsonscan.Items(raw, 0) {
		value := raw[item.Value.Start:item.Value.End]
		if len(parts) == maxMembers || value[0] == '{' || value[0] == '[' {
			return ""
		}
		name := string(jsonscan.Unquote(raw[item.Name.Start:item.Name.End]))
		text := scalar(value)
		switch {
		case r.isSecret(c.Name+"."+name, name, text):
			text = secret.Mask
		case lists.Meanings(name)[text] != "":
			text += " " + lists.Meanings(name)[text]
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// scalar is the text of a JSON string, or else the JSON.
func scalar(raw []byte) string {
	if raw[0] == '"' {
		return string(jsonscan.Unquote(raw))
	}
	return string(raw)
}

// addBars adds bars to the sizes of a record: each is a part of the limit if the record has one, or
// else of their sum. There are none if the record has two limits, or a single size without one.
func (r *Reader) addBars(sizes []fields.Field) {
	whole, limit, used := new(big.Float), false, 0
	for i := range sizes {
		size := sizeOf(&sizes[i])
		switch c := r.column(sizes[i].Path); {
		case size == nil:
		case c.limit && !limit:
			whole, limit = size, true
		case c.limit:
			return // it is not known which of the limits is that of a size
		case !limit:
			whole = new(big.Float).Add(whole, size)
			used++
		default:
			used++
		}
	}
	isAlone := used == 1 && !limit
	if whole.Sign() <= 0 || used == 0 || isAlone {
		return
	}
	for i := range sizes {
		f := &sizes[i]
		if size := sizeOf(f); size != nil && !r.column(f.Path).limit {
			part, _ := new(big.Float).Quo(size, whole).Float64()
			f.Bar = &fields.Bar{Part: min(part, 1), Limit: limit}
			if limit {
				f.Behind = append([]string{fmt.Sprintf("%.0f %%", part*100)}, f.Behind...)
			}
		}
	}
}

// sizeOf is the size in a field; nil if it has none, or it is masked.
func sizeOf(f *fields.Field) *big.Float {
	size, ok := new(big.Float).SetString(f.Exact)
	if !ok || f.Role != fields.Amount || f.Masked {
		return nil
	}
	return size
}

// column is the column with a path; nil if there is none.
func (r *Reader) column(path string) *column {
	if i := slices.IndexFunc(r.columns, func(c column) bool { return c.Name == path }); i >= 0 {
		return &r.columns[i]
	}
	return nil
}
