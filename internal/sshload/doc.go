// Package sshload measures what the program costs when it is served over SSH to many
// people at once. It holds nothing but a benchmark:
//
//	go test ./internal/sshload -bench SSHLoad -benchtime 1x -sessions 1000 -busy 200 -period 20s
package sshload
