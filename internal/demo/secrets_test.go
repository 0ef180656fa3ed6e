package demo_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"gatehouse/internal/demo"
)

func TestWithSecretsOfItsOwnItKnowsNoOthers(t *testing.T) {
	server, err := demo.Start(t.Context(), demo.Options{Secrets: demo.Secrets{Password: "own password", ClientSecret: "own secret"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	for _, tt := range []struct {
		clientSecret, password string
		status                 int
	}{
		{"own secret", "own password", http.StatusOK},
		{"own secret", demo.Password, http.StatusBadRequest},
		{"demo-secret", "own password", http.StatusUnauthorized},
	} {
		form := url.Values{"grant_type": {"password"}, "scope": {"openid"}, "username": {"ada@harbor.example"}, "password": {tt.password}}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL()+"/auth/connect/token", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.SetBasicAuth("gatehouse-demo", tt.clientSecret)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != tt.status {
			t.Errorf("the secret %q and the password %q: status %d, want %d", tt.clientSecret, tt.password, response.StatusCode, tt.status)
		}
	}
	for _, variable := range server.Env() {
		if variable.Name == "GATEHOUSE_CLIENT_SECRET" && variable.Value != "own secret" {
			t.Errorf("the variables name the secret %q", variable.Value)
		}
	}
}
