package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
)

const smallPage = `<!DOCTYPE html><title>x</title><p>text</p>`

// offering returns a serve command at an address, with a page of its own, and where its output goes.
func offering(addr string) (serve func() error, out *io.PipeReader, stderr *bytes.Buffer) {
	out, w := io.Pipe()
	stderr = &bytes.Buffer{}
	v := &serving{reporting{streams: newStreams(strings.NewReader(""), w, stderr)}, addr}
	return func() error {
		defer w.Close()
		return v.offer(func() ([]byte, error) { return []byte(smallPage), nil })
	}, out, stderr
}

// The page is offered until there is an interrupt.
func TestServe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: a process cannot interrupt itself there")
	}
	serve, out, stderr := offering("127.0.0.1:0")
	ended := make(chan error, 1)
	go func() { ended <- serve() }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, stderr)
	}
	address = strings.TrimSpace(address)
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Errorf("at %s", address)
	}
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || answer.StatusCode != 200 || string(text) != smallPage {
		t.Errorf("%s, %q, %v", answer.Status, text, err)
	}

	host := strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/")
	second, _, _ := offering(host)
	if err := second(); err == nil || err.Error() != host+": address already in use" {
		t.Errorf("a second one there: %v", err)
	}

	idle, err := net.Dial("tcp", host) // somebody who never asks for anything
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || stderr.Len() > 0 {
		t.Errorf("%v, %q", err, stderr)
	}
	if _, err := http.Get(address); err == nil {
		t.Error("it still answers")
	}
}

func TestListenAddress(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"0", "127.0.0.1:0"},
		{"8080", "127.0.0.1:8080"},
		{":8080", "127.0.0.1:8080"}, // not every address of the machine, which nobody asked for
		{"0.0.0.0:80", "0.0.0.0:80"},
		{"localhost:80", "localhost:80"},
		{"[::1]:80", "[::1]:80"},
		{"::1", ""},
		{"localhost", ""},
		{"localhost:", ""},
		{"", ""},
		{"-1", ""},
		{"65536", ""},
		{"1:2:3", ""},
	} {
		if got, err := listenAddress(c.value); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: %q, %v; want %q", c.value, got, err, c.want)
		}
	}
}
