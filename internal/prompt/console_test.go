package prompt

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

func TestWhatWasReadAheadServesTheNextQuestion(t *testing.T) {
	var said bytes.Buffer
	c := NewConsole(strings.NewReader("one\r\ntwo words\nthree"), &said)
	first, err := c.Line(t.Context(), "First: ")
	if first != "one" || err != nil {
		t.Errorf("%q, %v", first, err)
	}
	second, err := c.Secret(t.Context(), "Second: ")
	if second.Reveal() != "two words" || err != nil {
		t.Errorf("%q, %v", second.Reveal(), err)
	}
	third, err := c.Line(t.Context(), "Third: ")
	if third != "three" || err != nil {
		t.Errorf("%q, %v", third, err)
	}
	if _, err := c.Line(t.Context(), "Fourth: "); !errors.Is(err, context.Canceled) {
		t.Errorf("at the end of the input: %v", err)
	}
	if got, want := said.String(), "First: \nSecond: \nThird: \nFourth: \n"; got != want {
		t.Errorf("%q was said, want %q", got, want)
	}
}

func TestAQuestionOfAConsoleEndsWithItsContext(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	c := NewConsole(read, io.Discard)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := c.Line(ctx, "Well: ")
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the answer is %v", err)
	}
}
