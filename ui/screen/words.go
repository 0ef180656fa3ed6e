package screen

import "gatehouse/internal/text/problem"

// Face is how the UI explains problems. It names no keys: the screens that offer an action do that.
var Face = problem.Face{Stays: true, Words: map[problem.Help]string{
	problem.HelpSignIn:          "Sign in again.",
	problem.HelpSignInFirst:     "Sign in first.",
	problem.HelpSetUp:           "`gatehouse config init` sets one up.",
	problem.HelpMakeFile:        "`gatehouse config init` creates it.",
	problem.HelpOtherFile:       "Or start the program with another file, `--config FILE`.",
	problem.HelpNameProfile:     "Or start the program with `--profile`.",
	problem.HelpVariables:       "Each key has a variable, GATEHOUSE_ and the key in capitals, such as GATEHOUSE_BASE_URL.",
	problem.HelpDemoVariables:   "For the demo, use the variables that it prints at each start.",
	problem.HelpCheckAccount:    "Check, with a sign-in, shows which of them it is.",
	problem.HelpReplace:         "Signing in replaces it.",
	problem.HelpSignOut:         "Sign out again.",
	problem.HelpReload:          "If the domain is new, sign in again to update the list.",
	problem.HelpNameDomain:      "Open one from the list of domains.",
	problem.HelpTrustDomain:     "Open it only if you trust its gateway with the token.",
	problem.HelpNameReseller:    "Enter it, or set reseller_id in the profile.",
	problem.HelpClientSecret:    "Set GATEHOUSE_CLIENT_SECRET before the program starts.",
	problem.HelpSetClientSecret: "Set the client secret: `gatehouse config set-secret client-secret`, or GATEHOUSE_CLIENT_SECRET, which takes precedence.",
	problem.HelpCheckClient:     "GATEHOUSE_CLIENT_SECRET takes precedence over the keyring.",
	problem.HelpAPIKey:          "Enter it, or set GATEHOUSE_API_KEY before the program starts.",
	problem.HelpSecretOutside:   "Set GATEHOUSE_CLIENT_SECRET or GATEHOUSE_API_KEY before the program starts.",
	problem.HelpOtherStore:      "Started with `--store file`, the program keeps the session in a file with a passphrase.",
	problem.HelpNoStore:         "The session goes on in memory, and ends with this program.",
	problem.HelpForget:          "Go on without this session with `gatehouse --store memory`.",
	problem.HelpStateDir:        "XDG_STATE_HOME names another directory for the files of the program.",
	problem.HelpTrustCA:         "GATEHOUSE_CA_FILE names such a file, too.",
	problem.HelpStream:          "A command with -o ndjson needs none of that memory.",
	problem.HelpWholeDocument:   "Choose JSON, which is one document.",
	problem.HelpLongLists:       "The operator of this server can raise --max-records-memory.",
	problem.HelpPrivateHosts:    "The operator of this server can allow a network with --allow-network.",
	problem.HelpLog:             "If it happens again, run with GATEHOUSE_LOG_FILE set to a file and send that file with your report.",
}}

// Describe explains an error as the UI shows it.
func Describe(err error) problem.Problem { return problem.Describe(err, Face) }
