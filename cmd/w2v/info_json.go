package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// MarshalJSON puts the facts between the others, as fields of the same object.
func (i info) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(i.sizeInfo); err != nil {
		return nil, err
	}
	b.Truncate(b.Len() - len("}\n"))
	for _, f := range i.Facts {
		fmt.Fprintf(&b, ",%q:%d", f.Key, f.Value)
	}
	b.WriteByte(',')
	next := b.Len()
	if err := encoder.Encode(i.moreInfo); err != nil {
		return nil, err
	}
	return append(b.Bytes()[:next], b.Bytes()[next+len("{"):]...), nil
}
