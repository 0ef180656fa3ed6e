package hostname

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAddressesAsPeopleWriteAndPasteThem(t *testing.T) {
	const ada = "ada@harbor.example"
	for _, tt := range []struct {
		text, want string
		off        TakenOff
	}{
		{ada, ada, 0},
		{"søren@blåbær.example", "søren@blåbær.example", 0},
		{"ada+x'y=z@harbor.example", "ada+x'y=z@harbor.example", 0},
		{"{ada}@harbor.example", "{ada}@harbor.example", 0},
		{"'ada@harbor.example", "'ada@harbor.example", 0},
		{"o'brien@harbor.example", "o'brien@harbor.example", 0},
		{"ﬁona@harbor.example", "ﬁona@harbor.example", 0}, // fi may be another person
		{"نامه\u200cها@harbor.example", "نامه\u200cها@harbor.example", 0},

		{"-ada@harbor.example", "-ada@harbor.example", 0}, // no bullet without a blank
		{"1.ada@harbor.example", "1.ada@harbor.example", 0},
		{"ada%40b@harbor.example", "ada%40b@harbor.example", 0},

		{"- ada@harbor.example", ada, OffSigns},
		{"* ada@harbor.example", ada, OffSigns},
		{"•ada@harbor.example", ada, OffSigns},
		{"12. ada@harbor.example", ada, OffSigns},
		{"(3) ada@harbor.example", ada, OffName},
		{"ada%40harbor.example", ada, OffEscapes},
		{"<li>ada@harbor.example</li>", ada, OffMarkup | OffBlanks},
		{`<a href="mailto:ada%40harbor.example?subject=Hi">Ada</a>`, ada, OffMarkup},
		{"<A class=x HREF='mailto:ada@harbor.example'>ada@harbor.example</A>", ada, OffMarkup},

		{"  ada@harbor.example\r\n", ada, OffBlanks},
		{"\u00a0ada@harbor.example\u00a0", ada, OffBlanks},
		{"\u3000ada@harbor.example\u2003", ada, OffBlanks},

		{"ada@harbor.example\u200b", ada, OffInvisible},
		{"ada\u200b@harbor.example", ada, OffInvisible},
		{"\ufeffada@harbor.example", ada, OffInvisible},
		{"ada@har\u00adbor.example", ada, OffInvisible},
		{"\u200eada@harbor.example\u200e", ada, OffInvisible},
		{"\u202aada@harbor.example\u202c", ada, OffInvisible},
		{"\u2068ada@harbor.example\u2069", ada, OffInvisible},
		{"ada\u2060@harbor.example", ada, OffInvisible},
		{"ada\u200d@harbor.example", ada, OffInvisible},
		{"ada\ufe0f@harbor.example", ada, OffInvisible},
		{"ada\U000e0041@harbor.example", ada, OffInvisible},
		{" \u200b ada@harbor.example \u200b ", ada, OffInvisible | OffBlanks},

		{"ada＠harbor.example", ada, OffWidth},
		{"ada@harbor．example", ada, OffWidth},
		{"ada＠harbor。example", ada, OffWidth},
		{"ada@harbor｡example", ada, OffWidth},
		{"ａｄａ＠ｈａｒｂｏｒ．ｅｘａｍｐｌｅ", ada, OffWidth},
		{"ada﹫harbor﹒example", ada, OffWidth},
		{"ａｄａ＋１＠harbor.example", "ada+1@harbor.example", OffWidth},

		{"jose\u0301@harbor.example", "jos\u00e9@harbor.example", OffSpelling},
		{"ada@blåba\u0308r.example", "ada@blåbär.example", OffSpelling},

		{"Ada@Harbor.EXAMPLE", "Ada@harbor.example", OffCase},
		{"ada@BLÅBÆR.example", "ada@blåbær.example", OffCase},

		{"mailto:ada@harbor.example", ada, OffScheme},
		{"MailTo:ada@harbor.example?subject=Help%20me", ada, OffScheme},
		{"mailto:ada%40harbor.example", ada, OffScheme},
		{"mailto:ada%2Bx@harbor.example?cc=ben@harbor.example", "ada+x@harbor.example", OffScheme},
		{"mailto://ada@harbor.example", ada, OffScheme},
		{"mailto:?to=ada%40harbor.example", ada, OffScheme},
		{"<mailto:ada@harbor.example>", ada, OffScheme | OffName},
		{"<mailto:ada@harbor.example|ada@harbor.example>", ada, OffScheme | OffName},
		{"ada@harbor.example<mailto:ada@harbor.example>", ada, OffScheme | OffName},
		{"[ada@harbor.example](mailto:ada@harbor.example)", ada, OffScheme | OffName},

		{"Ada Lindqvist <ada@harbor.example>", ada, OffName},
		{"<ada@harbor.example>", ada, OffName},
		{`"Lindqvist, Ada" <ada@harbor.example>`, ada, OffName},
		{`"Ada ""A"" <ada@harbor.example>"`, ada, OffName},
		{"Lindqvist, Ada <ada@harbor.example>", ada, OffName},
		{"Ada <ada@harbor.example", ada, OffName},
		{"< ada@harbor.example >;", ada, OffName},
		{"Ada\u00a0Lindqvist <Ada@Harbor.Example>", "Ada@harbor.example", OffName | OffCase},
		{"ada@harbor.example <ada@harbor.example>", ada, OffName},
		{"ada@home.example <ada@harbor.example>", ada, OffName},
		{`"ada@home" <ada@harbor.example>`, ada, OffName},
		{"ada@harbor.example (Ada Lindqvist)", ada, OffName},
		{"Ada Lindqvist (ada@harbor.example)", ada, OffName},
		{"(ada@harbor.example)", ada, OffName},
		{"M\xfcller <m@harbor.example>", "m@harbor.example", OffName},

		{`"ada@harbor.example"`, ada, OffSigns},
		{"'ada@harbor.example'", ada, OffSigns},
		{"“ada@harbor.example”", ada, OffSigns},
		{"„ada@harbor.example“", ada, OffSigns},
		{"«ada@harbor.example»", ada, OffSigns},
		{"ada@harbor.example.", ada, OffSigns},
		{"ada@harbor.example,", ada, OffSigns},
		{"ada@harbor.example; ", ada, OffSigns | OffBlanks},
		{"; ada@harbor.example", ada, OffSigns},
		{"ada@harbor.example。", ada, OffSigns},
		{"ada＠harbor．example，", ada, OffSigns | OffWidth},
		{"> ada@harbor.example", ada, OffSigns},

		{"Ada Lindqvist\tada@harbor.example\t+45 12 34", ada, OffCells},
		{"ada@harbor.example\t", ada, OffBlanks},
		{"\"Lindqvist, Ada\"\t\"ada@harbor.example\"", ada, OffCells | OffSigns},
		{"Ada Lindqvist\nada@harbor.example\n", ada, OffCells | OffBlanks},
		{"ada@harbor.example, ADA@HARBOR.EXAMPLE", ada, 0},
	} {
		got, err := CleanEmail(tt.text)
		if err != nil || got != (Email{tt.want, tt.off}) {
			t.Errorf("%q: %q, off %b, %v; want %q, off %b", tt.text, got.Address, got.Off, err, tt.want, tt.off)
		}
		if again, err := CleanEmail(got.Address); again.Address != got.Address || again.Off != 0 || err != nil {
			t.Errorf("%q is cleaned once more: %q, off %b, %v", got.Address, again.Address, again.Off, err)
		}
	}
}

