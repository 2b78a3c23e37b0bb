"""Figure 4.13: A^Lea told to prefer its stock; six updates alone, eleven against A^B."""

from spielwerk.lab.jahnke_learning import learning_figure

FIGURE = learning_figure("4.13", "A^Lea learns, the stock first", "lea", "thesis")
