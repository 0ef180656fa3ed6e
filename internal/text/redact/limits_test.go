package redact

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// requireIn checks whether a text repeats one of the secrets that were sent.
func requireIn(t *testing.T, want bool, text string, sent ...string) {
	t.Helper()
	var s Secrets
	s.Add(sent...)
	if got := s.In(text); got != want {
		t.Errorf("%q in %q: %v", sent, text, got)
	}
}

// lettersFor are as many different letters as asked for: no part of them stands in them twice.
func lettersFor(count int) string {
	var b strings.Builder
	for i := 0; b.Len() < count; i++ {
		fmt.Fprintf(&b, "%c%c%c", 'g'+i%20, 'g'+i/20%20, 'a'+i%5)
	}
	return b.String()[:count]
}

// What is taken for encoded has three bytes: fewer say anything by chance.
func TestTwoBytesAreNotTakenForEncoded(t *testing.T) {
	for _, tt := range []struct {
		secret, text string
		want         bool
	}{
		{"kä", "6bc3a4", true},
		{"ä", "c3a4", false},
		{"kä", "a8Ok", true},
		{"ä", "w6Q=", false},
		{"ä", "xw6Q", false},
		{"kä", "107 195 164", true},
		{"ä", "195 164", false},
		{"kä", "107 195 164 bytes", true},
		{"ä", "195 164 bytes", false},
		{"a b", base64.StdEncoding.EncodeToString([]byte("é.a bé")), true},
		{"a b", base64.StdEncoding.EncodeToString([]byte("éa bé")), false},
	} {
		requireIn(t, tt.want, tt.text, tt.secret)
	}
}

// Of a secret with less than four letters, what is decoded may have a part by chance.
func TestHowShortASecretIsFoundInsideOfWhatIsDecoded(t *testing.T) {
	for length := 1; length <= minLong+1; length++ {
		secret := lettersFor(length)
		requireIn(t, length >= minCut, hex.EncodeToString([]byte("z"+secret+"z")), secret)
		requireIn(t, true, hex.EncodeToString([]byte(secret)), secret)
		requireIn(t, length >= minLong, "z"+secret+"z", secret)
	}
}

func TestHowOftenATextIsDecoded(t *testing.T) {
	text := "ada:demo7!x"
	for layer := range maxLayers + 1 {
		text = base64.StdEncoding.EncodeToString([]byte(text))
		requireIn(t, layer < maxLayers, text, "demo7!x")
	}
}

// Base64 has line breaks, also where it stands in what is Base64 itself.
func TestLinesOfBase64InBase64AreOne(t *testing.T) {
	inner := base64.StdEncoding.EncodeToString([]byte("ada:canary-password-7"))
	for _, lineBreak := range []string{"\n", "\r\n"} {
		lines := inner[:12] + lineBreak + inner[12:]
		requireIn(t, true, base64.StdEncoding.EncodeToString([]byte(lines)), "canary-password-7")
	}
}

func TestHowOftenEscapesAreUndone(t *testing.T) {
	for round := 1; round <= maxRounds+1; round++ {
		escaped := "d%" + strings.Repeat("25", round-1) + "65mo7"
		requireIn(t, round <= maxRounds, escaped, "demo7")
	}
	requireIn(t, true, `\x{00000064}emo7`, "demo7")
	requireIn(t, false, `\x{000000064}emo7`, "demo7")
}

// A long secret is known by either end, a shorter one as a whole.
func TestHowMuchOfALongSecretIsARepetition(t *testing.T) {
	short, long := lettersFor(2*pieceLength-1), lettersFor(2*pieceLength)
	for _, tt := range []struct {
		secret, part string
		want         bool
	}{
		{short, short, true},
		{short, short[1:], false},
		{short, short[:len(short)-1], false},
		{long, long[:pieceLength], true},
		{long, long[:pieceLength-1], false},
		{long, long[pieceLength:], true},
		{long, long[pieceLength+1:], false},
		{long, long[1 : len(long)-1], false},
	} {
		requireIn(t, tt.want, "0"+tt.part+"0", tt.secret)
	}
}

