; just
