"""Names of matches, invitations and tokens: nobody can guess them, and only hashes are kept."""

import base64
import hashlib
import secrets


def new_secret() -> str:
    """A name or token that nobody can guess: 128 random bits."""
    return secrets.token_urlsafe(16)


def hashed(secret: str) -> str:
    """How a secret is kept."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def name_of_next(match: str) -> str:
    """The match that follows this one. Who knows the one can find the other, nobody else."""
    digest = hashlib.sha256(f"the match after {match}".encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")
