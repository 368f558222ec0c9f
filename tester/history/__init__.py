"""What a history of messages must be before it is sent: valid, truthful, no longer than it has to be."""
