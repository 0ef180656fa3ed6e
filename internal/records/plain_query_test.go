package records

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/jsonscan"
)

// plainFilter decodes every cell that a term is about. [Table.Find] must find the
// same. It shares the parting into terms and the search for columns with that, and nothing else.
func plainFilter(t *Table, query string, now time.Time, rows []int32) []int32 {
	found := []int32{}
	for _, row := range rows {
		if plainMatch(t, query, now, int(row)) {
			found = append(found, row)
		}
	}
	return found
}

func plainMatch(t *Table, query string, now time.Time, row int) bool {
	asked, found := false, false // in some alternative
	terms, holds := 0, true      // of this one
	end := func() {
		asked, found = asked || terms > 0, found || terms > 0 && holds
		terms, holds = 0, true
	}
	for item := range items(query) {
		switch {
		case item.or:
			end()
		case item.operator == "" && item.value == "" || plainWaits(t, item):
		default:
			terms++
			holds = holds && plainItem(t, item, now, row)
		}
	}
	end()
	return found || !asked
}

// plainWaits reports whether an item names a column and no more.
func plainWaits(t *Table, item queryItem) bool {
	return item.value == "" && item.operator != "" && item.operator != "=" && item.operator != "==" && len(t.ColumnsNamed(item.column)) > 0
}

func plainItem(t *Table, item queryItem, now time.Time, row int) bool {
	if item.operator == "" {
		return plainContains(t.Record(row), item) != item.negated
	}
	columns := t.ColumnsNamed(item.column)
	understood, holds, measured := false, false, false
	for _, col := range columns {
		ok, held := plainTest(t, item, now, col, t.Cell(row, col))
		kind := t.SampledKinds()[col]
		isMeasured := strings.ContainsAny(item.operator, "<>") && !t.shareName(columns) &&
			slices.Contains([]ColumnKind{NumberColumn, BytesColumn, TimeColumn, TicksColumn, ListColumn}, kind)
		switch {
		case ok && isMeasured && !measured: // what was said of texts before does not count
			understood, holds, measured = true, held, true
		case ok && (isMeasured || !measured):
			understood, holds = true, holds || held
		}
	}
	if !understood || item.operator == ":" && strings.HasPrefix(item.value, "//") {
		return plainText(t.Record(row), item.typed) != item.negated
	}
	return holds != (item.negated != item.unequal)
}

func plainFold(text string) string { return string(appendFolded(nil, []byte(text))) }

// plainText looks for a text in each scalar inside a value.
func plainText(value []byte, text string) bool {
	want := appendFolded(nil, []byte(text))
	return len(want) == 0 || slices.ContainsFunc(scalars(value), func(scalar []byte) bool { return bytes.Contains(scalar, want) })
}

// plainContains looks for the value of an item, which may be spelled a little wrong.
func plainContains(value []byte, item queryItem) bool {
	word := []rune(plainFold(item.value))
	if !item.nearly || len(word) < 4 {
		return plainText(value, item.value)
	}
	return plainText(value, item.value) || slices.ContainsFunc(scalars(value), func(scalar []byte) bool {
		text := []rune(string(scalar))
		for start := range text {
			if start > 0 && strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789", text[start-1]) {
				continue
			}
			for end := start; end <= min(len(text), start+len(word)+1); end++ {
				if plainDistance(text[start:end], word) <= 1 {
					return true
				}
			}
		}
		return false
	})
}

// plainDistance is how many letters have to be changed, added, taken away or swapped with the next.
func plainDistance(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	if a[0] == b[0] {
		return plainDistance(a[1:], b[1:])
	}
	if len(a)-len(b) > 1 || len(b)-len(a) > 1 {
		return 2
	}
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && slices.Equal(a[2:], b[2:]) {
		return 1
	}
	for _, rest := range [][2][]rune{{a[1:], b[1:]}, {a[1:], b}, {a, b[1:]}} {
		if slices.Equal(rest[0], rest[1]) {
			return 1
		}
	}
	return 2
}

// plainTest reports whether an item makes sense for a column, and whether the cell holds.
func plainTest(t *Table, item queryItem, now time.Time, col int, cell Cell) (ok, holds bool) {
	none := cell.Kind() == Missing || cell.Kind() == Null
	switch item.operator {
	case ":":
		return item.value != "", !none && item.value != "" && plainContains(cell.Raw(), item)
	case "=":
		switch state := plainFold(item.value); {
		case !item.quoted && state == "null":
			return true, cell.Kind() == Null
		case !item.quoted && state == "missing":
			return true, cell.Kind() == Missing
		}
		return true, !none && plainFold(cell.Text()) == plainFold(item.value)
	case "==":
		return true, slices.Equal(plainTokens(cell.Raw()), plainOperand(item))
	}
	if item.value == "" {
		return false, false
	}
	kind := t.SampledKinds()[col]
	first, end, isTime := plainSpan(item.value, now)
	number, isNumber := plainNumber(item.value)
	switch {
	case kind == TimeColumn || kind == TicksColumn:
		if isTime {
			return true, plainTime(t, item.operator, col, cell, first, end)
		}
		if !isNumber || kind == TimeColumn {
			return false, false
		}
	case kind == NumberColumn || kind == BytesColumn:
		if number, isNumber = plainSize(item.value); !isNumber {
			return false, false
		}
	case isTime && len(item.value) > len("2020") && !plainAge.MatchString(item.value):
		return true, plainTime(t, item.operator, col, cell, first, end)
	}
	if none {
		return true, false
	}
	order := compareNatural([]byte(plainFold(cell.Text())), []byte(plainFold(item.value)))
	if isNumber && cell.Kind() == Number {
		value, _ := new(big.Rat).SetString(cell.Text())
		order = value.Cmp(number)
	}
	if isNumber && cell.Kind() == Array {
		length, _ := strconv.ParseInt(strings.Trim(cell.Text(), "[]"), 10, 64)
		order = big.NewRat(length, 1).Cmp(number)
	}
	return true, plainOrder(item.operator, order)
}

