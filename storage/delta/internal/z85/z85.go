package z85

import (
	"encoding/binary"
	"fmt"
)

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"

// digits gives a character's value, 0xff if it is none of the alphabet.
var digits = func() (d [256]byte) {
	for i := range d {
		d[i] = 0xff
	}
	for i := range len(alphabet) {
		d[alphabet[i]] = byte(i)
	}
	return d
}()

// Decode reads text, whose length must be a multiple of five.
func Decode(text string) ([]byte, error) {
	if len(text)%5 != 0 {
		return nil, fmt.Errorf("base85: %d characters are no multiple of 5", len(text))
	}
	out := make([]byte, 0, len(text)/5*4)
	for i := 0; i < len(text); i += 5 {
		var v uint64
		for k := range 5 {
			d := digits[text[i+k]]
			if d == 0xff {
				return nil, fmt.Errorf("base85: character %q at %d", text[i+k], i+k)
			}
			v = v*85 + uint64(d)
		}
		if v > 1<<32-1 {
			return nil, fmt.Errorf("base85: group at %d is above 32 bits", i)
		}
		out = binary.BigEndian.AppendUint32(out, uint32(v))
	}
	return out, nil
}

// Encode writes b, whose length must be a multiple of four.
func Encode(b []byte) (string, error) {
	if len(b)%4 != 0 {
		return "", fmt.Errorf("base85: %d bytes are no multiple of 4", len(b))
	}
	out := make([]byte, len(b)/4*5)
	for i := 0; i < len(b); i += 4 {
		v := binary.BigEndian.Uint32(b[i:])
		group := out[i/4*5:]
		for k := 4; k >= 0; k-- {
			group[k] = alphabet[v%85]
			v /= 85
		}
	}
	return string(out), nil
}
