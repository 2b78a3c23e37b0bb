"""Games, runs, models and ratings, in SQLite by default, in PostgreSQL by URL."""
