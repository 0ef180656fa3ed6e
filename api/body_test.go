package api

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"gatehouse/internal/text/jsonscan"
)

// flushed sends text now and goes on.
func flushed(w http.ResponseWriter, text string) {
	_, _ = io.WriteString(w, text)
	w.(http.Flusher).Flush()
}

func zipped(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
}

func open(t *testing.T, g *Gateway) *Body {
	t.Helper()
	body, err := g.Shares(t.Context(), "ann@harbor.example")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = body.Close() })
	return body
}

func TestABodyArrivesByteForByte(t *testing.T) {
	want := string(recorded(t, "shares.json"))
	for name, handler := range map[string]http.HandlerFunc{
		"at once": answer(200, "application/json", want),
		"in pieces": func(w http.ResponseWriter, _ *http.Request) {
			flushed(w, want[:1])
			flushed(w, want[1:])
		},
		"compressed": func(w http.ResponseWriter, _ *http.Request) { zipped(w, want) },
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, handler)
			all, err := open(t, newGateway(t, server.URL)).ReadAll()
			if err != nil || string(all) != want {
				t.Fatalf("ReadAll: %v, %d bytes of %d", err, len(all), len(want))
			}
			streamed, err := io.ReadAll(iotest.OneByteReader(open(t, newGateway(t, server.URL))))
			if err != nil || string(streamed) != want {
				t.Fatalf("Read: %v, %d bytes of %d", err, len(streamed), len(want))
			}
		})
	}
}

func TestABodyIsReadUpToTheLimitAndNoFurther(t *testing.T) {
	text := "[" + strings.Repeat("1", 98) + "]"
	for _, tt := range []struct {
		name    string
		limit   int64
		handler http.HandlerFunc
		over    bool
	}{
		{"exactly the limit", 100, answer(200, "application/json", text), false},
		{"one more, announced", 99, answer(200, "application/json", text), true},
		{"exactly the limit, in pieces", 100, func(w http.ResponseWriter, _ *http.Request) { flushed(w, text) }, false},
		{"one more, in pieces", 99, func(w http.ResponseWriter, _ *http.Request) { flushed(w, text) }, true},
		{"far more, in pieces", 20, func(w http.ResponseWriter, _ *http.Request) { flushed(w, text) }, true},
		{"exactly the limit, compressed", 100, func(w http.ResponseWriter, _ *http.Request) { zipped(w, text) }, false},
		{"one more, compressed", 99, func(w http.ResponseWriter, _ *http.Request) { zipped(w, text) }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGateway(t, serve(t, tt.handler).URL)
			g.Limit = tt.limit
			body, err := g.Shares(t.Context(), "a")
			var got []byte
			if err == nil {
				got, err = body.ReadAll()
			}
			limit, over := errors.AsType[*LimitError](err)
			if over != tt.over || over && (limit.Limit != tt.limit || !limit.List) {
				t.Fatalf("got %v after %d bytes", err, len(got))
			}
			if int64(len(got)) > tt.limit || !over && string(got) != text {
				t.Fatalf("read %d bytes with a limit of %d", len(got), tt.limit)
			}
			if body != nil && body.Received() != int64(len(got)) {
				t.Errorf("%d bytes were received, %d are counted", len(got), body.Received())
			}
		})
	}
}

