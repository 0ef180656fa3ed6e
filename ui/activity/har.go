package activity

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gatehouse/api"
)

// WriteHAR writes requests as an HTTP Archive of version 1.2, in their order.
// version is that of the program. It has no secrets, for the exchanges have none.
func WriteHAR(w io.Writer, version string, exchanges []*api.Exchange) error {
	file := harFile{harLog{Version: "1.2", Creator: harCreator{"Gatehouse", version}, Entries: []harEntry{}}}
	for _, x := range exchanges {
		file.Log.Entries = append(file.Log.Entries, harEntryOf(x))
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(file)
}

// The parts of an archive are named as its specification names them. Sizes that
// are not known are -1, and times in milliseconds.
type (
	harFile struct {
		Log harLog `json:"log"`
	}
	harLog struct {
		Version string     `json:"version"`
		Creator harCreator `json:"creator"`
		Entries []harEntry `json:"entries"`
	}
	harCreator struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	harEntry struct {
		Started  time.Time   `json:"startedDateTime"`
		Time     float64     `json:"time"`
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  harTimings  `json:"timings"`
		Comment  string      `json:"comment,omitempty"`
	}
	harRequest struct {
		Method      string    `json:"method"`
		URL         string    `json:"url"`
		HTTPVersion string    `json:"httpVersion"`
		Cookies     []harPair `json:"cookies"`
		Headers     []harPair `json:"headers"`
		Query       []harPair `json:"queryString"`
		PostData    *harPost  `json:"postData,omitempty"`
		HeadersSize int       `json:"headersSize"`
		BodySize    int       `json:"bodySize"`
	}
	harPost struct {
		MimeType string    `json:"mimeType"`
		Params   []harPair `json:"params"`
		Text     string    `json:"text"`
	}
	harResponse struct {
		Status      int        `json:"status"`
		StatusText  string     `json:"statusText"`
		HTTPVersion string     `json:"httpVersion"`
		Cookies     []harPair  `json:"cookies"`
		Headers     []harPair  `json:"headers"`
		Content     harContent `json:"content"`
		RedirectURL string     `json:"redirectURL"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int64      `json:"bodySize"`
	}
	harContent struct {
		Size     int64  `json:"size"`
		MimeType string `json:"mimeType"`
		Text     string `json:"text,omitempty"`
		Comment  string `json:"comment,omitempty"`
	}
	harPair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	harTimings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
)

func harEntryOf(x *api.Exchange) harEntry {
	e := harEntry{
		Started: x.Start,
		Time:    milliseconds(x.Duration),
		Request: harRequest{
			Method: x.Method, URL: address(x), HTTPVersion: x.Protocol,
			Cookies: []harPair{}, Headers: harPairs(x.Header), Query: harPairs(x.Query),
			PostData: harPostOf(x), HeadersSize: -1, BodySize: -1,
		},
		Response: harResponse{
			Status: x.Status, StatusText: http.StatusText(x.Status), HTTPVersion: x.Protocol,
			Cookies: []harPair{}, Headers: harPairs(x.AnswerHeader), HeadersSize: -1, BodySize: -1,
			Content: harContent{
				Size: x.Bytes, MimeType: valueOf(x.AnswerHeader, "Content-Type"),
				Text: x.Body.Text, Comment: harComment(x.Body),
			},
		},
		Timings: harTimings{Wait: milliseconds(x.FirstByte), Receive: milliseconds(x.Duration - x.FirstByte)},
	}
	said := []string{}
	if x.Try > 1 {
		said = append(said, ordinal(x.Try)+" try")
	}
	if x.Err != nil {
		said = append(said, x.Err.Error())
	}
	e.Comment = strings.Join(said, "; ")
	return e
}

func harPostOf(x *api.Exchange) *harPost {
	if len(x.Form) == 0 {
		return nil
	}
	return &harPost{MimeType: valueOf(x.Header, "Content-Type"), Params: harPairs(x.Form), Text: encoded(x.Form)}
}

func harComment(body api.Excerpt) string {
	switch {
	case body.Omitted != "":
		return "not kept: " + body.Omitted
	case body.Cut && body.JSON:
		return "the beginning alone, closed to be valid JSON"
	case body.Cut:
		return "the beginning alone"
	}
	return ""
}

func harPairs(pairs []api.Pair) []harPair {
	list := make([]harPair, len(pairs))
	for i, p := range pairs {
		list[i] = harPair{p.Name, p.Value}
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
