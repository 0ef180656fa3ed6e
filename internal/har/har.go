// Package har writes requests as an HTTP Archive, the form in which browsers save their
// traffic and other programs show it.
package har

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gatehouse/api"
	"gatehouse/internal/human"
)

// Write writes requests as an HTTP Archive of version 1.2, in their order. version is that of
// the program. It has no secrets, for the exchanges have none.
func Write(w io.Writer, version string, exchanges []*api.Exchange) error {
	archive := file{log{Version: "1.2", Creator: creator{"Gatehouse", version}, Entries: []entry{}}}
	for _, x := range exchanges {
		archive.Log.Entries = append(archive.Log.Entries, entryOf(x))
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(archive)
}

// The parts of an archive are named as its specification names them. Sizes that
// are not known are -1, and times in milliseconds.
type (
	file struct {
		Log log `json:"log"`
	}
	log struct {
		Version string  `json:"version"`
		Creator creator `json:"creator"`
		Entries []entry `json:"entries"`
	}
	creator struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	entry struct {
		Started  time.Time `json:"startedDateTime"`
		Time     float64   `json:"time"`
		Request  request   `json:"request"`
		Response response  `json:"response"`
		Cache    struct{}  `json:"cache"`
		Timings  timings   `json:"timings"`
		Comment  string    `json:"comment,omitempty"`
	}
	request struct {
		Method      string `json:"method"`
		URL         string `json:"url"`
		HTTPVersion string `json:"httpVersion"`
		Cookies     []pair `json:"cookies"`
		Headers     []pair `json:"headers"`
		Query       []pair `json:"queryString"`
		PostData    *post  `json:"postData,omitempty"`
		HeadersSize int    `json:"headersSize"`
		BodySize    int    `json:"bodySize"`
	}
	post struct {
		MimeType string `json:"mimeType"`
		Params   []pair `json:"params"`
		Text     string `json:"text"`
	}
	response struct {
		Status      int     `json:"status"`
		StatusText  string  `json:"statusText"`
		HTTPVersion string  `json:"httpVersion"`
		Cookies     []pair  `json:"cookies"`
		Headers     []pair  `json:"headers"`
		Content     content `json:"content"`
		RedirectURL string  `json:"redirectURL"`
		HeadersSize int     `json:"headersSize"`
		BodySize    int64   `json:"bodySize"`
	}
	content struct {
		Size     int64  `json:"size"`
		MimeType string `json:"mimeType"`
		Text     string `json:"text,omitempty"`
		Comment  string `json:"comment,omitempty"`
	}
	pair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	timings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
)

func entryOf(x *api.Exchange) entry {
	e := entry{
		Started: x.Start,
		Time:    milliseconds(x.Duration),
		Request: request{
			Method: x.Method, URL: address(x), HTTPVersion: x.Protocol,
			Cookies: []pair{}, Headers: pairsOf(x.Header), Query: pairsOf(x.Query),
			PostData: postOf(x), HeadersSize: -1, BodySize: -1,
		},
		Response: response{
			Status: x.Status, StatusText: http.StatusText(x.Status), HTTPVersion: x.Protocol,
			Cookies: []pair{}, Headers: pairsOf(x.AnswerHeader), HeadersSize: -1, BodySize: -1,
			Content: content{
				Size: x.Bytes, MimeType: valueOf(x.AnswerHeader, "Content-Type"),
				Text: x.Body.Text,
			},
		},
		Timings: timings{Wait: milliseconds(x.FirstByte), Receive: milliseconds(x.Duration - x.FirstByte)},
	}
	if x.Body.Omitted != "" {
		e.Response.Content.Comment = "not kept: " + x.Body.Omitted
	}
	said := []string{}
	if x.Try > 1 {
		said = append(said, human.Ordinal(x.Try)+" try")
	}
	if x.Err != nil {
		said = append(said, x.Err.Error())
	}
	e.Comment = strings.Join(said, "; ")
	return e
}

func postOf(x *api.Exchange) *post {
	if len(x.Form) == 0 {
		return nil
	}
	return &post{MimeType: valueOf(x.Header, "Content-Type"), Params: pairsOf(x.Form), Text: encoded(x.Form)}
}

func pairsOf(pairs []api.Pair) []pair {
	list := make([]pair, len(pairs))
	for i, p := range pairs {
		list[i] = pair{p.Name, p.Value}
	}
	return list
}

// address is the whole address of a request, with the masks in it.
func address(x *api.Exchange) string {
	text := x.Scheme + "://" + x.Host + x.Path
	if len(x.Query) > 0 {
		text += "?" + encoded(x.Query)
	}
	return text
}

// encoded writes pairs as in an address or a form.
func encoded(pairs []api.Pair) string {
	list := make([]string, len(pairs))
	for i, p := range pairs {
		list[i] = url.QueryEscape(p.Name) + "=" + url.QueryEscape(p.Value)
	}
	return strings.Join(list, "&")
}

// valueOf is the value of a header, "" if there is none.
func valueOf(headers []api.Pair, name string) string {
	for _, h := range headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
