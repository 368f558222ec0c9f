"""How each family of controls is filled and read back."""
