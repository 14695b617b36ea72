// Removed with the first real file.
