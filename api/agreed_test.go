package api

import (
	"testing"
	"time"

	"gatehouse/internal/text/redact"
)

// The other tests take these values as they are. Each is relied on from outside, or keeps a service
// from holding or filling this program, so a new one is a decision.
func TestTheLimitsAreTheAgreedOnes(t *testing.T) {
	for name, tt := range map[string]struct{ got, want time.Duration }{
		"to connect":                      {dialTimeout, 10 * time.Second},
		"for a handshake":                 {tlsTimeout, 10 * time.Second},
		"until an answer begins":          {answerTimeout, 30 * time.Second},
		"for an idle connection":          {idleTimeout, 90 * time.Second},
		"until a ping":                    {pingAfter, 10 * time.Second},
		"for the answer to a ping":        {pingTimeout, 5 * time.Second},
		"for a call":                      {callTimeout, 30 * time.Second},
		"for a token":                     {TokenTimeout, 30 * time.Second},
		"for a list":                      {gatewayTimeout, time.Hour},
		"for a little of a body":          {stallLimit, 30 * time.Second},
		"for the body of a probe":         {probeBodyTime, 500 * time.Millisecond},
		"for a second question to a DNS":  {nameTimeout, 2 * time.Second},
		"after the first attempt":         {firstBackoff, 500 * time.Millisecond},
		"that a service may ask for":      {maxRetryAfter, 30 * time.Second},
		"that a service may be shown for": {maxWait, 30 * 24 * time.Hour},
		"of a token":                      {maxLifetime, 87_600 * time.Hour},
		"between looks at the clock":      {tick, 100 * time.Millisecond},
		"after a stop":                    {grace, time.Second},
		"of an address ahead of others":   {headStart, 200 * time.Millisecond},
	} {
		if tt.got != tt.want {
			t.Errorf("the time %s is %v, agreed are %v", name, tt.got, tt.want)
		}
	}
	for name, tt := range map[string]struct{ got, want int }{
		"bytes of a list":                  {DefaultBodyLimit, 436_207_616},
		"bytes of a list without a length": {UnannouncedBodyLimit, 335_544_320},
		"bytes of a refusal":               {refusalLimit, 65_536},
		"bytes of a token answer":          {tokenLimit, 1_048_576},
		"bytes of a device login":          {loginResultLimit, 1_048_576},
		"bytes of a look-up":               {userDomainLimit, 65_536},
		"bytes of a probe":                 {probeLimit, 4096},
		"bytes of headers":                 {maxHeaderBytes, 1_048_576},
		"bytes that are progress":          {minProgress, 1024},
		"bytes of an observed body":        {redact.MaxHead, 16_384},
		"attempts after the first":         {maxRetries, 3},
		"redirects":                        {maxRedirects, 5},
		"connections that are kept":        {idlePerHost, 4},
		"stops that are granted":           {maxStops, 100},
		"characters of an operation":       {maxMessage, 500},
		"characters of a media type":       {maxMediaType, 60},
		"characters of a host":             {maxHost, 260},
		"characters of an error code":      {maxErrorCode, 64},
		"characters of a life":             {maxLifeText, 40},
		"characters of words":              {maxWords, 160},
		"characters of a proxy's answer":   {maxReply, 200},
		"levels of JSON with words":        {maxWordsDepth, 3},
		"names of a certificate":           {maxNames, 20},
		"characters of such a name":        {maxName, 253},
		"characters of a subject":          {maxSubject, 200},
		"characters of a detail":           {maxDetail, 200},
		"certificates of a chain":          {maxPath, 10},
		"bits of a key that is trusted":    {minRSA, 1024},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %d, agreed are %d", name, tt.got, tt.want)
		}
	}
}
