package config

import "os"

// ProfileNames lists the profiles of the profile file in the order of the file,
// without a look at their values: none where there is no file and none was
// named. The error is an [*Error].
func (s Sources) ProfileNames() ([]string, error) {
	if s.LookupEnv == nil {
		s.LookupEnv = os.LookupEnv
	}
	f, err := s.readFile()
	if err != nil {
		return nil, err
	}
	return f.names, nil
}
