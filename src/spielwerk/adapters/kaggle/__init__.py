"""Kaggle ConnectX: our agents as submissions, checked in the real environment."""
