"""What the plots of tables and figures show."""

import math
from dataclasses import replace

import pytest

from spielwerk.lab.catalogue import find_entry
from spielwerk.lab.experiment import Cell, Result, Table
from spielwerk.lab.figure import Figure, Point
from spielwerk.lab.figure_plot import RANGE, VALUE, compose_figure, draw_figure, span
from spielwerk.lab.printed import Page, Printed, printed
from spielwerk.lab.table_plot import compose_table, draw

NOTHING = Page()


def figure_of(page=NOTHING, **more):
    functions = (lambda study: [], lambda points: {})
    return Figure("some", "Somebody", "something", "x", "y", *functions, page, **more)


def curve(name, *values, spread=0.0, seeds=1, xs=None):
    places = xs or range(1, len(values) + 1)
    return [
        Point(name, x, y, y - spread, y + spread, seeds)
        for x, y in zip(places, values, strict=True)
    ]


def results_of(table, games=lambda cell: 100):
    return [
        Result(c.row, c.column, c.spec, c.opponent, games(c), 0, 0, 0, 50.0, 45.0, 55.0, 1)
        for c in table.cells
    ]


def drawn(axes, kind):
    """The lines of one kind of mark: their xs and ys."""
    lines = [line for line in axes.lines if line.get_label() == f"_{kind}"]
    return [(list(line.get_xdata()), list(line.get_ydata())) for line in lines]


def title(canvas):
    return canvas.get_suptitle()


def line_of(axes, name):
    (line,) = (one for one in axes.lines if one.get_label() == name)
    return line


def test_a_printed_range_is_a_bar_and_a_printed_value_a_hollow_diamond():
    numbers = {
        "range": Printed(None, 80, 100, words="80 %", curve="ours", x=2),
        "value": printed(60, curve="ours", x=1),
    }
    canvas = compose_figure(figure_of(Page("", numbers)), curve("ours", 70, 75))
    (axes,) = canvas.axes
    assert drawn(axes, RANGE) == [([2, 2], [80, 100])]
    assert drawn(axes, VALUE) == [([1], [60])]
    assert not any(90 in line.get_ydata() for line in axes.lines)
    (mark,) = (line for line in axes.lines if line.get_label() == f"_{VALUE}")
    assert (mark.get_marker(), mark.get_markerfacecolor()) == ("D", "none")
    assert "hollow diamonds: printed; shaded bars: printed ranges" in title(canvas)


def test_a_range_without_a_place_stands_beside_the_axes():
    numbers = {name: Printed(None, 90, 100, curve=name) for name in ("one", "two")}
    points = [*curve("one", 20, 30), *curve("two", 30, 40)]
    (axes,) = compose_figure(figure_of(Page("", numbers)), points).axes
    bars = drawn(axes, RANGE)
    assert [ys for _, ys in bars] == [[90, 100], [90, 100]]
    assert 1 < bars[0][0][0] < bars[1][0][0] < 1.1  # of the width
    assert axes.get_ylim()[1] > 100


@pytest.mark.parametrize(("low", "high", "up"), [(5, math.inf, True), (-math.inf, 5, False)])
def test_an_open_end_is_an_arrow(low, high, up):
    page = Page("", {"open": Printed(None, low, high, curve="ours", x=1)})
    (axes,) = compose_figure(figure_of(page), curve("ours", 4, 6)).axes
    (arrow,) = (text for text in axes.texts if text.get_label() == f"_{RANGE}")
    assert arrow.xy == (1, 5)
    assert (arrow.xyann[1] > 0) == up
    assert drawn(axes, RANGE) == []


@pytest.mark.parametrize("logarithmic", [False, True])
def test_the_axis_reaches_as_far_as_the_ranges(logarithmic):
    numbers = {
        "below": Printed(None, 0, 3, curve="ours", x=2),
        "after": Printed(None, 4, 5, curve="ours", x=9),
        "beside": Printed(None, 50, 60, curve="ours"),
    }
    figure = figure_of(Page("", numbers), logarithmic=logarithmic)
    (axes,) = compose_figure(figure, curve("ours", 4, 6, 7)).axes
    low, high = axes.get_ylim()
    assert low < 3 < 60 < high
    assert axes.get_xlim()[0] > 0
    assert 9 < axes.get_xlim()[1] < 10
    assert len(drawn(axes, RANGE)) == (2 if logarithmic else 3)  # a logarithm has no zero


def test_ranges_at_one_place_stand_side_by_side_and_equal_values_inside_each_other():
    numbers = {f"range {n}": Printed(None, 1, 2, curve=n, x=1) for n in "ab"}
    numbers |= {f"value {n}": printed(3, curve=n, x=2) for n in "ab"}
    canvas = compose_figure(figure_of(Page("", numbers)), [*curve("a", 1, 3), *curve("b", 2, 3)])
    (axes,) = canvas.axes
    canvas.draw_without_rendering()
    bars = [line for line in axes.lines if line.get_label() == f"_{RANGE}"]
    left, right = (bar.get_transform().transform((1, 1))[0] for bar in bars)
    assert right - left > 5
    sizes = [line.get_markersize() for line in axes.lines if line.get_label() == f"_{VALUE}"]
    assert sizes[1] > sizes[0] + 2


