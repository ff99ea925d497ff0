//go:build schema

package resultstest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"
)

// Validates reports whether logs are checked against the JSON schema of SARIF; the build tag schema has them.
const Validates = true

// sarifSchema returns the JSON schema of SARIF 2.1.0 with errata 01 by OASIS Open. It is taken from the source of package
// sarif, which holds it and validates documents of its own alone.
var sarifSchema = sync.OnceValues(func() (string, error) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", reflect.TypeFor[sarif.Report]().PkgPath()).Output()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "schema.go"))
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(string(text), "const schema = `")
	schema, _, found := strings.Cut(rest, "`")
	if !found {
		return "", errors.New("package sarif has no schema where it had one")
	}
	return schema, nil
})

func validate(data []byte) error {
	schema, err := sarifSchema()
	if err != nil {
		return err
	}
	valid, err := gojsonschema.Validate(gojsonschema.NewStringLoader(schema), gojsonschema.NewBytesLoader(data))
	if err != nil {
		return err
	}
	if faults := valid.Errors(); len(faults) > 0 {
		return fmt.Errorf("not valid by the schema: %v", faults)
	}
	return nil
}
