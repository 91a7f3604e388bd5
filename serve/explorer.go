package serve

// explorerRoutes registers what the explorer's page asks for, below /explorer/.
func (s *Server) explorerRoutes() error { return nil }
