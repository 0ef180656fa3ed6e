// Package api implements the interface of the service and nothing else: the token
// endpoint ([TokenClient], interface section 4.1), the client gateway ([Gateway], 4.2 and
// 4.3), the global service ([Global], 4.4 and 4.5) and the error codes of a device login
// ([LoginResult.Explain], 7). The numbers are sections of the service's own
// description of its interface, here and in the comments of all packages.
//
// The clients are stateless. They need a transport, see [NewTransport]; chain.go explains how
// a request is sent. Every failure is one of the typed errors of this package; none prints
// a secret, a query or the body of an answer.
package api