func TestWhatIsNoAddressSaysWhy(t *testing.T) {
	long := strings.Repeat("x", 300)
	for text, want := range map[string]string{
		"":                                       `there is no e-mail address`,
		"\u200b":                                 `there is no e-mail address`,
		"nobody":                                 `"nobody" is not an e-mail address: it has no @`,
		"mailto:":                                `there is no e-mail address`,
		"a@b@c":                                  `"a@b@c" is not an e-mail address: it needs one @, with text on both sides`,
		"@b":                                     `"@b" is not an e-mail address: it needs one @, with text on both sides`,
		"a@":                                     `"a@" is not an e-mail address: it needs one @, with text on both sides`,
		"no one@harbor.example":                  `"no one@harbor.example" is not an e-mail address: it contains a blank`,
		"no\u00a0one@harbor.example":             `"no\u00a0one@harbor.example" is not an e-mail address: it contains a no-break space (U+00A0)`,
		"ada@ harbor.example":                    `"ada@ harbor.example" is not an e-mail address: it contains a blank`,
		"a,da@harbor.example":                    `"a,da@harbor.example" is not an e-mail address: it contains a comma`,
		"ada@harbor,example":                     `"ada@harbor,example" is not an e-mail address: it contains a comma`,
		"a@b.example;c":                          `"a@b.example;c" is not an e-mail address: it contains a semicolon`,
		"E-mail: ada@harbor.example":             `"E-mail: ada@harbor.example" is not an e-mail address: it contains a colon`,
		`ada\x@harbor.example`:                   `"ada\\x@harbor.example" is not an e-mail address: it contains a backslash`,
		"ad<a@harbor.example":                    `"ad<a@harbor.example" is not an e-mail address: it contains the sign <`,
		"ad(a@harbor.example)":                   `"ad(a@harbor.example" is not an e-mail address: it contains the sign (`,
		"ada\x1b[2J@harbor.example":              `"ada␛[2J@harbor.example" is not an e-mail address: it contains the control character U+001B`,
		"mailto:a%00da@harbor.example":           `"a�da@harbor.example" is not an e-mail address: it contains a character that could not be read (U+FFFD)`,
		"mailto:ada%0Abcc@harbor.example":        `"ada�bcc@harbor.example" is not an e-mail address: it contains a character that could not be read (U+FFFD)`,
		"\xff@b":                                 `"` + "\ufffd" + `@b" is not an e-mail address: it contains a character that could not be read (U+FFFD)`,
		long + "@harbor.example":                 `"` + long[:59] + `…" is not an e-mail address: it is longer than 254 characters`,
		"ada@harbor.example; ben@harbor.example": `"ada@harbor.example; ben@harbor.example" is not an e-mail address: it has 2 addresses`,
		"mailto:ada@harbor.example,ben@harbor.example":  `"ada@harbor.example, ben@harbor.example" is not an e-mail address: it has 2 addresses`,
		"ada@harbor.example\tben@harbor.example\tc@d.e": `"ada@harbor.example␉ben@harbor.example␉c@d.e" is not an e-mail address: it has 3 addresses`,
	} {
		email, err := ParseEmail(text)
		if err == nil || err.Error() != want {
			t.Errorf("%.60q: %v\nwant %s", text, err, want)
		}
		if again, err := ParseEmail(email); again != email || err == nil {
			t.Errorf("%.40q is %.40q, and that is %.40q", text, email, again)
		}
	}
}

