package charnames

func byName() map[string]rune { return nil }

func findIdeograph(string) (r rune, ok bool) { return 0, false }
