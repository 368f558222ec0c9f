"""The worker: turns, the conversation, the form tools and the browser they act on."""
