"""Runs the scenario on a running site, then checks the site by plain HTTP, independently of the SDK."""

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from guildhall_client import AuthenticatedClient, Client
from guildhall_client.api.accounts import account_verify_email, auth_log_in
from guildhall_client.api.payments import payment_qrcode_png, payment_qrcode_svg
from guildhall_client.models import (
    Credentials,
    DeliveryStatus,
    EmailVerified,
    OperationStatus,
    PaymentState,
    PaymentStatus,
    PresentedMailToken,
    Problem,
)
from guildhall_client.types import File

import story as program
from story import ScenarioResult, Site, run_scenario


@dataclass(frozen=True)
class Run:
    site: Site
    result: ScenarioResult
    lines: list[str]

    def get(self, path: str, token: str | None = None) -> Any:  # noqa: ANN401, because it is JSON
        """Returns the response to a plain HTTP request."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.get(self.site.url + path, headers=headers).raise_for_status().json()

    def token(self) -> str:
        """Returns the founder's access token, also by plain HTTP."""
        who = {"login": self.result.founder.login, "password": self.result.founder.password}
        return str(httpx.post(f"{self.site.url}/auth", json=who).raise_for_status().json()["access_token"])


@pytest.fixture(scope="module")
def scenario() -> Run:
    site = Site.of_environment()
    with contextlib.redirect_stdout(io.StringIO()) as output:
        result = run_scenario(site)
    return Run(site, result, output.getvalue().splitlines())


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the program with changed environment variables."""
    command = [sys.executable, "-W", "error", str(Path(__file__).with_name("story.py"))]
    variables = {**os.environ, **environment}
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603


def test_the_result(scenario: Run) -> None:
    result = scenario.result
    assert result.guild_ids[0] == result.guild_ids[1]
    assert result.operation_ids[0] == result.operation_ids[1]
    assert (result.refusal_status, result.refusal_code) == (409, "already_invited")
    assert result.guilds >= 1
    assert sorted(result.members) == [result.founder_character, result.friend_character]
    assert result.motd_accepted is HTTPStatus.ACCEPTED
    assert not result.motd_had_result
    assert result.motd_status is OperationStatus.APPLIED
    assert result.payment_status is PaymentStatus.PAID
    assert result.paid_coins == result.package_coins
    assert result.delivery_status is DeliveryStatus.DELIVERED


def test_each_step_is_printed(scenario: Run) -> None:
    result, guild = scenario.result, scenario.result.guild_name
    assert scenario.lines == [
        f"registered {result.founder.login} and {result.founder.login.replace('founder', 'friend')}",
        f"verified {result.founder.login} and {result.founder.login.replace('founder', 'friend')}",
        "logged in",
        f"{result.founder.login.replace('founder', 'friend')} logged in with a second factor",
        f"created {result.founder_character} and {result.friend_character}",
        f"the game reports level 50 for {result.founder_character}",
        f"{result.founder_character} was killed by a dragon lord, once for two reports",
        f"created {guild} (guild {result.guild_ids[0]}), once for two equal requests",
        f"the game learns of {guild}",
        f"invited {result.friend_character}; a second invite is refused: already_invited",
        f"{result.friend_character} accepted",
        f"{guild}, one of {result.guilds} guilds, has 2 members",
        "the message of the day was accepted, then applied",
        f"published post {result.post_id}: {result.post_title}",
        f"on sale: 5 x {result.offer_name} for 50 coins",
        f"paid 10.00 BRL by QR code: {result.paid_coins} coins",
        f"bought and delivered: 1 x {result.offer_name}",
        "listed 1 payment, and the changes of coins: purchase -50, credit 100",
    ]


def test_the_address_is_verified(scenario: Run) -> None:
    account = scenario.get("/accounts/me", scenario.token())
    address = f"{scenario.result.founder.login}@example.org"
    assert (account["email"], account["email_verified"]) == (address, True)


def test_the_guild_has_both_and_the_new_message(scenario: Run) -> None:
    guild = scenario.get(f"/guild/view/{scenario.result.guild_name}")
    assert guild["guild_id"] == scenario.result.guild_ids[0]
    assert guild["motd"] == scenario.result.motd
    members = {member["name"]: member["level"] for member in guild["members"]}
    assert members == {scenario.result.founder_character: 50, scenario.result.friend_character: 1}


def test_the_post_can_be_read(scenario: Run) -> None:
    post = scenario.get(f"/news/find/{scenario.result.post_id}")
    assert post["title"] == scenario.result.post_title
    assert f"<strong>{scenario.result.founder_character}</strong>" in post["body_html"]


def test_the_offer_is_on_sale(scenario: Run) -> None:
    path, found = "/shop/offers?limit=100", []
    offers = scenario.get(path)
    found += [offer for offer in offers["items"] if offer["offer_id"] == scenario.result.offer_id]
    while "next" in offers:
        offers = scenario.get(f"{path}&after={offers['next']}")
        found += [offer for offer in offers["items"] if offer["offer_id"] == scenario.result.offer_id]
    assert [(offer["name"], offer["price"]) for offer in found] == [(scenario.result.offer_name, 50)]
    assert [(grant["kind"], grant["count"]) for grant in found[0]["grants"]] == [("item", 1)]


def test_the_bank_has_the_money(scenario: Run) -> None:
    charges = httpx.get(f"{scenario.site.bank_url}/sandbox/charges?limit=1000").raise_for_status().json()["charges"]
    ours = [charge for charge in charges if charge["pixCopiaECola"] == scenario.result.payload]
    assert [(charge["status"], charge["valor"]["original"]) for charge in ours] == [("CONCLUIDA", "10.00")]


def test_coins_came_and_went(scenario: Run) -> None:
    token = scenario.token()
    assert scenario.get("/accounts/me", token)["coins"] == scenario.result.package_coins - 50
    purchases = scenario.get("/shop/purchases/1/10", token)["items"]
    lines = [(line["name"], line["quantity"], line["status"]) for purchase in purchases for line in purchase["lines"]]
    assert lines == [(scenario.result.offer_name, 1, "delivered")]


def test_the_qr_code_is_a_picture(scenario: Run) -> None:
    with AuthenticatedClient(scenario.site.url, token=scenario.token()) as founder:
        png = payment_qrcode_png.sync(id=scenario.result.payment_id, client=founder)
        svg = payment_qrcode_svg.sync(id=scenario.result.payment_id, client=founder)
    assert isinstance(png, File)
    assert png.payload.read().startswith(b"\x89PNG\r\n")
    assert isinstance(svg, File)
    assert b"<svg" in svg.payload.read()


def test_a_payment_can_be_followed(scenario: Run) -> None:
    with AuthenticatedClient(scenario.site.url, token=scenario.token()) as founder:
        path = f"/payments/{scenario.result.payment_id}/events"
        with founder.get_httpx_client().stream("GET", path, timeout=10) as events:
            data = next(line for line in events.iter_lines() if line.startswith("data:"))
    assert PaymentState.from_dict(json.loads(data.removeprefix("data:"))).status is PaymentStatus.PAID


def test_a_wrong_password_is_a_problem(scenario: Run) -> None:
    wrong = Credentials(login=scenario.result.founder.login, password="not the password")  # noqa: S106
    with Client(scenario.site.url) as visitor:
        problem = auth_log_in.sync(client=visitor, body=wrong)
    assert isinstance(problem, Problem)
    assert (problem.status, problem.code) == (401, "wrong_credentials")


def test_an_unreachable_site_is_one_sentence() -> None:
    ended = run(GUILDHALL_URL="http://127.0.0.1:1")
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith("no response from http://127.0.0.1:1 ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["GUILDHALL_EDITOR_PASSWORD", "GUILDHALL_MERCHANT", "GUILDHALL_GAME_TOKEN"])
def test_a_missing_secret_is_one_sentence(name: str) -> None:
    ended = run(**{name: ""})
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr == f"{name} is not set; `./dev sdk python story` sets it\n"


def test_a_refusal_is_one_sentence() -> None:
    ended = run(GUILDHALL_GAME_TOKEN="ghs_wrong")  # noqa: S106
    assert ended.returncode == 1
    assert ended.stdout.splitlines()[-1].startswith("created ")
    assert ended.stderr.startswith("the scenario failed: ")
    assert ended.stderr.count("\n") == 1


def test_until_gives_up_after_its_time() -> None:
    with pytest.raises(TimeoutError, match="was 1"):
        program.until(lambda number: number > 1, lambda: 1, seconds=0.2)


PENDING = {"operation_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "status": "pending"}
PROBLEM = {"type": "", "title": "", "status": 503, "detail": "", "code": "unavailable", "request_id": ""}


def verify(*polls: httpx.Response, seconds: float = 60) -> EmailVerified:
    """Sends a command to a site that responds 202 and then to each poll in this way; the last response is repeated."""
    replies = [httpx.Response(202, json=PENDING), *polls]

    def reply(_: httpx.Request) -> httpx.Response:
        return replies.pop(0) if len(replies) > 1 else replies[0]

    visitor = Client("http://site", httpx_args={"transport": httpx.MockTransport(reply)})
    response = account_verify_email.sync(client=visitor, body=PresentedMailToken(token="0"))  # noqa: S106
    return program.applied(visitor, response, seconds)


def test_a_pending_command_is_polled() -> None:
    verified = verify(
        httpx.Response(503, text="<!doctype html><title>A proxy</title>"),
        httpx.Response(503, json=PROBLEM),
        httpx.Response(200, json=PENDING),
        httpx.Response(200, json=PENDING | {"status": "applied", "result": {"account_id": 3, "email": "mira@site"}}),
    )
    assert verified == EmailVerified(account_id=3, email="mira@site")


def test_a_command_can_be_refused_later() -> None:
    refused = PENDING | {"status": "refused", "problem": PROBLEM | {"status": 404, "code": "token_not_found"}}
    with pytest.raises(program.Refused, match="token_not_found"):
        verify(httpx.Response(200, json=refused))


def test_a_command_without_an_outcome_has_an_id() -> None:
    with pytest.raises(program.StillPending) as raised:
        verify(httpx.Response(200, json=PENDING), seconds=0.1)
    assert str(raised.value.operation_id) == PENDING["operation_id"]


def test_a_page_of_a_proxy_is_one_sentence() -> None:
    class Proxy(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(HTTPStatus.SERVICE_UNAVAILABLE)
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>A proxy</title>")

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Proxy) as server:
        Thread(target=server.handle_request).start()
        ended = run(GUILDHALL_URL=f"http://127.0.0.1:{server.server_port}")
    assert ended.returncode == 1
    assert ended.stderr.startswith("the scenario failed: a response cannot be read: ")
    assert ended.stderr.count("\n") == 1
