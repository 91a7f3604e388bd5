package serve

import (
	"io"
	"net/http"
	"testing"
)

// bodyOf reads the body of a response.
func bodyOf(t testing.TB, res *http.Response) string {
	t.Helper()
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
