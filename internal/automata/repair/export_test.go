package repair

// MaxSingle is maxSingle.
const MaxSingle = maxSingle
