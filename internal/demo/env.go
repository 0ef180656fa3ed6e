package demo

// EnvVar is one environment variable of the program and its value.
type EnvVar struct {
	Name, Value string
}

// Env returns the variables that make up a whole profile for this service, in
// a stable order. URLs hold a literal {domain} where the service has one
// address per domain. The secrets among them open nothing but the demo.
func (s *Server) Env() []EnvVar {
	return []EnvVar{
		{"GATEHOUSE_AUTHORITY", "main"},
		{"GATEHOUSE_AUTH_URL", s.url + mainAuthorityPath},
		{"GATEHOUSE_DOMAIN_AUTH_URL", s.url + localAuthorityPath + "{domain}"},
		{"GATEHOUSE_AUTH_TEST_URL", s.url + testAuthorityPath},
		{"GATEHOUSE_BASE_URL", s.url + gatewayPath + "{domain}"},
		{"GATEHOUSE_GLOBAL_URL", s.url + globalPath},
		{"GATEHOUSE_CLIENT_ID", clientID},
		{"GATEHOUSE_CLIENT_SECRET", s.secrets.ClientSecret},
		{"GATEHOUSE_API_KEY", s.secrets.ResellerKey},
		{"GATEHOUSE_RESELLER_ID", resellerID},
	}
}
