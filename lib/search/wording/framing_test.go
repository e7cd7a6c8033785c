package wording

import "testing"

func TestWithoutFraming(t *testing.T) {
	for question, want := range map[string]string{
		"what must I change to add a new error code to the API":           "error code to the API",
		"Which files do I have to touch to add another config option":     "config option",
		"what has to be changed to support a third encoding of hashes":    "encoding of hashes",
		"where should we edit the code in order to add an output driver?": "output driver?",
		"what needs to be modified if we add a field to the profile":      "field to the profile",
		"I'd like to add one more argument to Proxy.Call":                 "argument to Proxy.Call",
		"I'm about to touch the overlay remote":                           "touch the overlay remote",
		"what must I change to rename a user":                             "rename a user",
		"what must I change to add it":                                    "add it",
		"what must I change to support":                                   "support",
		"what changes the state of a job":                                 "what changes the state of a job",
		"where is a new user added":                                       "where is a new user added",
		"how do I add a plugin":                                           "how do I add a plugin",
		"what should happen when a file is updated":                       "what should happen when a file is updated",
		"which settings are updated for a tenant":                         "which settings are updated for a tenant",
		"TcpStream class":                                                 "TcpStream",
		"Where is the function `parse_all` defined?":                      "parse_all",
		"definition of Server.Close":                                      "Server.Close",
		"Foo class":                                                       "Foo",
		"the Open Method":                                                 "the Open Method",
		"class Where":                                                     "Where",
		"Class Foo":                                                       "Foo",
		"main function":                                                   "main function",
		"the type":                                                        "the type",
		"what is the Parser class":                                        "what is the Parser class",
		"function of the parse/all.go":                                    "function of the parse/all.go",
		"Parser":                                                          "Parser",
	} {
		if got := WithoutFraming(question); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
