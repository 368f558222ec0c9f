"""What a run's results look like to people and to other programs; each is a function of results."""
