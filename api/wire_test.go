package api

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
)

// Every request is pinned to the byte: what a service gets does not depend on who
// builds it.
func TestTheBytesOfEveryRequest(t *testing.T) {
	const password, client = `pä ss+&="\/`, "se cret:+/"
	tokens := func(inForm bool, id, clientSecret, scope string) *TokenClient {
		return &TokenClient{ClientID: id, ClientSecret: secret.New(clientSecret), InForm: inForm, Scope: scope}
	}
	passwordGrant := func(c *TokenClient) func(context.Context, string) error {
		return func(ctx context.Context, url string) error {
			c.HTTP, c.Authority = newTestClient(t), url
			_, err := c.Password(ctx, "ann+x@harbor.example", secret.New(password))
			return err
		}
	}
	refreshGrant := func(c *TokenClient) func(context.Context, string) error {
		return func(ctx context.Context, url string) error {
			c.HTTP, c.Authority = newTestClient(t), url
			_, err := c.Refresh(ctx, secret.New("re+fresh/=="))
			return err
		}
	}
	const post = "POST /connect/token HTTP/1.1\r\nHost: HOST\r\nUser-Agent: gatehouse/test\r\n"
	const basic = "Authorization: Basic bXkgY2xpZW50OnNlIGNyZXQ6Ky8=\r\n"
	const form = "Content-Type: application/x-www-form-urlencoded\r\nAccept-Encoding: gzip\r\n\r\n"
	const get, end, json = " HTTP/1.1\r\nHost: HOST\r\nUser-Agent: gatehouse/test\r\n", "Accept-Encoding: gzip\r\n\r\n", "Accept: application/json\r\n"
	for name, tt := range map[string]struct {
		call func(ctx context.Context, url string) error
		want string
	}{
		"password, Basic": {passwordGrant(tokens(false, "my client", client, " openid  offline_access ")),
			post + "Content-Length: 119\r\n" + basic + form +
				"grant_type=password&password=p%C3%A4+ss%2B%26%3D%22%5C%2F&scope=openid+offline_access&username=ann%2Bx%40harbor.example"},
		"password, in the body": {passwordGrant(tokens(true, "my client", client, "openid")),
			post + "Content-Length: 155\r\n" + form +
				"client_id=my+client&client_secret=se+cret%3A%2B%2F&grant_type=password&password=p%C3%A4+ss%2B%26%3D%22%5C%2F&scope=openid&username=ann%2Bx%40harbor.example"},
		"password, no scope": {passwordGrant(tokens(false, "", "", "")),
			post + "Content-Length: 91\r\nAuthorization: Basic Og==\r\n" + form +
				"grant_type=password&password=p%C3%A4+ss%2B%26%3D%22%5C%2F&username=ann%2Bx%40harbor.example"},
		"password, no secret": {passwordGrant(tokens(true, "id", "", "")),
			post + "Content-Length: 104\r\n" + form +
				"client_id=id&grant_type=password&password=p%C3%A4+ss%2B%26%3D%22%5C%2F&username=ann%2Bx%40harbor.example"},
		"refresh, Basic": {refreshGrant(tokens(false, "my client", client, "openid")),
			post + "Content-Length: 58\r\n" + basic + form + "grant_type=refresh_token&refresh_token=re%2Bfresh%2F%3D%3D"},
		"refresh, in the body": {refreshGrant(tokens(true, "my client", client, "openid")),
			post + "Content-Length: 109\r\n" + form +
				"client_id=my+client&client_secret=se+cret%3A%2B%2F&grant_type=refresh_token&refresh_token=re%2Bfresh%2F%3D%3D"},
		"shares": {func(ctx context.Context, url string) error {
			g := newGateway(t, url)
			g.Tokens = testkit.Token("token")
			_, err := g.Shares(ctx, "ann+x@harbor.example")
			return err
		}, "GET /api/users/ann%2Bx%40harbor.example/shares" + get + json + "Authorization: Bearer token\r\n" + end},
		"companies": {func(ctx context.Context, url string) error {
			_, err := newGateway(t, url).Companies(ctx, secret.New("key"), "reseller 1")
			return err
		}, "GET /api/resellers/reseller%201/companies" + get + json + "Authorization: ApiKey key\r\n" + end},
		"lookup": {func(ctx context.Context, url string) error {
			_, err := newGlobal(t, url).UserDomain(ctx, " ann+x@harbor.example ")
			return err
		}, "GET /getuserdomain.aspx?useremail=ann%2Bx%40harbor.example" + get + end},
		"device login": {func(ctx context.Context, url string) error {
			login := loginOf("ann+x@harbor.example")
			login.PlainPassword = secret.New(password)
			_, err := newGlobal(t, url).DeviceLogin(ctx, login)
			return err
		}, "GET /login2.aspx?devicename=laptop&password=p%C3%A4+ss%2B%26%3D%22%5C%2F&password2=cMOkc3N3b3Jk&useremail=ann%2Bx%40harbor.example" + get + json + end},
	} {
		t.Run(name, func(t *testing.T) {
			url, got := recordedRequest(t)
			if err := tt.call(t.Context(), url); err == nil {
				t.Fatal("no error")
			}
			text := strings.ReplaceAll(<-got, strings.TrimPrefix(url, "http://"), "HOST")
			if diff := cmp.Diff(tt.want, text); diff != "" {
				t.Errorf("the request differs (-want +got):\n%s\n%q", diff, text)
			}
		})
	}
}

