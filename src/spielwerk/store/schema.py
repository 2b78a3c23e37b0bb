"""The tables. Lists of numbers are words parted by spaces: the same in every database."""

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
)

METADATA = MetaData()

VERSION = Table("version", METADATA, Column("number", Integer, nullable=False))

RUNS = Table(
    "runs",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),  # arena, ladder, lab
    Column("name", Text),  # of a ladder or a reproduction
    Column("game", Text, nullable=False),
    Column("settings", Text, nullable=False),  # JSON: all that decides the games
    Column("seed", Text, nullable=False),
    Column("planned", BigInteger),  # games; none where it has no end
    Column("state", Text, nullable=False),  # running, stopped, finished
    Column("begun", Text, nullable=False),  # times are ISO 8601, UTC
    Column("ended", Text),
    Column("program", Text, nullable=False),
    Index("runs_by_name", "kind", "name", unique=True),  # tournaments have none
)

MODELS = Table(
    "models",
    METADATA,
    Column("sha256", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("about", Text, nullable=False),  # JSON: its game, features, and how it came about
    Column("seen", Text, nullable=False),
)

PLAYERS = Table(
    "players",
    METADATA,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("spec", Text, nullable=False),
    Column("models", Text, nullable=False),  # sha256 of each, parted by spaces
)

GAMES = Table(
    "games",
    METADATA,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("seats", Text, nullable=False),  # numbers of players, in the order of seats
    Column("seed", Text, nullable=False),
    Column("opening", Text, nullable=False),
    Column("moves", Text, nullable=False),
    Column("utilities", Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("made", Text, nullable=False),  # moves that each seat decided on
    Column("seconds", Text, nullable=False),  # that each seat thought
    Column("cards", Text),  # left in each stock, in Skip-Bo
    Column("turns", Integer),
    Column("played", Text, nullable=False),
)

RATINGS = Table(
    "ratings",
    METADATA,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("player", Integer, primary_key=True),
    Column("elo", Float, nullable=False),
    Column("low", Float, nullable=False),
    Column("high", Float, nullable=False),
    Column("games", BigInteger, nullable=False),
)

FINDINGS = Table(
    "findings",  # of a reproduced table or figure: the numbers that stand beside printed ones
    METADATA,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("value", Float, nullable=False),
    Column("low", Float, nullable=False),  # of the 95 % interval
    Column("high", Float, nullable=False),
)

POINTS = Table(
    "points",  # of a reproduced table or figure: the rows of its CSV
    METADATA,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("row", Text, nullable=False),  # JSON
)

MEMBERS = Table(
    "members",  # of a ladder
    METADATA,
    Column("run", ForeignKey("runs.id"), primary_key=True),
    Column("player", Integer, primary_key=True),
    Column("points", Float, nullable=False),
    Column("games", BigInteger, nullable=False),
    Column("joined", Text, nullable=False),
    Column("left", Text),
)

MATCHES = Table(
    "matches",  # that people play at the web table; names and tokens are kept as hashes alone
    METADATA,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("seed", Text, nullable=False),
    Column("pause", Float, nullable=False),  # seconds before a program lays a card
    Column("state", Text, nullable=False),  # running, finished
    Column("reason", Text),  # why it is over: stock, drawn, left, abandoned
    Column("winner", Integer),  # a seat
    Column("begun", Text, nullable=False),
    Column("touched", Text, nullable=False),  # when somebody last did something
    Index("matches_by_state", "state", "touched"),
)

MATCH_SEATS = Table(
    "match_seats",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("name", Text, nullable=False),  # of the person
    Column("spec", Text),  # of the program that plays here; none: a person does
    Column("invitation", Text),  # what a person takes the seat with
    Column("token", Text),  # what the person moves with; none as long as nobody has come
    Column("left", Text),  # when the person left, and a program took over
)

MATCH_MOVES = Table(
    "match_moves",
    METADATA,
    Column("match", ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # from 1
    Column("seat", Integer, nullable=False),
    Column("move", Integer, nullable=False),
    Column("made", Text, nullable=False),
)