// A part that is quoted begins with a word of the secret, and ends where the quote does. So many
// letters of it are a repetition without.
func TestWhichPartsOfASecretAreKnown(t *testing.T) {
	var words []string
	for i := range maxCuts + 1 {
		words = append(words, fmt.Sprintf("w%03d", i))
	}
	for i, word := range words {
		requireIn(t, i < maxCuts, "near '"+word+"'", strings.Join(words, " "))
	}
	requireIn(t, true, "near 'demo'", "correct demo")
	requireIn(t, false, "near 'dem'", "correct dem")

	middle := lettersFor(2 * maxPiece)
	secret := strings.Repeat("0", pieceLength) + " " + middle + " " + strings.Repeat("9", pieceLength)
	requireIn(t, true, "near '"+middle[:maxPiece-1]+"'", secret)
	requireIn(t, true, "near '"+middle[:maxPiece]+"'", secret)
	requireIn(t, true, "near '"+middle[:maxPiece+1]+"'", secret)
	requireIn(t, true, "near "+middle[:maxPiece]+"x", secret)
	requireIn(t, true, "near "+middle[:maxPiece+1]+"x", secret)
	requireIn(t, false, "near "+middle[:maxPiece-1]+"x", secret)
}

// So many parts that begin alike are told apart. Where there are more, all that begins like them is
// hidden.
func TestOfPartsThatBeginAlikeAFewAreToldApart(t *testing.T) {
	var sent []string
	for i := range maxAlike + 1 {
		sent = append(sent, fmt.Sprintf("demo%c123", 'a'+i))
		for _, known := range sent {
			requireIn(t, true, "near '"+known[:5]+"'", sent...)
		}
		requireIn(t, len(sent) > maxAlike, "near 'demox'", sent...)
	}
	again := slices.Repeat([]string{"demoa123"}, maxAlike+1)
	requireIn(t, false, "near 'demox'", again...)
}

func TestOfSecretsOfAnAnswerThatBeginAlikeAFewAreToldApart(t *testing.T) {
	tokens := func(count, different int) string {
		var b strings.Builder
		for i := range count {
			fmt.Fprintf(&b, `{"Token":"abcdefgh%02d"},`, i%different)
		}
		return b.String()
	}
	for _, tt := range []struct {
		tokens string
		want   string
	}{
		{tokens(maxAlike, maxAlike), "abcdefghxx"},
		{tokens(maxAlike+1, maxAlike), "abcdefghxx"},
		{tokens(3*maxAlike, 1), "abcdefghxx"},
		{tokens(maxAlike+1, maxAlike+1), mask},
		{tokens(3*maxAlike, 3*maxAlike), mask},
	} {
		got := string(Result([]byte("[" + tt.tokens + `"abcdefghxx"]`)))
		if !strings.HasSuffix(got, `,"`+tt.want+`"]`) {
			t.Errorf("of %s there is %s", tt.tokens, got)
		}
	}
}

// Where a value with a secret name stands again it is hidden, if it is long enough to say
// something.
func TestHowLongAValueWithASecretNameIsHiddenElsewhere(t *testing.T) {
	long := lettersFor(100)
	for _, tt := range []struct{ value, text, want string }{
		{"471", "no 471", "no 471"},
		{"4711", "no 4711", mask},
		{long, "0" + long[:maxPiece] + "0", mask},
		{long, "0" + long[:maxPiece-1] + "0", "0" + long[:maxPiece-1] + "0"},
		{
			"https://accounts.harbor.example/token/number/one",
			"https://accounts.harbor.example/token/number/two",
			"https://accounts.harbor.example/token/number/two",
		},
		{"canary77", "Y2FuYXJ5Nzc=", "Y2FuYXJ5Nzc="}, // it was not sent, so nobody encodes it
	} {
		got := string(Result(fmt.Appendf(nil, `{"Token":%q,"x":%q}`, tt.value, tt.text)))
		if want := fmt.Sprintf(`{"Token":"•••","x":%q}`, tt.want); got != want {
			t.Errorf("with the token %s, %s became %s", tt.value, tt.text, got)
		}
	}
	for value, want := range map[string]string{"canary7": "a canary7", "canary77": mask} {
		got := string(Result(fmt.Appendf(nil, `{"Key":%q,"a %s":true}`, value, value)))
		if got != fmt.Sprintf(`{"Key":"•••",%q:true}`, want) {
			t.Errorf("with the key %s there is %s", value, got)
		}
	}
}

