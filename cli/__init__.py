"""The command line: commands, settings, what people watch, and the demo."""
