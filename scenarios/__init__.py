"""What people write: scenario files, their variables, and the plain sentences in them."""