// Records have the same names again and again: each is judged like the first.
func TestANameThatStandsTwiceIsJudgedAlike(t *testing.T) {
	for body, want := range map[string]string{
		`[{"Name":"a"},{"Name":"b"},{"Name":"c"}]`: `[{"Name":"a"},{"Name":"b"},{"Name":"c"}]`,
		`[{"Pin":"a"},{"Pin":"b"},{"Pin":"c"}]`:    `[{"Pin":"•••"},{"Pin":"•••"},{"Pin":"•••"}]`,
	} {
		if got := string(Result([]byte(body))); got != want {
			t.Errorf("%s became %s", body, got)
		}
	}
}

func TestAHundredSecretsWithoutLettersAreKnown(t *testing.T) {
	const signs = "!?#$%&*+,-" // ten of them
	var sent []string
	for i := range maxSigns + 1 {
		sent = append(sent, "~~"+string(signs[i/100])+string(signs[i/10%10])+string(signs[i%10])+"~~")
	}
	requireIn(t, true, "no "+sent[maxSigns-1], sent...)
	requireIn(t, false, "no "+sent[maxSigns], sent...)
}

// No secret makes another one forgotten.
func TestEachOfSeveralSecretsIsFound(t *testing.T) {
	sent := []string{"demo", "!?!?", "käse", "kühe", "harbor-canary", "Straßen", "r-canary", "alpha beta"}
	for _, secret := range sent {
		requireIn(t, true, "no "+secret+" here", sent...)
	}
	requireIn(t, true, "no demo here", "!?!?", "demo")
	requireIn(t, true, "no !?!? here", "!?!?", "demo")
	requireIn(t, true, "near 'alpha'", sent...)
	got := string(Result([]byte(`{"Pin":"!?!?","Otp":"demo","x":"no !?!?","y":"no demo"}`)))
	if want := `{"Pin":"•••","Otp":"•••","x":"•••","y":"•••"}`; got != want {
		t.Errorf("two secrets of an answer: %s", got)
	}
}

func TestHowLongATextIsTakenForAnAddress(t *testing.T) {
	const host = "harbor.example"
	address := strings.Repeat("a.", (maxAddress-len(host))/2) + host
	requireIn(t, false, address, "harbor")
	requireIn(t, true, "a"+address, "harbor")
}

// A parameter that only a redirect can have put there is hidden elsewhere if it is long enough to
// be a secret.
func TestWhichParametersOfARedirectAreSecrets(t *testing.T) {
	for _, tt := range []struct{ query, want string }{
		{"x=canary7&devicename=canary7", "•••=••• true, devicename=canary7 false"},
		{"x=canary78&devicename=canary78", "•••=••• true, devicename=••• true"},
		{"password2=%20%20", "password2=••• true"},
	} {
		if got := shown(NewExchange(requestOf(t, "https://a.example/x?"+tt.query)).Query); got != tt.want {
			t.Errorf("of %s there is %s", tt.query, got)
		}
	}
}

func TestHowMuchOfAHeaderIsShown(t *testing.T) {
	long := strings.Repeat("x", maxText)
	for _, tt := range []struct{ name, text, want string }{
		{"Server", long, "Server=" + long + " false"},
		{"Server", long + "x", "Server=" + long[1:] + "… false"},
		{"Location", "a", "Location=••• true"},
		{"Proxy-Authorization", "Basic x", "Proxy-Authorization=••• true"},
	} {
		pairs, _ := new(Exchange).Answer(http.Header{tt.name: {tt.text}}, nil, Whole)
		if got := shown(pairs); got != tt.want {
			t.Errorf("of %s: %s there is %s", tt.name, tt.text, got)
		}
	}
}

// The pair in a Basic header is in Base64. What another scheme has is no pair.
func TestOnlyABasicHeaderHasAPair(t *testing.T) {
	for _, tt := range []struct{ header, want string }{
		{"Basic YWRhOmhhcmJvcg==", `{"detail":"•••"}`},
		{"Bearer YWRhOmhhcmJvcg==", `{"detail":"no harbor"}`},
	} {
		r := requestOf(t, "https://a.example/")
		r.Header.Set("Authorization", tt.header)
		_, said := NewExchange(r).Answer(nil, []byte(`{"detail":"no harbor"}`), Whole)
		if said.Text != tt.want {
			t.Errorf("after %s the answer is %s", tt.header, said.Text)
		}
	}
}
