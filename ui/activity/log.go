package activity

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/traffic"
)

// columns are the members of a row in the order in which the list shows them.
var columns = []string{
	"request", "status", "took_ms", "method", "time", "host", "size", "try", "sent_with", "number",
}

// row is an entry as a record of the list.
type row struct {
	Request  string    `json:"request"`
	Status   outcome   `json:"status"`
	Took     *int64    `json:"took_ms,omitempty"`
	Method   string    `json:"method,omitempty"`
	Time     time.Time `json:"time"`
	Host     string    `json:"host,omitempty"` // empty if all requests went to the same one
	Size     *int64    `json:"size,omitempty"`
	Try      int       `json:"try,omitempty"`
	SentWith string    `json:"sent_with,omitempty"`
	Number   int       `json:"number"`
}

// tableOf makes the table of entries, the newest first.
func tableOf(entries []traffic.Entry) *lists.Table {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	hosts := map[string]bool{}
	for _, e := range entries {
		if e.Exchange != nil {
			hosts[e.Exchange.Host] = true
		}
	}
	for _, e := range slices.Backward(entries) {
		r := newRow(e)
		if len(hosts) == 1 {
			r.Host = ""
		}
		_ = encoder.Encode(r) // numbers, times and strings can always be encoded
	}
	if len(entries) == 0 {
		body.WriteString("[]")
	}
	table, _ := lists.Parse(body.Bytes()) // it is JSON
	return table
}

// newRow makes the row of an entry.
func newRow(e traffic.Entry) row {
	x := e.Exchange
	if x == nil {
		return row{Request: e.Text, Status: outcomeOf(e), Time: e.At.Local(), Number: e.Number}
	}
	took := x.Duration.Milliseconds()
	r := row{
		Request:  x.Path + query(x),
		Status:   outcomeOf(e),
		Took:     &took,
		Method:   x.Method,
		Time:     e.At.Local(),
		Host:     x.Host,
		Size:     &x.Bytes,
		SentWith: strings.Join(Credentials(x), ", "),
		Number:   e.Number,
	}
	if x.Try > 1 {
		r.Try = x.Try
	}
	return r
}

// entryOf returns the entry of a row, given as JSON; ok is false if the log has dropped it.
func entryOf(log *traffic.Log, record []byte) (e traffic.Entry, ok bool) {
	r := struct {
		Number int `json:"number"`
	}{Number: -1}
	if err := json.Unmarshal(record, &r); err != nil {
		return traffic.Entry{}, false
	}
	return log.Entry(r.Number)
}

// marker returns the [browse.Options].Mark of the list: it adds signs to outcomes, and writes
// times of the day and durations.
func marker(glyphs styles.Glyphs) func(column string, value lists.Cell, cell *grid.Cell) {
	return func(column string, value lists.Cell, cell *grid.Cell) {
		if cell.State != grid.Value {
			cell.State = grid.Empty
			return
		}
		switch column {
		case "request":
			path, _, _ := strings.Cut(cell.Text, "?")
			cell.End = path[max(strings.LastIndexByte(path, '/'), 0):]
		case "status":
			sign, tone := outcomeIn(value).mark(glyphs)
			cell.Text, cell.Tone = sign+" "+value.Text(), tone
		case "time":
			at, _ := time.Parse(time.RFC3339, value.Text())
			cell.Text, cell.Short = at.Local().Format(time.TimeOnly), ""
		case "took_ms":
			ms, _ := strconv.ParseInt(value.Text(), 10, 64)
			took := human.Duration(time.Duration(ms) * time.Millisecond)
			cell.Text, cell.Unit = took.Number, took.Unit
		case "try":
			cell.Text = "try " + cell.Text
		}
	}
}

// query writes the parameters of a request as in a URL, but without escapes: people read it.
func query(x *api.Exchange) string {
	var b strings.Builder
	for i, p := range x.Query {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(p.Name + "=" + p.Value)
	}
	return b.String()
}

// Credentials names the kinds of secrets that were sent with a request, such as "access token",
// each once.
func Credentials(x *api.Exchange) []string {
	var kinds []string
	if x.Credential != "" {
		kinds = append(kinds, kindOf(x.Credential))
	}
	for _, p := range slices.Concat(x.Query, x.Form) {
		if kind := kindOf(p.Name); p.Secret && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// kindOf names the kind of secret in a scheme, parameter or field (interface sections 4.1 to
// 4.5). For an unknown one it is the name itself.
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
