// Package sshload measures what the program costs when it is served over SSH to many
// people at once, of whom some mean harm. The tests have a short form; in full:
//
//	go test ./internal/sshload -bench SSHLoad -benchtime 1x -sessions 1000 -busy 200 -period 20s
//	go test ./internal/sshload -bench SSHLoad -benchtime 1x -sessions 1000 -busy 1000 -pause 5s -period 20s
//	go test ./internal/sshload -bench SSHLoad -benchtime 1x -sessions 5000 -busy 1 -period 3m -timeout 30m
//	go test ./internal/sshload -bench SSHLoad -benchtime 1x -sessions 1000 -busy 1 -period 90s -life 50m
//	go test ./internal/sshload -bench Reconnect -benchtime 1x -kept 500
//	go test ./internal/sshload -run Hostile -v -hostile 3000 -hold 12s -timeout 30m
//	go test ./internal/sshload -run NobodyReads -v -unread 20
//
// -program measures another build of the program.
package sshload