def test_tables_draw_ranges_and_values_and_rows_without_printed_numbers():
    cells = tuple(Cell(row, column, "random", "random") for row in "ab" for column in "12")
    numbers = {"a | 1": printed(60), "a | 2": Printed(None, 30, 40)}
    table = Table("t", "Somebody", "s", "tic-tac-toe", "r", "c", cells, Page("", numbers))
    canvas = compose_table(table, results_of(table))
    (axes,) = canvas.axes
    assert [ys for _, ys in drawn(axes, VALUE)] == [[60]]
    assert [ys for _, ys in drawn(axes, RANGE)] == [[30, 40]]
    assert "hollow: printed; shaded bars: printed ranges" in title(canvas)


def test_pages_with_rows_and_columns_are_marked():
    visits = find_entry("thill-figure-4-21")
    points = [p for row in visits.page.rows for p in curve(f"row {row}", *range(7))]
    (axes,) = compose_figure(visits, points).axes
    marks = drawn(axes, VALUE)
    assert len(marks) == 42
    (x,), (y,) = marks[0]
    assert (round(x), y) == (1, 8)  # a6
    seconds = find_entry("thill-table-4-2")
    points = [p for row in seconds.page.rows for p in curve(row, 1, 2, xs=(0, 8))]
    (axes,) = compose_figure(seconds, points).axes
    marks = drawn(axes, VALUE)
    assert len(marks) == 30
    assert marks[-1] == ([18], [1267])
    states = find_entry("thill-appendix-a-2")
    (axes,) = compose_figure(states, [*curve("m = 3", 3), *curve("m = 4", 3)]).axes
    assert len(drawn(axes, VALUE)) == 10


def test_the_caption_tells_the_least_and_the_most_games_and_seeds():
    table = find_entry("goeppert-table-13")
    found = results_of(table, lambda cell: 200 if "Net" in cell.row else 1000)
    assert "200 to 1,000 games per point" in title(compose_table(table, found))
    table = find_entry("jahnke-figure-5-4")
    assert "ours, 100 games per point" in title(compose_table(table, results_of(table)))
    points = [*curve("a", 1, spread=0.5, seeds=3), *curve("b", 1, spread=0.5, seeds=10)]
    assert "mean of 3 to 10 seeds, band: 10 %" in title(compose_figure(figure_of(), points))
    assert "band" not in title(compose_figure(figure_of(), curve("a", 1, 2, seeds=10)))
    assert span([]) == "0"


@pytest.mark.parametrize("name", ["goeppert-table-13", "jahnke-figure-5-2"])
def test_legends_of_tables_hide_nothing(name):
    table = find_entry(name)
    _assert_nothing_is_hidden_or_cut(compose_table(table, results_of(table)))


@pytest.mark.parametrize("name", ["konen-tic-tac-toe", "thill-figure-4-9", "thill-figure-4-2"])
def test_legends_and_titles_of_figures_hide_nothing_and_are_not_cut(name):
    figure = find_entry(name)
    curves = dict.fromkeys(one.curve for one in figure.page.numbers.values())
    points = [p for n in curves for p in curve(n, 1, 9, spread=1, seeds=10, xs=(0, 10_000_000))]
    _assert_nothing_is_hidden_or_cut(compose_figure(figure, points))


def _assert_nothing_is_hidden_or_cut(canvas):
    canvas.draw_without_rendering()
    page = canvas.bbox
    for axes in canvas.axes:
        legend = axes.get_legend().get_window_extent()
        assert legend.x0 > axes.bbox.x1
        beside = [line.get_window_extent().x1 for line in axes.lines if not line.get_clip_on()]
        assert all(x < legend.x0 for x in beside if x > axes.bbox.x1)
        assert legend.x1 <= page.x1
        assert axes.bbox.width > 0.5 * page.width
    (text,) = (one for one in canvas.texts if one.get_text() == title(canvas))
    extent = text.get_window_extent()
    assert page.x0 <= extent.x0
    assert extent.x1 <= page.x1


def test_points_of_categories_have_bars_names_and_places_of_their_own():
    speeds = find_entry("goeppert-table-11")
    points = curve("ours", *(1e5,) * 6, 3e6, spread=1e4, seeds=3)
    canvas = compose_figure(speeds, points)
    (axes,) = canvas.axes
    assert axes.get_yscale() == "log"
    assert [type(one).__name__ for one in axes.collections] == ["LineCollection"]  # no area
    names = axes.get_xticklabels()
    assert [one.get_text() for one in names][5:7] == ["RAVE-LGR-ConvNet", "no net"]
    assert {one.get_rotation() for one in names} == {40}  # fifteen have no room beside each other
    assert "bars: the lowest to the highest" in title(canvas)
    errors = find_entry("goeppert-table-1")
    names = ("MSE, held out", "MAE, held out", "MSE, new games")
    (axes,) = compose_figure(errors, [p for n in names for p in curve(n, 1, 1, 1, 1)]).axes
    assert list(axes.get_xticks()) == [1, 2, 3, 4]
    assert axes.get_xticklabels()[1].get_text() == "ConvNet,\nnormalised"
    xs = [line_of(axes, name).get_xdata()[0] for name in names]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1]) == pytest.approx(0.12)
    held_out = [x for (x,), _ in drawn(axes, VALUE)]
    assert held_out[:2] == xs[:2]  # printed values move with their curves


