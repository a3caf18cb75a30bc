//! Conversation scripts: the language in which conversations are written down, read.
