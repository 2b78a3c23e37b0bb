"""Moves, drawings and lists; and what is said of positions that cannot arise."""

import itertools

import pytest

from spielwerk.errors import IllegalMoveError, ImpossiblePositionError, SpielwerkError
from spielwerk.games import rules
from spielwerk.games.catalogue import parse_game
from spielwerk.games.connectx_notation import from_kaggle, to_kaggle
from spielwerk.games.notation import (
    describe_outcome,
    draw,
    format_moves,
    move_name,
    parse_position,
    replay,
)
from spielwerk.games.rules import RUNNING, legal_moves
from spielwerk.games.tictactoe import from_list, to_list

C4 = parse_game("connect-four")
TTT = parse_game("tic-tac-toe")

DRAWING = """
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . O . . .
. . O X X . .
1 2 3 4 5 6 7
""".strip()


def test_moves_are_columns_from_one():
    state, moves = replay(C4, "4453")
    assert moves == (3, 3, 4, 2)
    assert format_moves(moves) == "4453"
    assert draw(C4, state) == DRAWING
    assert describe_outcome(C4, state) == "yellow to move"


def test_letters_follow_the_nine_digits():
    wide = parse_game("connectx:4x12")
    assert [move_name(move) for move in range(12)] == list("123456789abc")
    assert replay(wide, "1ac")[1] == (0, 9, 11)
    assert draw(wide, rules.initial(wide)).endswith("1 2 3 4 5 6 7 8 9 a b c")


@pytest.mark.parametrize(
    "text",
    [
        DRAWING,
        DRAWING.rsplit("\n", 1)[0],  # without the names of the columns
        DRAWING.lower(),
        DRAWING.replace(" ", ""),
        "\n".join(f"| {line} |" for line in DRAWING.split("\n")[:-1]),
        "......./......./......./......./...O.../..OXX..",
        "0000000/0000000/0000000/0000000/0002000/0021100",
        str([0] * 31 + [2] + [0] * 5 + [2, 1, 1, 0, 0]),
        "44 5,3",
    ],
)
def test_one_position_in_many_forms(text):
    assert parse_position(C4, text) == replay(C4, "4453")[0]


