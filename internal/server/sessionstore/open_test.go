package sessionstore_test

import (
	"strings"
	"testing"

	"gatehouse/internal/server/sessionstore"
)

func TestNamesOfStores(t *testing.T) {
	const other, password = "it is neither memory", "it contains a password"
	for where, want := range map[string]string{
		"memory":                            "",
		"/var/lib/gatehouse":                "",
		"./sessions":                        "",
		"postgres://db.example/gatehouse":   "",
		"postgresql://ann@db.example,b/x":   "",
		"Memory":                            other, // no directory by mistake
		"":                                  other,
		"redis://db.example":                other,
		"postgres://ann:pa/ss@db.example/x": password,
		"postgres://ann:pa?ss@db.example/x": password,
		"postgres://ann:pa?x=y@db.example":  password,
		"postgres://a:5432,b:5433/x?target_session_attrs=read-write": "",
		"postgres://ann:secret@db.example/x":                         password,
		"postgres://db.example/x?password=se":                        password,
		"postgres://h/x?sslpassword=se":                              password,
	} {
		if err := sessionstore.CheckName(where); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", where, err, want)
		}
	}
}
