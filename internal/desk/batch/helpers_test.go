package batch

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// element is what the tests ask for: {"email":...,"answer":...}, where an answer that
// begins with "no" is a failure.
type element struct {
	Email  string `json:"email"`
	Answer string `json:"answer"`
}

// outcomeIn reads an element.
func outcomeIn(text []byte) (Outcome, error) {
	var e element
	o := Outcome{State: Done}
	err := json.Unmarshal(text, &e)
	switch o.Email = e.Email; {
	case err != nil || e.Answer == "":
		return Outcome{}, errors.New("this is no result")
	case e.Answer == "not known":
		o.State, o.Cause = Unknown, Cause{What: "undecided"}
	case strings.HasPrefix(e.Answer, "no"):
		o.State, o.Cause = Failed, Cause{What: e.Answer}
	}
	return o, nil
}

func elementOf(email, answer string) []byte {
	text, err := json.Marshal(element{email, answer})
	if err != nil {
		panic(err)
	}
	return text
}

func listOf(t testing.TB, emails ...string) *List {
	t.Helper()
	list, err := Read(strings.NewReader(strings.Join(emails, "\n")), "")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// add adds the element of an address to a journal.
func add(t *testing.T, j *Journal, i int, element []byte) {
	t.Helper()
	o, err := outcomeIn(element)
	if err == nil {
		err = j.Add(i, element, o)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// answered is an answer, and its outcome.
func answered(email, answer string) Answer[string] {
	o, _ := outcomeIn(elementOf(email, answer))
	return Answer[string]{Value: answer, Outcome: o}
}
