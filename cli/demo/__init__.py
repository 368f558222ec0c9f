"""The demo: a small application with one slow field, and the scenarios that try it."""