func TestSeveralAddressesAreSeparated(t *testing.T) {
	const both = "ada@a.example ben@b.example"
	for text, want := range map[string]string{
		"":                                     "",
		"nobody":                               "nobody",
		"no one@a.example":                     "no one@a.example",
		"Lindqvist, Ada <ada@a.example>":       "ada@a.example",
		"ada@a.example;ben@b.example":          both,
		"ada@a.example, ben@b.example,":        both,
		"ada@a.example ben@b.example":          both,
		"ada@a.example\nben@b.example\n":       both,
		"ada@a.example\tben@b.example":         both,
		"ada@a.example、ben＠b.example":          both,
		"ada@a.example and ben@b.example":      both,
		"Ada ada@a.example, Ben ben@b.example": both,
		`"ada@a.example" "ben@b.example"`:      both,
		"mailto:ada@a.example,ben@b.example":   both,
		"Lindqvist, Ada <ada@a.example>; Smith, Ben <ben@b.example>":   both,
		"Ada <ada@a.example> Ben <ben@b.example>":                      both,
		`"Lindqvist, Ada" <ada@a.example>, "Ben; B." <ben@b.example>`:  both,
		"ada@a.example <ada@a.example>; ben@b.example <ben@b.example>": both,
		"ada@a.example (Ada; at home), ben@b.example":                  both,
		"Ada\tada@a.example\t12\nBen\tben@b.example\t13":               both,
	} {
		var got []string
		for email := range Emails(text) {
			got = append(got, email.Address)
		}
		if wanted := strings.Split(want, " "); want == both && !slices.Equal(got, wanted) {
			t.Errorf("%q: %q", text, got)
		}
		if want != both && (len(got) != 1 || got[0] != want) {
			t.Errorf("%q: %q", text, got)
		}
		if HasSeveral(text) != (len(got) > 1) {
			t.Errorf("%q has several: %v", text, HasSeveral(text))
		}
	}
}

// Whatever a text is, an address that comes out of it is clean, and separating takes no time to
// speak of.
func FuzzCleanEmail(f *testing.F) {
	for _, text := range []string{"Ada <ada@harbor.example>", "mailto:a%40b?x", "a@b;c@d", "<<<((\"\"@@", "\u200d＠\u3002", "'a@b'"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := CleanEmail(text)
		if !utf8.ValidString(got.Address) {
			t.Fatalf("%q: %q is not UTF-8", text, got.Address)
		}
		if err != nil {
			return
		}
		if again, err := CleanEmail(got.Address); err != nil || again.Address != got.Address {
			t.Fatalf("%q is %q, and that is %q, %v", text, got.Address, again.Address, err)
		}
	})
}
