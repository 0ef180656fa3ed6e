package sessionstore

import (
	"encoding/hex"
	"encoding/json"
	"time"
)

const triesSuffix = ".tries"

func triesFile(id ID) string { return hex.EncodeToString(id[:]) + triesSuffix }

// fileOfTries are the tries of a subject as they stand in its file.
type fileOfTries struct {
	Version int         `json:"version"`
	Name    string      `json:"id"`
	Tries   []time.Time `json:"tries"`
	Ends    time.Time   `json:"ends"` // when none of them counts any more
}

// writeTries writes the tries of subjects as they are counted now.
func (d *Directory) writeTries(subjects []ID) error {
	for _, id := range subjects {
		made := d.tries.counted(id)
		data, err := json.Marshal(fileOfTries{Version: fileVersion, Name: hex.EncodeToString(id[:]), Tries: made.tries, Ends: made.ends})
		if err == nil {
			err = d.write(triesFile(id), data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readAllTries counts what a server before this one has counted. What cannot be read counts
// for nothing, and is written anew with the next try.
func (d *Directory) readAllTries() error {
	return d.each(triesSuffix, func(name string) error {
		f, err := d.readTries(name)
		if err != nil { // the id may be anything then
			return nil
		}
		var id ID
		if _, err := hex.Decode(id[:], []byte(f.Name)); err == nil {
			d.tries.count(id, counted{tries: f.Tries, ends: f.Ends})
		}
		return nil
	})
}

// readTries reads the tries of a subject; none if there is no file.
func (d *Directory) readTries(name string) (f fileOfTries, err error) {
	_, err = d.read(name, &f, func() (int, string) { return f.Version, f.Name + triesSuffix })
	return f, err
}
