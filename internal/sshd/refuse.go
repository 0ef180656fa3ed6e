package sshd

import (
	"encoding/binary"
	"io"
	"net"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

const (
	serverVersion = "SSH-2.0-Gatehouse"

	// tooManyConnections is SSH_DISCONNECT_TOO_MANY_CONNECTIONS (RFC 4253, 11.1).
	tooManyConnections = 12

	refusalTime  = 2 * time.Second
	refusalInput = 64 << 10
	// refusalsAtOnce is how many are told why at a time; beyond it connections
	// are closed without a word.
	refusalsAtOnce = 64
)

// refuse tells a client why it is not let in and closes the connection. It does
// without keys: a disconnect may come before they are exchanged.
func refuse(conn net.Conn, sentence string) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(refusalTime))
	if _, err := conn.Write(disconnect(sentence)); err != nil {
		return
	}
	// Closed with input unread, the client's system may drop the sentence.
	if half, ok := conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		_, _ = io.CopyN(io.Discard, conn, refusalInput)
	}
}

// disconnect is the version line and a packet before encryption (RFC 4253, 6):
// its length, the length of the padding, the message, the padding, in multiples of
// eight bytes.
func disconnect(sentence string) []byte {
	message := gossh.Marshal(struct {
		Reason   uint32 `sshtype:"1"`
		Message  string
		Language string
	}{tooManyConnections, sentence, "en"})
	const lengths, block, minPadding = 5, 8, 4
	padding := block - (lengths+len(message))%block
	if padding < minPadding {
		padding += block
	}
	packet := binary.BigEndian.AppendUint32([]byte(serverVersion+"\r\n"), uint32(1+len(message)+padding))
	packet = append(packet, byte(padding))
	packet = append(packet, message...)
	return append(packet, make([]byte, padding)...)
}
