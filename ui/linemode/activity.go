package linemode

import (
	"fmt"
	"strconv"
	"time"

	"gatehouse/api"
	"gatehouse/internal/hostname"
)

// activity says which requests were made, the newest first.
func (c *conversation) activity() error {
	requests := c.options.Activity.Requests()
	good, refused, failed := 0, 0, 0
	for _, e := range requests {
		switch {
		case e.Status == 0 || e.Err != nil:
			failed++
		case e.Status >= 400:
			refused++
		default:
			good++
		}
	}
	c.say("%s: %d answered, %d refused, %d failed.", count(len(requests), "request", "requests"), good, refused, failed)
	if len(requests) == 0 {
		return nil
	}
	c.say("The newest first:")
	return c.read(func(yield func(string) bool) {
		for i, e := range requests {
			if !yield(strconv.Itoa(i+1) + ". " + exchange(e)) {
				return
			}
		}
	})
}

// exchange says one request in a line.
func exchange(e *api.Exchange) string {
	status := "no answer"
	if e.Status != 0 {
		status = "status " + strconv.Itoa(e.Status)
	}
	credential := ""
	if e.Credential != "" {
		credential = ", credential " + e.Credential
	}
	return fmt.Sprintf("%s, %s, host %s, path %s, %s after %d milliseconds%s.", e.Start.Local().Format(time.TimeOnly), e.Method,
		line(hostname.Readable(e.Host)), clip(e.Path, longestValue), status, e.Duration.Milliseconds(), credential)
}