// plainOperand returns the tokens of the value that an item with == means.
func plainOperand(item queryItem) []json.Token {
	switch {
	case !item.quoted && item.value == "missing":
		return nil
	case !item.quoted && json.Valid([]byte(item.value)):
		return plainTokens([]byte(item.value))
	default:
		return []json.Token{string([]rune(item.value))}
	}
}

// plainTokens returns the decoded tokens of a JSON value; none of a missing one.
func plainTokens(raw []byte) (tokens []json.Token) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if err != nil {
			return tokens
		}
		tokens = append(tokens, token)
	}
}

func plainOrder(operator string, order int) bool {
	switch operator {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	default:
		return order >= 0
	}
}

func plainTime(t *Table, operator string, col int, cell Cell, first, end time.Time) bool {
	instant, ok := time.Time{}, false
	switch cell.Kind() {
	case String:
		instant, _, ok = plainSpan(cell.Text(), time.Time{})
		ok = ok && len(cell.Text()) >= len("2020-01-01")
	case Number:
		var ticks int64
		ticks, err := strconv.ParseInt(cell.Text(), 10, 64)
		ok = err == nil && ticks > 0 && ticks <= maxTicks && speaksOfTime(t.columns.columns[col].Name)
		instant = time.Date(1, 1, 1+int(ticks/ticksPerDay), 0, 0, 0, 0, time.UTC).Add(time.Duration(ticks % ticksPerDay * 100))
	}
	if !ok || instant.IsZero() {
		return false
	}
	inside := !instant.Before(first) && instant.Before(end)
	if inside {
		return len(operator) == 2
	}
	return plainOrder(operator, cmp.Compare(instant.Compare(first), 0))
}

var (
	plainDigits = regexp.MustCompile(`^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)
	plainScaled = regexp.MustCompile(`^(-?[\d.]+(?:[eE][+-]?\d+)?)\s*([kKmMgGtTpPeE]?)[bB]?$`)
)

func plainNumber(text string) (*big.Rat, bool) {
	if !plainDigits.MatchString(text) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func plainSize(text string) (*big.Rat, bool) {
	parts := plainScaled.FindStringSubmatch(text)
	if parts == nil {
		return nil, false
	}
	number, ok := plainNumber(parts[1])
	for range strings.Index("kmgtpe", strings.ToLower(parts[2])) + 1 {
		if parts[2] != "" && ok {
			number.Mul(number, big.NewRat(1000, 1))
		}
	}
	return number, ok
}

// scalars returns the folded strings, numbers and booleans inside a value.
func scalars(value []byte) (found [][]byte) {
	for at := 0; at < len(value); {
		start := at
		switch c := value[at]; {
		case c == '"':
			at = jsonscan.SkipString(value, at)
			if !isKey(value, at) {
				found = append(found, appendFolded(nil, jsonscan.Unquote(value[start:at])))
			}
		case jsonscan.EndsScalar(c):
			at++
		default:
			at = jsonscan.SkipScalar(value, at)
			if c != 'n' {
				found = append(found, appendFolded(nil, value[start:at]))
			}
		}
	}
	return found
}

var (
	plainAge    = regexp.MustCompile(`^\d{1,7}[mhdwMHDW]$`)
	plainDecade = regexp.MustCompile(`^\d{4}(-\d\d(-\d\d)?)?$`)
	plainMoment = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?([Zz]|[+-]\d\d:?\d\d)?$`)
)

// plainSpan reads a time by the layouts of the time package: the first instant of what it stands
// for, and the first one behind that.
func plainSpan(text string, now time.Time) (first, end time.Time, ok bool) {
	switch {
	case plainDecade.MatchString(text):
		layout := "2006-01-02"[:len(text)]
		first, err := time.Parse(layout, text)
		years, months, days := 0, 0, 0
		switch len(text) {
		case len("2006"):
			years = 1
		case len("2006-01"):
			months = 1
		default:
			days = 1
		}
		return first, first.AddDate(years, months, days), err == nil
	case plainMoment.MatchString(text):
		return plainInstant(plainMoment.FindStringSubmatch(text))
	case plainAge.MatchString(text) && !now.IsZero():
		count, _ := strconv.ParseInt(text[:len(text)-1], 10, 64)
		minutes := map[string]int64{"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}[strings.ToLower(text[len(text)-1:])]
		first = time.Unix(now.Unix()-count*minutes*60, int64(now.Nanosecond()))
		return first, first.Add(1), true
	}
	return first, end, false
}

func plainInstant(parts []string) (first, end time.Time, ok bool) {
	date, clock, seconds, fraction, zone := parts[1], parts[2], parts[3], parts[4], strings.ToUpper(parts[5])
	if seconds == "" && fraction != "" || strings.Contains(zone, "24") && strings.Index(zone, "24") == 1 || strings.HasSuffix(zone, "60") {
		return first, end, false // the time package is more generous
	}
	precision := time.Minute
	if seconds != "" {
		precision = time.Second
	} else {
		seconds = ":00"
	}
	for range min(len(fraction), 9) {
		precision /= 10
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	if zone == "" {
		zone = "Z"
	}
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700"} {
		if first, err := time.Parse(layout, date+"T"+clock+seconds+fraction+zone); err == nil {
			return first, first.Add(precision), true
		}
	}
	return first, end, false
}