def test_a_moment_is_marked_where_the_curve_should_be_then():
    """Printed is when 80 % are passed, as a share of the training."""
    figure = find_entry("thill-figure-4-27")
    points = [*curve("tuned", 0, 90), *curve("basis", 0, 90)]
    (axes,) = compose_figure(figure, points).axes
    assert [(x, y) for (x,), (y,) in drawn(axes, VALUE)] == [(2_000_000, 80), (4_000_000, 80)]


def test_a_trace_is_drawn_in_steps():
    figure = find_entry("konen-figure-2")
    (axes,) = compose_figure(figure, curve("activation", 0, 1, 0)).axes
    assert {line.get_drawstyle() for line in axes.lines} == {"steps-post"}


def test_three_players_have_a_third_each_and_are_not_joined():
    table = find_entry("jahnke-figure-5-2")
    canvas = compose_table(table, results_of(table))
    (axes,) = canvas.axes
    (even,) = (line for line in axes.lines if line.get_color() == "0.7")
    assert even.get_ydata() == pytest.approx([100 / 3, 100 / 3])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("seat", "games won, %")
    assert "an even share, 33.3 %" in title(canvas)
    assert all(c.lines[0].get_linestyle() == "None" for c in axes.containers)
    numbers = find_entry("goeppert-table-5")
    (axes,) = compose_table(numbers, results_of(numbers)).axes
    assert all(c.lines[0].get_linestyle() == "-" for c in axes.containers)


@pytest.mark.parametrize("name", ["thill-figure-4-8", "thill-figure-4-9"])
def test_short_trainings_are_as_wide_as_long_ones(name):
    long, short = (
        curve(plies, 10, 20, xs=(last / 10, last))
        for plies, last in (("6 plies", 200_000), ("12 plies", 5_000))
    )
    (axes,) = compose_figure(find_entry(name), [*long, *short]).axes
    for label in ("6 plies (200,000)", "12 plies (5,000)"):
        assert list(line_of(axes, label).get_xdata()) == [10, 100]
    assert "% of the training" in axes.get_xlabel()


def test_what_is_told_of_a_curve_is_dashed_in_its_colour():
    points = [*curve("a", 1, 2), *curve("a: runs", 1, 2), *curve("b", 1, 2), *curve("c: d", 1, 2)]
    (axes,) = compose_figure(figure_of(), points).axes
    looks = [(line.get_color(), line.get_linestyle()) for line in axes.lines]
    assert looks == [("C0", "-"), ("C0", "--"), ("C1", "-"), ("C2", "-")]


def test_panels_divide_the_curves_and_their_marks():
    numbers = {"least": printed(0.9, curve="net: MSE")}
    figure = figure_of(Page("", numbers), panels=("MSE", "MAE"))
    canvas = compose_figure(figure, [*curve("net: MSE", 1, 2), *curve("net: MAE", 3, 4)])
    upper, lower = canvas.axes
    assert (upper.get_title(), lower.get_title()) == ("MSE", "MAE")
    assert list(lower.lines[0].get_ydata()) == [3, 4]
    assert len(lower.lines) == 1
    assert "dotted lines" in title(canvas)


def test_large_numbers_are_written_out_and_whole_places_stay_whole():
    canvas = compose_figure(figure_of(), curve("a", 1, 2, xs=(1_200_000, 2_000_000)))
    canvas.draw_without_rendering()
    texts = [one.get_text() for one in canvas.axes[0].get_xticklabels()]
    assert "1,200,000" in texts
    assert canvas.axes[0].xaxis.get_offset_text().get_text() == ""
    canvas = compose_figure(figure_of(), curve("a", 1, 2, 3))
    assert all(x == round(x) for x in canvas.axes[0].get_xticks())


def test_the_same_results_make_the_same_files(tmp_path):
    figure = replace(find_entry("thill-figure-4-9"), page=find_entry("ntuple-records").page)
    points = curve("walks, thesis", 70, 90, spread=3, seeds=5, xs=(100_000, 1_000_000))
    table = find_entry("jahnke-figure-5-4")
    found = []
    for place in (tmp_path / "one", tmp_path / "two"):
        for kind in ("figure", "table"):
            (place / kind).mkdir(parents=True)
        draw_figure(figure, points, place / "figure")
        draw(table, results_of(table), place / "table")
        found.append([path.read_bytes() for path in sorted(place.glob("*/plot.*"))])
    assert len(found[0]) == 4
    assert found[0] == found[1]