func TestARequestThatCannotBeRightIsNotSent(t *testing.T) {
	handler, requests := counted(answer(200, "application/json", "[]"))
	server := serve(t, handler)
	type calls map[string]func() error // by the field that is wrong
	shares := func(base, id string) func() error {
		return func() error { _, err := newGateway(t, base).Shares(t.Context(), id); return err }
	}
	login := func(spoil func(*DeviceLoginRequest)) func() error {
		r := loginOf("a@b.c")
		spoil(&r)
		return func() error { _, err := newGlobal(t, server.URL).DeviceLogin(t.Context(), r); return err }
	}
	token := func(authority string, call func(*TokenClient) (*Token, error)) func() error {
		return func() error {
			_, err := call(&TokenClient{HTTP: newTestClient(t), Authority: authority})
			return err
		}
	}
	refresh := func(token string) func(*TokenClient) (*Token, error) {
		return func(c *TokenClient) (*Token, error) { return c.Refresh(t.Context(), secret.New(token)) }
	}
	password := func(user, password string) func(*TokenClient) (*Token, error) {
		return func(c *TokenClient) (*Token, error) { return c.Password(t.Context(), user, secret.New(password)) }
	}
	all := []calls{
		{
			"userId": shares(server.URL, ""), "base_url": shares("", "a"),
			"resellerId": func() error {
				_, err := newGateway(t, server.URL).Companies(t.Context(), secret.Text{}, "")
				return err
			},
			"global_url": func() error { _, err := newGlobal(t, "global").UserDomain(t.Context(), "a@b.c"); return err },
			"useremail":  func() error { _, err := newGlobal(t, server.URL).UserDomain(t.Context(), " "); return err },
			"devicename": login(func(r *DeviceLoginRequest) { r.DeviceName = "" }),
			"password2":  login(func(r *DeviceLoginRequest) { r.Password = secret.Text{} }),
			"devicetype": login(func(r *DeviceLoginRequest) { r.DeviceType = "AndroidTablet" }),
			"username":   token(server.URL, password(" ", "p")), "password": token(server.URL, password("ann", "")),
			"refresh_token": token(server.URL, refresh("")),
			"authority":     token("auth.example.com", refresh("r")),
		},
		{"useremail": login(func(r *DeviceLoginRequest) { r.Email = "  " })},
	}
	for _, id := range []string{"  ", ".", ".."} {
		all = append(all, calls{"userId": shares(server.URL, id)})
	}
	for _, base := range []string{"gateway.example", "ftp://gateway.example", "http://gateway.example", "https://", "https://u:p@gateway.example", "https://gateway.example?x=1", "https://gateway.example/%zz"} {
		all = append(all, calls{"base_url": shares(base, "a")})
	}
	for _, calls := range all {
		for field, call := range calls {
			err := call()
			if wrong, ok := errors.AsType[*RequestError](err); !ok || wrong.Field != field || wrong.Reason == "" {
				t.Errorf("got %v, want a RequestError about %s", err, field)
			}
		}
	}
	if n := requests.Load(); n != 0 {
		t.Fatalf("%d requests were sent", n)
	}
}

// recordedRequest is a server that refuses one request, and the bytes of that.
func recordedRequest(t *testing.T) (url string, got <-chan string) {
	t.Helper()
	requests := make(chan string, 1)
	address := listenTo(t, func(conn net.Conn) {
		var text strings.Builder
		if r, err := http.ReadRequest(bufio.NewReader(io.TeeReader(conn, &text))); err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 418 Teapot\r\nContent-Length: 0\r\n\r\n")
		requests <- text.String()
	})
	return "http://" + address, requests
}
