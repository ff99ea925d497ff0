package pageserver

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

const smallPage = `<!DOCTYPE html><title>x</title><script>a()</script><script type="text/plain">data</script><p>text</p>`

// asked returns the answer to a request and its text.
func asked(t *testing.T, s *Server, lines ...string) (*http.Response, string) {
	t.Helper()
	client, server := net.Pipe()
	ended := make(chan struct{})
	go func() {
		s.answer(server)
		close(ended)
	}()
	defer func() {
		client.Close()
		<-ended
	}()
	go io.WriteString(client, strings.Join(lines, "\r\n")+"\r\n\r\n")
	method, _, _ := strings.Cut(lines[0], " ")
	answer, err := http.ReadResponse(bufio.NewReader(client), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%q: %v", lines, err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatalf("%q: %v", lines, err)
	}
	return answer, string(text)
}

func TestServer(t *testing.T) {
	h, err := New([]byte(smallPage), "mybox:80")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, host, path string
		status             int
	}{
		{"GET", "127.0.0.1:8080", "/", 200},
		{"HEAD", "127.0.0.1:8080", "/", 200},
		{"GET", "[::1]:8080", "/", 200},
		{"GET", "[::1]", "/", 200},
		{"GET", "localhost", "/", 200},
		{"GET", "LocalHost:1", "/", 200},
		{"GET", "mybox:80", "/", 200}, // the host of addr
		{"GET", "192.0.2.7", "/", 200},
		{"GET", "evil.example", "/", 421},
		{"GET", "127.0.0.1.evil.example:8080", "/", 421},
		{"GET", "localhost.evil.example", "/", 421},
		{"GET", "", "/", 421},
		{"POST", "evil.example", "/", 421},
		{"POST", "localhost", "/", 405},
		{"OPTIONS", "localhost", "/", 405},
		{"GET", "localhost", "/index.html", 404},
		{"GET", "localhost", "//", 404},
		{"GET", "localhost", "/../etc/passwd", 404},
		{"GET", "localhost", "/favicon.ico", 204},
		{"GET", "localhost", "/?a=b", 200},
		{"GET", "evil.example", "http://localhost/", 200}, // the host of the target counts
		{"GET", "localhost", "http://evil.example/", 421},
		{"OPTIONS", "localhost", "*", 405},
	} {
		answer, body := asked(t, h, c.method+" "+c.path+" HTTP/1.1", "Host: "+c.host, "Accept: */*")
		if answer.StatusCode != c.status {
			t.Errorf("%s %s%s: %d, want %d", c.method, c.host, c.path, answer.StatusCode, c.status)
		}
		if (body == smallPage) != (c.status == 200 && c.method == "GET") {
			t.Errorf("%s %s%s: answered with %q", c.method, c.host, c.path, body)
		}
		if answer.Header.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(answer.Header.Get("Content-Security-Policy"), "default-src 'none'; ") {
			t.Errorf("%s %s%s: headers %v", c.method, c.host, c.path, answer.Header)
		}
	}
}

// A malformed request is answered with 400, and a connection that closes without one with nothing.
func TestRefuses(t *testing.T) {
	h, err := New([]byte(smallPage), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	for _, lines := range [][]string{
		{""}, {"GET"}, {"GET /"}, {"GET / HTTP/2", "Host: localhost"}, {"GET  / HTTP/1.1",
			"Host: localhost"}, {"GET / HTTP/1.1 x", "Host: localhost"},
		{"GET / HTTP/1.1"}, {"GET / HTTP/1.1", "Host: localhost", "Host: localhost"}, {"GET / HTTP/1.1",
			"Host localhost"},
		{"GET / HTTP/1.1", "Host: localhost", "Field: " + strings.Repeat("x", mostHeader)},
		{"GET localhost HTTP/1.1", "Host: localhost"}, {"GET %zz HTTP/1.1", "Host: localhost"}, {"\x16\x03\x01", ""},
	} {
		if answer, text := asked(t, h, lines...); answer.StatusCode != 400 || strings.Contains(text, smallPage) {
			t.Errorf("%.80q: %d", lines, answer.StatusCode)
		}
	}
	client, server := net.Pipe()
	go client.Close()
	h.answer(server)
	if len(h.waiting) > 0 {
		t.Error("it still waits for the request of a closed connection")
	}
}

// A page that a browser has already is not sent again, and its tag is not that of another page.
func TestTags(t *testing.T) {
	var tags []string
	for _, text := range []string{smallPage, smallPage + " "} {
		h, err := New([]byte(text), "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range append(tags, "", `"x"`, strings.Trim(h.tag, `"`)) {
			answer, body := asked(t, h, "GET / HTTP/1.1", "Host: localhost", "If-None-Match: "+tag)
			if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/html; charset=utf-8" || body != text {
				t.Errorf("%q: %d, %v", tag, answer.StatusCode, answer.Header)
			}
		}
		for _, tag := range []string{h.tag, "W/" + h.tag, `"x", ` + h.tag, "*"} {
			answer, body := asked(t, h, "GET / HTTP/1.1", "Host: localhost", "If-None-Match: "+tag)
			if answer.StatusCode != http.StatusNotModified || body != "" || answer.Header.Get("ETag") != h.tag {
				t.Errorf("the same page again, %s: %d", tag, answer.StatusCode)
			}
		}
		tags = append(tags, h.tag)
	}
}

// The policy has the hash of each script, so that no other can run.
func TestScriptHashes(t *testing.T) {
	const want = " 'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='"
	if got := scriptHashes([]byte("<script>a()</script><p onclick='b()'>script</p><script></script>")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
