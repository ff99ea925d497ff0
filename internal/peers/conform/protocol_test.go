package conform

import "testing"

// Of several mistakes in an answer, the same one is reported every time.
func TestAnswerWithSeveralErrors(t *testing.T) {
	const line = `{"id":1,"accepted":true,"components":{"f":"","e":"","d":"","c":"","b":"","query":"","search":""}}`
	for _, test := range []struct {
		named []string
		want  string
	}{
		{nil, `unknown component "b"`},
		{[]string{"host"}, `unknown component "b"; there are host`},
	} {
		for range 20 {
			if _, err := parseAnswer([]byte(line), 1, test.named); err == nil || err.Error() != test.want {
				t.Fatalf("named %q: have %v", test.named, err)
			}
		}
	}
}
