"""The grammar of plain sentences: words, the notation of forms, the slots in them, and the two tables."""
