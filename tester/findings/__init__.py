"""What was found where a check was made: whether it holds, and what was there instead."""
