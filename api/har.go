package api

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// WriteHAR writes requests as an HTTP Archive of version 1.2, in their order: the form in which
// browsers save their traffic and other programs show it. version is that of the program. It has
// no secrets, for the exchanges have none.
func WriteHAR(w io.Writer, version string, exchanges []*Exchange) error {
	var archive struct {
		Log struct {
			Version string `json:"version"`
			Creator struct {
				Name    string `json:"name"`
				Version string `json:"version"`
			} `json:"creator"`
			Entries []harEntry `json:"entries"`
		} `json:"log"`
	}
	log := &archive.Log
	log.Version, log.Creator.Name, log.Creator.Version, log.Entries = "1.2", "Gatehouse", version, []harEntry{}
	for _, x := range exchanges {
		log.Entries = append(log.Entries, newHAREntry(x))
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(archive)
}

// harEntry is a request in an archive. The parts are named as the specification names them. Sizes
// that are not known are -1, and times in milliseconds.
type harEntry struct {
	Started time.Time `json:"startedDateTime"`
	Time    float64   `json:"time"`
	Request struct {
		Method      string    `json:"method"`
		URL         string    `json:"url"`
		HTTPVersion string    `json:"httpVersion"`
		Cookies     []harPair `json:"cookies"`
		Headers     []harPair `json:"headers"`
		Query       []harPair `json:"queryString"`
		PostData    *harPost  `json:"postData,omitempty"`
		HeadersSize int       `json:"headersSize"`
		BodySize    int       `json:"bodySize"`
	} `json:"request"`
	Response struct {
		Status      int       `json:"status"`
		StatusText  string    `json:"statusText"`
		HTTPVersion string    `json:"httpVersion"`
		Cookies     []harPair `json:"cookies"`
		Headers     []harPair `json:"headers"`
		Content     struct {
			Size     int64  `json:"size"`
			MimeType string `json:"mimeType"`
			Text     string `json:"text,omitempty"`
			Comment  string `json:"comment,omitempty"`
		} `json:"content"`
		RedirectURL string `json:"redirectURL"`
		HeadersSize int    `json:"headersSize"`
		BodySize    int64  `json:"bodySize"`
	} `json:"response"`
	Cache   struct{} `json:"cache"`
	Timings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	} `json:"timings"`
	Comment string `json:"comment,omitempty"`
}

type harPost struct {
	MimeType string    `json:"mimeType"`
	Params   []harPair `json:"params"`
	Text     string    `json:"text"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func newHAREntry(x *Exchange) harEntry {
	e := harEntry{Started: x.Start, Time: milliseconds(x.Duration)}
	q, a := &e.Request, &e.Response
	q.Method, q.URL, q.HTTPVersion = x.Method, x.address(), x.Protocol
	q.Cookies, q.Headers, q.Query, q.HeadersSize, q.BodySize = []harPair{}, harPairs(x.Header), harPairs(x.Query), -1, -1
	if len(x.Form) > 0 {
		q.PostData = &harPost{MimeType: valueOf(x.Header, "Content-Type"), Params: harPairs(x.Form), Text: encoded(x.Form)}
	}
	a.Status, a.StatusText, a.HTTPVersion = x.Status, http.StatusText(x.Status), x.Protocol
	a.Cookies, a.Headers, a.HeadersSize, a.BodySize = []harPair{}, harPairs(x.AnswerHeader), -1, -1
	a.Content.Size, a.Content.MimeType, a.Content.Text = x.Bytes, valueOf(x.AnswerHeader, "Content-Type"), x.Body.Text
	if x.Body.Omitted != "" {
		a.Content.Comment = "not kept: " + x.Body.Omitted
	}
	e.Timings.Wait, e.Timings.Receive = milliseconds(x.FirstByte), milliseconds(x.Duration-x.FirstByte)
	var said []string
	if x.Try > 1 {
		said = append(said, human.Ordinal(x.Try)+" try")
	}
	if x.Err != nil {
		said = append(said, x.Err.Error())
	}
	e.Comment = strings.Join(said, "; ")
	return e
}

func harPairs(pairs []Pair) []harPair {
	list := make([]harPair, len(pairs))
	for i, p := range pairs {
		list[i] = harPair{p.Name, p.Value}
	}
	return list
}

// address is the whole address of a request, with the masks in it.
func (x *Exchange) address() string {
	text := x.Scheme + "://" + x.Host + x.Path
	if len(x.Query) > 0 {
		text += "?" + encoded(x.Query)
	}
	return text
}

// encoded writes pairs as in an address or a form.
func encoded(pairs []Pair) string {
	list := make([]string, len(pairs))
	for i, p := range pairs {
		list[i] = url.QueryEscape(p.Name) + "=" + url.QueryEscape(p.Value)
	}
	return strings.Join(list, "&")
}

// valueOf is the value of a header, "" if there is none.
func valueOf(headers []Pair, name string) string {
	for _, h := range headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
