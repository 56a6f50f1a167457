"""Results for people: pictures of alignments, tables, pages."""
