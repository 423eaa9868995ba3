package action

import "strconv"

// UniqueID tells the vectors of one data file apart (protocol, "Derived
// Fields"). It is empty for no vector.
func (d *DeletionVector) UniqueID() string {
	if d == nil {
		return ""
	}
	id := d.StorageType + d.PathOrInlineDV
	if d.Offset != nil {
		id += "@" + strconv.Itoa(int(*d.Offset))
	}
	return id
}
