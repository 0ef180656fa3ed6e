package problem

// Help is what helps with a problem, as a fact. Each [Face] says it in words of its own, with its
// own commands or keys.
type Help uint8

// What helps. HelpNone is the zero Help: no command or key helps.
const (
	HelpNone            Help = iota
	HelpSignIn               // sign in
	HelpSignInFirst          // sign in: nobody is signed in
	HelpCheckAccount         // check the account with its password
	HelpReplace              // sign in, which replaces the saved session
	HelpSignOut              // sign out again
	HelpReload               // sign in again, for a newer list of domains
	HelpNameDomain           // name a domain
	HelpTrustDomain          // let the token be sent to a domain that it does not name
	HelpNameReseller         // name the reseller
	HelpClientSecret         // set the client secret
	HelpSetClientSecret      // set the client secret, as a step of its own
	HelpCheckClient          // change the client secret that is set
	HelpAPIKey               // set the API key
	HelpSecretOutside        // give a secret in another place than the keyring
	HelpOtherStore           // keep the session in a file with a passphrase
	HelpNoStore              // go on without saving
	HelpForget               // delete a saved session that cannot be read
	HelpStateDir             // keep the files of the program in another directory
	HelpTrustCA              // trust a certificate authority
	HelpStream               // write the records of a list as they come
	HelpWholeDocument        // write the records of a list as one document
	HelpLongLists            // allow longer lists
	HelpPrivateHosts         // allow connections to a network
	HelpSetUp                // set up a profile
	HelpMakeFile             // make the profile file that was named
	HelpOtherFile            // name another profile file
	HelpNameProfile          // name a profile
	HelpVariables            // set a key of the profile outside the file
	HelpDemoVariables        // take the variables of the demo again
	HelpLog                  // write a log for a report
	helps
)

// Helps returns everything that helps, for tests of a face.
func Helps() []Help {
	all := make([]Help, 0, helps-1)
	for help := HelpNone + 1; help < helps; help++ {
		all = append(all, help)
	}
	return all
}
