package partition

import "strings"

// nullDirectory is the directory value of NULL in Hive's layout.
const nullDirectory = "__HIVE_DEFAULT_PARTITION__"

// Directory gives the name of the directory of a value of a partition column
// in Hive's layout, column=value, with the characters escaped that would mean
// something in a path.
func Directory(column, text string, isNull bool) string {
	if isNull {
		return escape(column) + "=" + nullDirectory
	}
	return escape(column) + "=" + escape(text)
}

const hexDigits = "0123456789ABCDEF"

func escape(s string) string {
	const special = "\"#%'*/:=?\\{[]^"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c == 0x7f || strings.IndexByte(special, c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}
