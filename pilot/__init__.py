"""The supervisor: plan, review and verdict of one scenario."""
