package check

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestATemplateKeepsNamesApart(t *testing.T) {
	values := map[string]phrase{
		"place":  joined(plain("the gateway of "), named("pier.example"), plain(", "), named("gw.pier.example")),
		"minors": listed(namedAll([]string{"quay.example", "minato.example", "lagoon.example"})),
		"said":   plain("no"),
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
		"Nothing.[ {reason}]": {{Text: "Nothing."}},
	} {
		if diff := cmp.Diff(want, fill(template, values)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", template, diff)
		}
	}
}
