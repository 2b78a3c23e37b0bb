"""Spielwerk in other houses: Kaggle ConnectX and PettingZoo."""
