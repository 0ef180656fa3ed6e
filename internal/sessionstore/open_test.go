package sessionstore_test

import (
	"errors"
	"testing"

	"gatehouse/internal/sessionstore"
)

func TestNamesOfStores(t *testing.T) {
	for where, want := range map[string]error{
		"memory":                            nil,
		"/var/lib/gatehouse":                nil,
		"./sessions":                        nil,
		"postgres://db.example/gatehouse":   nil,
		"postgresql://ann@db.example,b/x":   nil,
		"Memory":                            sessionstore.ErrNoStore, // no directory by mistake
		"":                                  sessionstore.ErrNoStore,
		"redis://db.example":                sessionstore.ErrNoStore,
		"postgres://ann:pa/ss@db.example/x": sessionstore.ErrPassword,
		"postgres://ann:pa?ss@db.example/x": sessionstore.ErrPassword,
		"postgres://ann:pa?x=y@db.example":  sessionstore.ErrPassword,
		"postgres://a:5432,b:5433/x?target_session_attrs=read-write": nil,
		"postgres://ann:secret@db.example/x":                         sessionstore.ErrPassword,
		"postgres://db.example/x?password=se":                        sessionstore.ErrPassword,
		"postgres://h/x?sslpassword=se":                              sessionstore.ErrPassword,
	} {
		if err := sessionstore.Named(where); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", where, err, want)
		}
	}
}
