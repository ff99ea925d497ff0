// Package scripts has only tests: scripts in testdata, each of which runs the program as a user does.
package scripts
