"""Any request that the API describes, and many that it does not: never an error of ours."""

import os

import hypothesis
import pytest
import schemathesis
from schemathesis import checks
from web_server import Server

from spielwerk.web.app import create_app
from spielwerk.web.settings import Settings

EXAMPLES = int(os.environ.get("SPIELWERK_FUZZ", "15"))
"""Requests to every route; SPIELWERK_FUZZ=1000 looks harder."""
REFUSALS = (503, 504)
"""Too busy, and a thought that took too long: answers, not errors."""

schema = schemathesis.openapi.from_dict(create_app(Settings(warm=False)).openapi())


@pytest.fixture(scope="module")
def public_server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("public"), "--public", "--think", "0.2").start()
    yield running
    running.stop()


@pytest.mark.filterwarnings("default")
@schema.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_no_request_breaks_the_server(case, public_server):
    answer = case.call(base_url=public_server.url, timeout=300)  # compiling is waited for
    assert answer.status_code < 500 or answer.status_code in REFUSALS
    case.validate_response(
        answer,
        checks=[
            checks.status_code_conformance,
            checks.content_type_conformance,
            checks.response_schema_conformance,
        ],
    )
