package vectors

import "fmt"

// checkState reports a state that does not fit together.
func (s *Set) checkState() error {
	if s.state == nil && len(s.stateRows) > 0 {
		return fmt.Errorf("%d matrices of state and no state", len(s.stateRows))
	}
	for i, m := range s.stateRows {
		if err := m.CheckSizes(); err != nil {
			return fmt.Errorf("matrix %d of the state: %w", i, err)
		}
		if m.Rows > 0 && m.Cols < 1 {
			return fmt.Errorf("matrix %d of the state: %d dimensions, must be at least 1", i, m.Cols)
		}
	}
	return nil
}

// Verify reads all of the native file that the set was read from once more and compares
// it with its checksum, which files with State have. The error says that the file is
// damaged, or that State has no checksum that could tell. What came compressed or from a
// stream was summed while it was read, and is not read again. Nothing is wrong with a set
// that has no checksum: one that was made here, or of another set, or read from a file
// without State.
func (s *Set) Verify() error {
	if s == nil {
		return errNoSet
	}
	if s.verify == nil {
		return nil
	}
	err := s.file.Guarded(s.verify)
	if err != nil && s.file != nil {
		err = s.file.Located(err)
	}
	return err
}
