package cli

import (
	"maps"

	"gatehouse/internal/text/problem"
	"gatehouse/ui"
)

// commandLine has the advice for people who run commands on their own machine.
var commandLine = problem.Face{Words: map[problem.Help]string{
	problem.HelpSignIn:          "Run `gatehouse login`.",
	problem.HelpSignInFirst:     "Run `gatehouse login`.",
	problem.HelpSetUp:           "Set one up with `gatehouse config init`; `gatehouse help profiles` describes the file and the GATEHOUSE_ variables. `gatehouse demo` works without a profile.",
	problem.HelpMakeFile:        "`gatehouse config init --config FILE` creates it.",
	problem.HelpOtherFile:       "Or name another file with `--config FILE`.",
	problem.HelpNameProfile:     "Or name it with `--profile` or GATEHOUSE_PROFILE.",
	problem.HelpVariables:       "Each key has a variable, GATEHOUSE_ and the key in capitals, such as GATEHOUSE_BASE_URL: see `gatehouse help profiles`.",
	problem.HelpDemoVariables:   "For the demo, use the variables that `gatehouse demo --listen` prints at each start.",
	problem.HelpCheckAccount:    "To see which of them it is, run `gatehouse check EMAIL --sign-in`.",
	problem.HelpReplace:         "To replace it, run `gatehouse login`.",
	problem.HelpSignOut:         "Run `gatehouse logout`.",
	problem.HelpReload:          "`gatehouse domains` lists the domains of the account. If this one is new, run `gatehouse login` again to update the list.",
	problem.HelpNameDomain:      "Name it with `--domain`; `gatehouse lookup EMAIL` asks the service for it.",
	problem.HelpTrustDomain:     "Use `--any-domain` if you trust its gateway with the token.",
	problem.HelpNameReseller:    "Use `--reseller ID`, or set reseller_id in the profile.",
	problem.HelpClientSecret:    "Run `gatehouse config set-secret client-secret` or, without a keyring, set GATEHOUSE_CLIENT_SECRET.",
	problem.HelpSetClientSecret: "Set the client secret: `gatehouse config set-secret client-secret`, or GATEHOUSE_CLIENT_SECRET, which takes precedence.",
	problem.HelpCheckClient:     "`gatehouse config set-secret client-secret` sets the secret in the keyring; GATEHOUSE_CLIENT_SECRET takes precedence.",
	problem.HelpAPIKey:          "GATEHOUSE_API_KEY has it, or the keyring: `gatehouse config set-secret api-key`.",
	problem.HelpSecretOutside:   "Give it in the environment instead: GATEHOUSE_CLIENT_SECRET or GATEHOUSE_API_KEY.",
	problem.HelpOtherStore:      "`--store file` keeps the session in a file protected by a passphrase (GATEHOUSE_STORE_PASSPHRASE).",
	problem.HelpNoStore:         "`gatehouse --store memory` opens the UI without saving the session.",
	problem.HelpForget:          "`gatehouse --store memory` opens the UI without this session, and `gatehouse logout` deletes it for good.",
	problem.HelpStateDir:        "XDG_STATE_HOME names another directory for the files of the program.",
	problem.HelpTrustCA:         "GATEHOUSE_CA_FILE names such a file, too.",
	problem.HelpStream:          "A command with -o ndjson needs none of that memory.",
	problem.HelpWholeDocument:   "Use -o json.",
	problem.HelpLongLists:       "The operator of this server can raise --max-records-memory.",
	problem.HelpPrivateHosts:    "The operator of this server can allow a network with --allow-network.",
	problem.HelpLog:             "If it happens again, run with GATEHOUSE_LOG_FILE set to a file and send that file with your report.",
}}

// visitors has the advice for people who run commands over SSH: that of the UI, except about values
// that a command takes as flags.
var visitors = problem.Face{Stays: true, Words: func() map[problem.Help]string {
	words := maps.Clone(ui.Face.Words)
	words[problem.HelpNameDomain] = "Name it with `--domain`."
	words[problem.HelpNameReseller] = "Use `--reseller ID`."
	words[problem.HelpTrustDomain] = "Use `--any-domain` if you trust its gateway with the token."
	words[problem.HelpWholeDocument] = "Use -o json."
	return words
}()}
