package corpus

import (
	"fmt"
	"testing"
	"time"
)

// SetStorePause sets the pause before a command is run again, during a test.
func SetStorePause(t *testing.T, pause time.Duration) {
	before := storePause
	storePause = pause
	t.Cleanup(func() { storePause = before })
}

// SetStoreSilence sets how long a store may write nothing before it is told, during a test.
func SetStoreSilence(t *testing.T, silence time.Duration) {
	before := storeSilence
	storeSilence = silence
	t.Cleanup(func() { storeSilence = before })
}

// ListOfStore reads what a command has printed as a list.
func ListOfStore(scheme, text string) (string, error) {
	for _, s := range stores {
		if s.scheme == scheme {
			_, read := s.list(s.commands[0], "bucket", "logs/")
			all, err := read([]byte(text))
			if err != nil || len(all) != 1 {
				return fmt.Sprint(all), err
			}
			return fmt.Sprint(all[0].key, " ", all[0].size, " ", all[0].tag != ""), nil
		}
	}
	return "", nil
}
