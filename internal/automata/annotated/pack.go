package annotated

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
)

// Pack returns lists of numbers as package ast unpacks them: each with its length, and each number with the times that it follows,
// compressed, in the standard encoding of base64.
func Pack(lists ...[]int) string {
	var b []byte
	put := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	for _, list := range lists {
		put(len(list))
		for len(list) > 0 {
			times := 1
			for times < len(list) && list[times] == list[0] {
				times++
			}
			put(list[0])
			put(times)
			list = list[times:]
		}
	}
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.BestCompression) // whose error is a level that there is not
	w.Write(b)                                           // into memory, as does Close
	w.Close()
	return base64.StdEncoding.EncodeToString(out.Bytes())
}
