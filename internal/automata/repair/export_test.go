package repair

// Escape returns the escape of an octet.
func Escape(octet byte) string { return string([]byte{'%', upperHex[octet>>4], upperHex[octet&15]}) }

// MaxSingle is maxSingle.
const MaxSingle = maxSingle
