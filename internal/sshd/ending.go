package sshd

import (
	"fmt"
	"time"
)

// ending is why a connection ends: a word for the log and, where the person did
// not do it, a sentence for them. It is the cause of the handler's context.
type ending struct{ word, sentence string }

// Error is for people who look at the cause of a context.
func (e *ending) Error() string { return "the connection ends: " + e.word }

// The endings that nobody is told of, for nobody is there to hear it.
var (
	endDone    = &ending{word: "done"}
	endGone    = &ending{word: "gone"}
	endStalled = &ending{word: "stalled"}
	endNoAuth  = &ending{word: "not authenticated"}
	endUnborn  = &ending{word: "no session in time"}
	endFlood   = &ending{word: "flood of requests"}
	endCrowded = &ending{word: "room was needed"}
	endPanic   = &ending{word: "panic"}
)

func endIdle(d time.Duration) *ending {
	return &ending{"idle", fmt.Sprintf("The connection was ended, for nothing was typed for %s.", spell(d))}
}

func endTotal(d time.Duration) *ending {
	return &ending{"total time", fmt.Sprintf("The connection was ended, for none may last longer than %s.", spell(d))}
}

func endDrain() *ending {
	return &ending{"drain", "The connection was ended, for the server is going down."}
}

// spell says a duration in words, such as "30 minutes".
func spell(d time.Duration) string {
	unit, name := time.Second, "second"
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		unit, name = time.Hour, "hour"
	case d >= time.Minute && d%time.Minute == 0:
		unit, name = time.Minute, "minute"
	case d < time.Second:
		return d.String()
	}
	count := int64(d.Round(unit) / unit)
	if count != 1 {
		name += "s"
	}
	return fmt.Sprintf("%d %s", count, name)
}
