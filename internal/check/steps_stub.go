package check

import "context"

func signIn(context.Context, *run) Check      { return Check{State: Unknown, Summary: "not built"} }
func checkClaims(context.Context, *run) Check { return Check{State: Unknown, Summary: "not built"} }
func domainSteps(*run) []step                 { return nil }
func logInDevice(context.Context, *run) Check { return Check{State: Unknown, Summary: "not built"} }
func askControl(context.Context, *run) Check  { return Check{State: Unknown, Summary: "not built"} }

func judge(r Request, checks []Check) Verdict {
	return Verdict{State: OK, Code: LooksFine, Scope: ScopeNone, Sentence: "Looks fine.", Next: []Step{}}
}
