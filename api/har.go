package api

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gatehouse/internal/text/human"
)

// object is a JSON object.
type object = map[string]any

// WriteHAR writes requests in their order as an HTTP Archive 1.2, the format in which browsers save
// their traffic. version is the version of this program. The archive has no secrets, as the
// exchanges have none.
func WriteHAR(w io.Writer, version string, exchanges []*Exchange) error {
	entries := make([]object, len(exchanges))
	for i, x := range exchanges {
		entries[i] = harEntry(x)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(object{"log": object{
		"version": "1.2",
		"creator": object{"name": "Gatehouse", "version": version},
		"entries": entries,
	}})
}

// harEntry returns the entry of a request. Unknown sizes are -1, times are in milliseconds.
func harEntry(x *Exchange) object {
	request := object{
		"method":      x.Method,
		"url":         x.url(),
		"httpVersion": x.Protocol,
		"cookies":     []object{},
		"headers":     harPairs(x.Header),
		"queryString": harPairs(x.Query),
		"headersSize": -1,
		"bodySize":    -1,
	}
	if len(x.Form) > 0 {
		request["postData"] = object{
			"mimeType": valueOf(x.Header, "Content-Type"),
			"params":   harPairs(x.Form),
			"text":     encoded(x.Form),
		}
	}
	content := object{
		"size":     x.Bytes,
		"mimeType": valueOf(x.AnswerHeader, "Content-Type"),
		"text":     x.Body.Text,
	}
	if x.Body.Omitted != "" {
		content["comment"] = "not kept: " + x.Body.Omitted
	}
	entry := object{
		"startedDateTime": x.Start,
		"time":            milliseconds(x.Duration),
		"request":         request,
		"response": object{
			"status":      x.Status,
			"statusText":  http.StatusText(x.Status),
			"httpVersion": x.Protocol,
			"cookies":     []object{},
			"headers":     harPairs(x.AnswerHeader),
			"content":     content,
			"redirectURL": "",
			"headersSize": -1,
			"bodySize":    -1,
		},
		"cache": object{},
		"timings": object{
			"send":    0,
			"wait":    milliseconds(x.FirstByte),
			"receive": milliseconds(x.Duration - x.FirstByte),
		},
	}
	var comments []string
	if x.Try > 1 {
		comments = append(comments, "try "+human.Number(x.Try))
	}
	if x.Err != nil {
		comments = append(comments, x.Err.Error())
	}
	if len(comments) > 0 {
		entry["comment"] = strings.Join(comments, "; ")
	}
	return entry
}

func harPairs(pairs []Pair) []object {
	list := make([]object, len(pairs))
	for i, p := range pairs {
		list[i] = object{"name": p.Name, "value": p.Value}
	}
	return list
}

// url returns the whole URL of a request, with masks in place of secrets.
func (x *Exchange) url() string {
	text := x.Scheme + "://" + x.Host + x.Path
	if len(x.Query) > 0 {
		text += "?" + encoded(x.Query)
	}
	return text
}

// encoded writes pairs as a query or a form has them.
func encoded(pairs []Pair) string {
	list := make([]string, len(pairs))
	for i, p := range pairs {
		list[i] = url.QueryEscape(p.Name) + "=" + url.QueryEscape(p.Value)
	}
	return strings.Join(list, "&")
}

// valueOf returns the value of a header, or "" if there is none.
func valueOf(headers []Pair, name string) string {
	for _, h := range headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
