package redact

import "testing"

// Each word and each form that gives a secret away does so alone.
func TestEachWordOfASecretName(t *testing.T) {
	for _, name := range []string{
		"password", "passwd", "pwd", "passphrase", "secret", "token", "ApiKeyId", "api-key-id",
		"ConfirmKeyId", "PrivateKeyId", "credential", "authorization", "cookie", "jwt",
		"signature", "session_id_of", "AuthTicket", "__ViewState", "assertion",
		"pin", "otp", "sid", "sas", "sig", "auth", "pass", "session", "Key", "x-key-2", "PIN2",
		"otp-1",
	} {
		if !IsSecretName(name) {
			t.Errorf("%s is no secret", name)
		}
	}
	for _, name := range []string{
		"MustChangePassword", "has_token", "IsTokenValid", "CanResetPassword", "NeedsPassword",
		"requires_token",
		"token_type", "TokenExpires", "tokenExpiry", "PasswordExpired", "PasswordChanged",
		"password_policy", "PasswordLength", "PasswordRequired", "token_count",
		"PrimaryKey", "ForeignKey", "PublicKey", "SortKey", "PartitionKey", "RowKey", "Monkey",
		"pins", "residence", "TokenTYPE", "pi2n", "", "-",
	} {
		if IsSecretName(name) {
			t.Errorf("%s is a secret", name)
		}
	}
}

func TestEachFormOfASecret(t *testing.T) {
	for _, text := range []string{
		"eyJhbGciOiJub25lIn0.eyJzdWIi", "eyAiYWxnIjoibm9uZSJ9.eyJzdWIi",
		"ewogImFsZyI6MX0x.eyJzdWIi", "ew0KICJhbGciOjF9.eyJzdWIi",
		"bearer abcdefghijklmnop", "Basic abcdefghijklmnop", "ApiKey\tabcdefghijklmnop",
		"?sig=x", "a&code=x", "sid=x", "x;key='x", "api_key=x", "pwd = x", `{"apikey":1}`,
		`\"token\" : 1`, `'secret': 1`,
		"https://u:p@a.example", "/(A(abcdef))/", "/(F(abcdef))/", "/(S(abcdef))/",
		"/(X(abcdef)S(abcdef))/",
		"<a token", "</token", "<!-- token", "<?token", "<Z PASSWORD",
		// The shortest of each form.
		"ewo123456.1234", "basic 1234567890123456", "sid=1", `jwt":`, "://:1@", "/(s(123456))",
	} {
		if !looksSecret(text) {
			t.Errorf("%s is shown", text)
		}
	}
	for _, text := range []string{
		"eyJhbGciOiJub25lIn0", "eyJhb.eyJzdWIi", "eyJhbGciOiJub25lIn0.eyJ",
		"Basic rules of conduct", "the bearer abcdefghijklmno",
		"design=x", "barcode=x", "code=&x=1", "token", "secret: 1", "https://u@a.example",
		"https://a.example:80/x@y", "/(T(abcdef))/", "/(S(abcde))/", "a < token", "<1 token",
		"<b>bold</b>",
	} {
		if looksSecret(text) {
			t.Errorf("%s is hidden", text)
		}
	}
}
