"""What happened: events, the store that keeps them, and what is made of them afterwards."""
