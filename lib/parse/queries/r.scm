; r
