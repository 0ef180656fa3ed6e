package sshd

import gossh "golang.org/x/crypto/ssh"

// algorithms are what the server offers, the best first. The library offers more, for old
// peers: exchanges over the curves of NIST, MACs over the clear text, and SHA-1.
func algorithms() gossh.Config {
	return gossh.Config{
		KeyExchanges: []string{gossh.KeyExchangeMLKEM768X25519, gossh.KeyExchangeCurve25519},
		Ciphers: []string{
			gossh.CipherAES128GCM, gossh.CipherAES256GCM, gossh.CipherChaCha20Poly1305,
			gossh.CipherAES128CTR, gossh.CipherAES192CTR, gossh.CipherAES256CTR,
		},
		MACs: []string{gossh.HMACSHA256ETM, gossh.HMACSHA512ETM},
	}
}

// visitorSignatures are what visitors may prove with that they hold their keys.
func visitorSignatures() []string { return gossh.SupportedAlgorithms().PublicKeyAuths }

// hostSignatures are what the host's key signs with.
func hostSignatures(key gossh.PublicKey) []string {
	if key.Type() == gossh.KeyAlgoRSA { // which is a name for SHA-1 as well
		return []string{gossh.KeyAlgoRSASHA512, gossh.KeyAlgoRSASHA256}
	}
	return []string{key.Type()}
}