func TestABodyThatIsCutOffSaysHowMuchCame(t *testing.T) {
	noise := make([]byte, 4000)
	_, _ = rand.Read(noise) // what does not compress
	archive := httptest.NewRecorder()
	zipped(archive, "["+fmt.Sprintf("%x", noise)+"]")
	cutArchive := archive.Body.String()[:archive.Body.Len()/2]

	for _, tt := range []struct{ name, answer, came, detail string }{
		{"before its length", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n[1,2,3", "[1,2,3", "an answer that was cut off after 6 of 50 bytes"},
		{"between chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n", "[1,", "an answer that was cut off after 3 bytes"},
		{"within a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n[1,", "[1,", "an answer that was cut off after 3 bytes"},
		{"with a chunk that is none", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\nzz\r\n", "[1,", "an answer that was cut off after 3 bytes"},
		{"compressed", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + cutArchive, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := open(t, newGateway(t, serve(t, raw(tt.answer)).URL)).ReadAll()
			cut, ok := errors.AsType[*BodyError](err)
			if !ok || !errors.Is(err, io.ErrUnexpectedEOF) || cut.Status != http.StatusOK {
				t.Fatalf("got %v, want a cut body", err)
			}
			if tt.came != "" && (string(got) != tt.came || cut.Detail != tt.detail) {
				t.Fatalf("got %q with %q", got, cut.Detail)
			}
			if tt.came == "" && !strings.HasSuffix(cut.Detail, fmt.Sprintf("after %d bytes", len(got))) {
				t.Fatalf("%d bytes came with %q", len(got), cut.Detail)
			}
		})
	}
}

func TestABodyThatHasEndedStaysSo(t *testing.T) {
	const list = "[1,2,3]"
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		isEnd   func(error) bool
	}{
		"whole":    {answer(200, "application/json", list), func(err error) bool { return err == io.EOF }},
		"too long": {raw("HTTP/1.1 200 OK\r\n\r\n" + list + " "), isA[*LimitError]},
		"cut off":  {raw("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n" + list), isA[*BodyError]},
	} {
		t.Run(name, func(t *testing.T) {
			gateway := newGateway(t, serve(t, tt.handler).URL)
			gateway.Limit = int64(len(list))
			if name == "cut off" {
				gateway.Limit = 50
			}
			body := open(t, gateway)
			read, end := 0, error(nil)
			for piece := make([]byte, 1); end == nil; {
				var n int
				n, end = body.Read(piece)
				if read += n; n == 0 && end == nil {
					t.Fatal("nothing was read, and it goes on")
				}
			}
			if read != len(list) || !tt.isEnd(end) {
				t.Errorf("after %d bytes: %v", read, end)
			}
			for range 2 {
				if n, err := body.Read(make([]byte, 9)); n != 0 || err != end {
					t.Errorf("after the end: %d bytes, %v", n, err)
				}
			}
			if n, err := open(t, gateway).Read(nil); n != 0 || err != nil {
				t.Errorf("into nothing: %d bytes, %v", n, err)
			}
		})
	}
}

// isA reports whether an error wraps one of a type.
func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func TestALengthThatIsNotAnnouncedHasALowerLimit(t *testing.T) {
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		limit   int64 // of the gateway
		want    int64
	}{
		"announced":              {answer(200, "application/json", "[]"), 0, DefaultBodyLimit},
		"not announced":          {func(w http.ResponseWriter, _ *http.Request) { flushed(w, "[]") }, 0, UnannouncedBodyLimit},
		"compressed":             {func(w http.ResponseWriter, _ *http.Request) { zipped(w, "[]") }, 0, UnannouncedBodyLimit},
		"with one of the caller": {func(w http.ResponseWriter, _ *http.Request) { flushed(w, "[]") }, 10, 10},
	} {
		gateway := newGateway(t, serve(t, tt.handler).URL)
		gateway.Limit = tt.limit
		if got := open(t, gateway).limit; got != tt.want {
			t.Errorf("%s: %d bytes, want %d", name, got, tt.want)
		}
	}
}

func TestACompressedBodyThatIsDamagedIsCalledThat(t *testing.T) {
	archive := httptest.NewRecorder()
	zipped(archive, "["+strings.Repeat("1,2,", 1000)+"3]")
	for name, damage := range map[string]func(text []byte){
		"its beginning": func(text []byte) { text[0] = 0 },
		"its content":   func(text []byte) { text[10] = 0xff },
		"its checksum":  func(text []byte) { text[len(text)-8] ^= 1 },
	} {
		text := archive.Body.Bytes()
		text = append([]byte(nil), text...)
		damage(text)
		server := serve(t, raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"+string(text)))
		err := drained(newGateway(t, server.URL).Shares(t.Context(), "a"))
		damaged, ok := errors.AsType[*BodyError](err)
		if !ok || damaged.Detail != "a damaged compressed answer" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnAnswerWithoutABodyIsABodyWithoutAByte(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"announced":     answer(200, "application/json", ""),
		"not announced": func(w http.ResponseWriter, _ *http.Request) { flushed(w, "") },
	} {
		text, err := open(t, newGateway(t, serve(t, handler).URL)).ReadAll()
		if err != nil || len(text) > 0 {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestAnAnswerOfWhichNothingComesIsNone(t *testing.T) {
	server := serve(t, raw("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n"))
	if body, err := newGateway(t, server.URL).Shares(t.Context(), "a"); body != nil || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

func TestInvalidJSONInACompleteAnswerIsSaidOfTheAnswer(t *testing.T) {
	body := open(t, newGateway(t, serve(t, answer(200, "application/json", "[1,]")).URL))
	syntax := &jsonscan.SyntaxError{}
	err := body.Unreadable(syntax)
	invalid, ok := errors.AsType[*BodyError](err)
	if !ok || !errors.Is(err, syntax) || invalid.Err != error(syntax) || invalid.Status != http.StatusOK {
		t.Errorf("got %+v", err)
	}
	if err := body.Unreadable(io.EOF); err != io.EOF {
		t.Errorf("another error has become %v", err)
	}
}

func TestAFailureOfAConnectionIsNotACutAnswer(t *testing.T) {
	refused := &net.OpError{Op: "read", Err: errors.New("odd")} // which has a Timeout, and is none
	for failure, want := range map[error]func(error) bool{
		os.ErrDeadlineExceeded: isA[*TransportError],
		refused:                isA[*BodyError],
	} {
		client := roundTripFunc(func(*http.Request) (*http.Response, error) {
			text := io.MultiReader(strings.NewReader("[1,"), iotest.ErrReader(failure))
			return &http.Response{StatusCode: 200, Header: http.Header{}, ContentLength: -1, Body: io.NopCloser(text)}, nil
		})
		_, err := open(t, &Gateway{HTTP: over(client), BaseURL: "https://a.example"}).ReadAll()
		if !want(err) {
			t.Errorf("%v: %T %v", failure, err, err)
		}
	}
}

// A transport of somebody else's may have another word for it.
func TestACallThatWasCancelledIsCancelledWhateverItsTransportSays(t *testing.T) {
	ctx, cancel := cancellable(t)
	client := roundTripFunc(func(*http.Request) (*http.Response, error) {
		cancel()
		return nil, io.EOF
	})
	for name, call := range everyCallWith(over(client), "https://a.example") {
		failed, ok := errors.AsType[*TransportError](call(ctx))
		if !ok || failed.Cause() != CauseCancelled || failed.Host != "a.example" {
			t.Errorf("%s: %+v", name, failed)
		}
	}
}

func TestASlowReaderIsNoStall(t *testing.T) {
	source := &stallReader{source: strings.NewReader("abc"), waiting: &patience{left: stallLimit}}
	if _, err := source.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if source.waiting.timer.Stop() {
		t.Fatal("the watch goes on between two reads")
	}
}

func TestClosingOrCancellingABodyEndsTheRequest(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		gone := make(chan struct{})
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			flushed(w, "[1,")
			hang(w, r)
			close(gone)
		})
		ctx, cancel := cancellable(t)
		body, err := newGateway(t, server.URL).Shares(ctx, "a")
		if err != nil || body.ContentLength() != -1 {
			t.Fatalf("got %v, %d bytes announced", err, body.ContentLength())
		}
		if cancelled {
			cancel()
			_, err := body.ReadAll()
			if _, ok := errors.AsType[*TransportError](err); !ok || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want a cancelled request", err)
			}
			<-gone
			continue
		}
		if err := body.Close(); err != nil {
			t.Fatal(err)
		}
		<-gone
		if _, err := body.Read(make([]byte, 1)); !errors.Is(err, http.ErrBodyReadAfterClose) {
			t.Errorf("reading a closed body gives %v", err)
		}
		if err := body.Close(); err != nil {
			t.Errorf("closing twice: %v", err)
		}
	}
}
