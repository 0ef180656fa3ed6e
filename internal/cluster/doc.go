// Package cluster tests Gatehouse as a company runs it: several servers behind a balancer, with
// their sessions in PostgreSQL, where any server can be killed. It counts what the service sees,
// above all which refresh tokens are sent to it and how often.
package cluster
