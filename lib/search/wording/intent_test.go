package wording

import "testing"

func TestAsksForValue(t *testing.T) {
	for question, want := range map[string]bool{
		"default page size":                                     true,
		"the maximum number of redirects":                       true,
		"how many times is a failed job retried":                true,
		"how long until a silent peer is given up":              true,
		"limit on the size of a request":                        true,
		"connection timeout":                                    true,
		"which port is used unless configured":                  true,
		"what is the longest name that is accepted":             true,
		"environment variable for the cache folder":             true,
		"after how long is a silent peer given up":              true,
		"env var that turns on logging":                         true,
		"exit code for bad usage":                               true,
		"error message when the key is missing":                 true,
		"TCP port the server binds":                             true,
		"hash algorithm for passwords":                          true,
		"delay before the first retry":                          true,
		"name of the cache folder":                              true,
		"which host is used when none is given":                 true,
		"where is the log written by default":                   true,
		"size of the heap in kilobytes":                         true,
		"pause between two polls in seconds":                    true,
		"find the longest prefix of a path":                     false,
		"split a message that is longer than the size limit":    false,
		"how is a job retried":                                  false,
		"parse the port of a URL":                               false,
		"view name of a controller":                             false,
		"code for the settings dialog":                          false,
		"return the error code of the library":                  false,
		"fail if none of the hosts answers":                     false,
		"limit how many jobs run at once":                       false,
		"retry a failed job after a timeout expires":            false,
		"where are the defaults merged with the user's options": false,
		"unless":                               false,
		"":                                     false,
		"skip the entry unless it is complete": false,
		"parse the number of redirects from the default settings": false,
	} {
		if got := IntentOf(question).Value; got != want {
			t.Errorf("%q: %v, want %v", question, got, want)
		}
	}
}

func TestAsksForUse(t *testing.T) {
	for question, want := range map[string]bool{
		"how do I add a plugin":              true,
		"how does the cache work":            true,
		"what is a layout":                   true,
		"what does the option strict mean":   true,
		"which flag turns colours off":       true,
		"difference between merge and join":  true,
		"how are tokens refreshed":           false,
		"what removes expired sessions":      false,
		"where is the difference calculated": false,
		"how to":                             false,
	} {
		if got := IntentOf(question).Use; got != want {
			t.Errorf("%q: %v, want %v", question, got, want)
		}
	}
}

func TestAsksForType(t *testing.T) {
	for question, want := range map[string]bool{
		"the struct that holds a session":      true,
		"what is the interface of a plugin":    true,
		"kinds of tokens":                      true,
		"job states":                           true,
		"holds what is known about a peer":     true,
		"parse the fields of a struct":         false,
		"enum schemas of literal values":       false,
		"records and maps of a schema":         false,
		"union and intersection of shapes":     false,
		"how is the state of a job changed":    false,
		"where are objects removed from cache": false,
		"class":                                false,
	} {
		if got := IntentOf(question).Type; got != want {
			t.Errorf("%q: %v, want %v", question, got, want)
		}
	}
}

func TestAsksHow(t *testing.T) {
	for question, want := range map[string]bool{
		"how are records decoded": true,
		"how":                     false,
		"how many jobs run":       false,
		"for how long is it kept": false,
		"decode records":          false,
	} {
		if got := IntentOf(question).How; got != want {
			t.Errorf("%q: %v, want %v", question, got, want)
		}
	}
}

func TestAsksForKindsOfFiles(t *testing.T) {
	for question, want := range map[string]Intent{
		"benchmarks of the parser":  {Tests: true},
		"translations of messages":  {Translations: true},
		"where is the sample token": {Examples: true},
		"readme of the client":      {Documents: true, Examples: true},
		"parseDocs":                 {Documents: true, Examples: true},
		"contested records":         {},
	} {
		if got := IntentOf(question); got != want {
			t.Errorf("%q: %+v, want %+v", question, got, want)
		}
	}
}

// Only the first line of a report asks.
func TestIntentOfReport(t *testing.T) {
	report := "how are records decoded\n" + "The test of the parser fails on every second machine since last week: expected three records, found none, see below"
	if got, want := IntentOf(report), (Intent{How: true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
