package check

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/problem"
)

func TestATemplateKeepsNamesApart(t *testing.T) {
	values := map[string]phrase{
		"place":  joined(plain("the gateway of "), named("pier.example"), plain(", "), named("gw.pier.example")),
		"minors": listed(namedAll([]string{"quay.example", "minato.example", "lagoon.example"})),
		"said":   plain("no"),
		"email":  namedPerson("k@pier.example"),
		"host":   named("gw.pier.example"),
	}
	values["Place"] = values["place"].upperFirst()
	for template, want := range map[string]phrase{
		"{Place} refuses it[ and says: {said}].": {
			{Text: "The gateway of "}, {Text: "pier.example", IsName: true}, {Text: ", "},
			{Text: "gw.pier.example", IsName: true}, {Text: " refuses it and says: "}, {Text: "no"}, {Text: "."},
		},
		"[{reason}. ]Others: {minors}": {
			{Text: "Others: "}, {Text: "quay.example", IsName: true}, {Text: ", "},
			{Text: "minato.example", IsName: true}, {Text: " and "}, {Text: "lagoon.example", IsName: true},
		},
		"{email} and {host}": {
			{Text: "k@pier.example", IsName: true, IsPerson: true}, {Text: " and "}, {Text: "gw.pier.example", IsName: true},
		},
		"Nothing.[ {reason}]": {{Text: "Nothing."}},
	} {
		if diff := cmp.Diff(want, fill(template, values)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", template, diff)
		}
	}
}

func TestASentenceIsAboutAnotherPerson(t *testing.T) {
	v := Verdict{Parts: joined(plain("The look-up of "), namedPerson("k@pier.example"), plain(" answered for "), named("ada.k@pier.example"), plain("."))}
	v.Sentence = phrase(v.Parts).String()
	if got, want := v.SentenceAbout("the person"), "The look-up of the person answered for ada.k@pier.example."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if v.Sentence != "The look-up of k@pier.example answered for ada.k@pier.example." {
		t.Errorf("the verdict has changed: %q", v.Sentence)
	}
	read := Verdict{Sentence: "A sentence that was read."}
	if got := read.SentenceAbout("the person"); got != read.Sentence {
		t.Errorf("got %q", got)
	}
}

func TestTheWordsOfAFaceHaveTheirCommands(t *testing.T) {
	s := &scene{face: Face{Words: map[problem.Help]string{
		problem.HelpSetClientSecret: "`gatehouse config set-secret` sets it; so does `gatehouse init`.",
	}}}
	step := s.worded(Step{Text: "It has no secret.", Help: problem.HelpSetClientSecret})
	want := phrase{
		{Text: "It has no secret. "}, {Text: "gatehouse config set-secret", IsCommand: true},
		{Text: " sets it; so does "}, {Text: "gatehouse init", IsCommand: true}, {Text: "."},
	}
	if diff := cmp.Diff(want, step.phrase()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	read, rest := withCommands(step.Sentence(), append(want.commands(), "of another step"))
	if diff := cmp.Diff(want, read); diff != "" || len(rest) != 1 {
		t.Errorf("read again, with %q left (-want +got):\n%s", rest, diff)
	}
}
