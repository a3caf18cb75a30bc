//! Writes the artifact: the same bytes for the same tools, whole or not at all.
