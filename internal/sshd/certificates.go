package sshd

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// The critical options of certificates that are supported, and the extension without
// which there is no terminal (PROTOCOL.certkeys of OpenSSH).
const (
	sourceAddress = "source-address"
	forceCommand  = "force-command"
	permitPty     = "permit-pty"
)

var (
	errNoCertificates   = errors.New("it is a certificate, and no certificate authority is trusted")
	errUnknownAuthority = errors.New("no trusted authority signed the certificate")
	errHostCertificate  = errors.New("the certificate is not one for users")
	errNoPrincipals     = errors.New("the certificate lists no principals")
	errWrongPrincipal   = errors.New("none of the certificate's principals is accepted")
	errNotOneOfThese    = errors.New("the visitor's name is none of the certificate's principals")
)

// admitCertificate returns the permission of a certificate's owner, or why it is not
// accepted.
func (a *admission) admitCertificate(c *gossh.Certificate, by newcomer) (permission, error) {
	if a.authorities == nil {
		return permission{}, errNoCertificates
	}
	authorities, err := a.authorities.current()
	if err != nil {
		return permission{}, err
	}
	switch _, trusted := authorities[gossh.FingerprintSHA256(c.SignatureKey)]; {
	case !trusted:
		return permission{}, errUnknownAuthority
	case c.CertType != gossh.UserCert:
		return permission{}, errHostCertificate
	case !slices.Contains(visitorSignatures(), c.Signature.Format): // the library verifies SHA-1
		return permission{}, fmt.Errorf("the certificate is signed with %q, which is not accepted", c.Signature.Format)
	}
	principal, err := a.principalOf(c, by.user)
	if err != nil {
		return permission{}, err
	}
	checker := gossh.CertChecker{
		SupportedCriticalOptions: []string{sourceAddress, forceCommand},
		Clock:                    func() time.Time { return by.now },
	}
	if err := checker.CheckCert(principal, c); err != nil { // options, time, signature
		return permission{}, err
	}
	return certifiedPermission(c, by.address)
}

// principalOf returns the principal for which a certificate is accepted. A certificate
// without any is for everybody by its format, but sshd accepts none of those for users.
func (a *admission) principalOf(c *gossh.Certificate, user string) (string, error) {
	if len(c.ValidPrincipals) == 0 {
		return "", errNoPrincipals
	}
	if a.principals == nil {
		if !slices.Contains(c.ValidPrincipals, user) {
			return "", errNotOneOfThese
		}
		return user, nil
	}
	for _, principal := range a.principals {
		if slices.Contains(c.ValidPrincipals, principal) {
			return principal, nil
		}
	}
	return "", errWrongPrincipal
}

// certifiedPermission is what a valid certificate permits, or why it may not be used from
// this address.
func certifiedPermission(c *gossh.Certificate, address netip.Addr) (permission, error) {
	_, terminal := c.Extensions[permitPty]
	p := permission{noTerminal: !terminal}
	if list, limited := c.CriticalOptions[sourceAddress]; limited {
		networks, err := parseNetworks(list)
		if err != nil {
			return permission{}, fmt.Errorf("%s of the certificate %w", sourceAddress, err)
		}
		if !slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(address.Unmap().WithZone("")) }) {
			return permission{}, errWrongAddress
		}
	}
	if command, forced := c.CriticalOptions[forceCommand]; forced {
		words, err := splitWords(command)
		switch {
		case err != nil:
			return permission{}, fmt.Errorf("%s of the certificate cannot be split into words: %w", forceCommand, err)
		case len(words) == 0:
			return permission{}, fmt.Errorf("%s of the certificate is empty", forceCommand)
		}
		p.forced, p.isForced = words, true
	}
	return p, nil
}

// parseNetworks parses addresses and networks. Unlike in from=, there are no patterns.
func parseNetworks(list string) ([]netip.Prefix, error) {
	var networks []netip.Prefix
	for text := range strings.SplitSeq(list, ",") {
		network, ok := parseNetwork(text)
		if !ok {
			return nil, fmt.Errorf("holds %q, which is neither an address nor a network", text)
		}
		networks = append(networks, network)
	}
	return networks, nil
}
