"""Who speaks: the model protocol and the kinds that serve it."""
