"""Figure 4.9: A^TD learns from zero by playing itself; 1,000 test games after every update."""

from spielwerk.lab.jahnke_learning import learning_figure

FIGURE = learning_figure("4.9", "A^TD learns from zero", "td", "thesis")