@pytest.mark.parametrize(
    "spec", ["connect-four", "connectx:1x4,k=2", "connectx:2x2,k=2", "tic-tac-toe"]
)
def test_drawings_are_read_back(spec, chance):
    game = parse_game(spec)
    for _ in range(20):
        state = rules.initial(game)
        while True:
            assert parse_position(game, draw(game, state)) == state
            if rules.outcome(game, state) != RUNNING:
                break
            state = rules.transition(game, state, chance.choice(legal_moves(game, state)))


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (C4, "3333333", "Column 3 is full after 333333. Legal columns: 1 2 4 5 6 7."),
        (
            C4,
            "48",
            'There is no column "8" after 4: columns are 1 to 7. Legal columns: 1 2 3 4 5 6 7.',
        ),
        (
            C4,
            "4-",
            'There is no column "-" after 4: columns are 1 to 7. Legal columns: 1 2 3 4 5 6 7.',
        ),
        (
            C4,
            "11223344",
            "The game is over after 1122334 (yellow has won); column 4 cannot be played.",
        ),
        (TTT, "55", "Cell 5 is taken after 5. Legal cells: 1 2 3 4 6 7 8 9."),
        (
            parse_game("nim:n=4"),
            "33",
            "You cannot take 3 stones: there is only 1 after 3. Legal takes: 1.",
        ),
    ],
)
def test_illegal_moves_name_move_position_and_legal_moves(game, text, message):
    with pytest.raises(IllegalMoveError) as error:
        replay(game, text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (
            C4,
            "...X.../" + "......./" * 4 + ".......",
            "In column 4 a stone floats above an empty cell",
        ),
        (C4, "......./" * 5 + "XX.....", "X has 2 stones and O has 0"),
        (C4, "......./" * 5 + "O......", "X has 0 stones and O has 1"),
        (C4, "......./" * 4 + "OOOO.../XXXX...", "X already has 4 in a row, and yet O has moved"),
        (C4, "......./" * 4 + "OOO..../XXXXXXX", "X has 7 stones and O has 3"),
        (C4, "......./" * 4 + "XX...../OO.....", "No order of play"),
        (C4, "......./" * 4 + "OOO..../XXXX...", None),
        (
            C4,
            "......./" * 2 + "X.O..../X.O..../X.O..../X.O...X",
            "O already has 4 in a row, and yet X",
        ),
        (C4, "......./" * 2 + "X.X..../XOXO.../XOXO.../XOXOO..", "lines of 4 than one last stone"),
        (TTT, "XX./.../...", "X has 2 marks and O has 0"),
        (TTT, "XXX/OOO/...", "X already has three in a row, and yet O has moved"),
        (TTT, "XXX/OO./...", None),
        (TTT, "XXX/XOO/XOO", None),  # two lines made at once, where they cross
    ],
)
def test_positions_that_cannot_arise_are_refused_with_the_reason(game, text, message):
    if message is None:
        parse_position(game, text)
    else:
        with pytest.raises(ImpossiblePositionError, match=message):
            parse_position(game, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[0, 1]", "The list has 2 cells; this board has 6 × 7 = 42"),
        ("[0, 1", "cannot be read"),
        (str([3] * 42), "holds 0 .empty., 1 and 2"),
        ("[true]", "holds 0"),
        ("...", "The drawing has 1 rows of 3 cells; this board has 6 rows of 7"),
        ("......./" * 5 + "Z......", '"Z" means nothing in a drawing'),
    ],
)
def test_unreadable_boards_say_what_is_wrong(text, message):
    with pytest.raises(SpielwerkError, match=message):
        parse_position(C4, text)


@pytest.mark.parametrize("cells", [[0] * 41, [0] * 43, [0] * 41 + [3], [0] * 41 + [-1], "0" * 42])
def test_lists_are_checked_in_python_too(cells):
    with pytest.raises(SpielwerkError, match="list"):
        from_kaggle(C4, cells)
    with pytest.raises(SpielwerkError, match="list"):
        from_list(TTT, cells)


def test_a_full_board_that_cannot_arise_is_refused_quickly():
    wide = parse_game("connectx:7x8,k=7")
    rows = ["XOXOXOXO", "OXOXOXOX"] * 3 + ["OOOOOOOO"]
    with pytest.raises(ImpossiblePositionError):
        parse_position(wide, "/".join(rows))


def test_nim_has_no_drawing_to_read():
    with pytest.raises(SpielwerkError, match="given by their moves"):
        parse_position(parse_game("nim"), "||||| .")


def arise(game):
    """All states that play leads to, by looking."""
    found, pending = set(), [rules.initial(game)]
    while pending:
        state = pending.pop()
        if state not in found:
            found.add(state)
            pending += [rules.transition(game, state, move) for move in legal_moves(game, state)]
    return found


def test_tic_tac_toe_accepts_exactly_what_can_arise():
    found = {tuple(to_list(TTT, state)) for state in arise(TTT)}
    assert len(found) == 5478
    for cells in itertools.product(range(3), repeat=9):
        assert accepts(lambda cells: from_list(TTT, cells), cells) == (cells in found)


@pytest.mark.parametrize("spec", ["connectx:3x3,k=3", "connectx:2x4,k=2", "connectx:3x3,k=2"])
def test_connectx_accepts_exactly_what_can_arise(spec):
    game = parse_game(spec)
    found = {tuple(to_kaggle(game, state)) for state in arise(game)}
    for cells in itertools.product(range(3), repeat=game.rows * game.cols):
        assert accepts(lambda cells: from_kaggle(game, cells), cells) == (cells in found)


def accepts(read, cells):
    try:
        read(cells)
    except ImpossiblePositionError:
        return False
    return True
