"""Figure 4.12: A^Lea that begins with zero does not get beyond 40 % in 300 updates.

Ours is tested after every third, which leaves fewer chances for the best.
"""

from spielwerk.lab.jahnke_learning import learning_figure

FIGURE = learning_figure("4.12", "A^Lea learns from zero", "lea", "zero")
