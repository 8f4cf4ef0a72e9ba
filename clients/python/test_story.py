"""Tells the story to a site that runs, then looks at the site without the SDK, which cannot agree with itself there."""

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
from guildhall_client import AuthenticatedClient, Client
from guildhall_client.api.accounts import auth_log_in
from guildhall_client.api.payments import payment_qrcode_png, payment_qrcode_svg
from guildhall_client.models import Credentials, DeliveryStatus, OperationStatus, PaymentState, PaymentStatus, Problem
from guildhall_client.types import File

import story as program
from story import Site, Story, tell


@dataclass(frozen=True)
class Told:
    site: Site
    story: Story
    lines: list[str]

    def get(self, path: str, token: str | None = None) -> Any:  # noqa: ANN401, for it is JSON
        """What the site answers to plain HTTP."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.get(self.site.url + path, headers=headers).raise_for_status().json()

    def token(self) -> str:
        """The founder's access token, by plain HTTP too."""
        who = {"login": self.story.founder.login, "password": self.story.founder.password}
        return str(httpx.post(f"{self.site.url}/auth", json=who).raise_for_status().json()["access_token"])


@pytest.fixture(scope="module")
def told() -> Told:
    site = Site.of_environment()
    with contextlib.redirect_stdout(io.StringIO()) as output:
        story = tell(site)
    return Told(site, story, output.getvalue().splitlines())


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    """The program itself, in the environment of the test but for what is given here."""
    command = [sys.executable, "-W", "error", str(Path(__file__).with_name("story.py"))]
    variables = {**os.environ, **environment}
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603


def test_what_happened(told: Told) -> None:
    story = told.story
    assert story.guild_ids[0] == story.guild_ids[1]
    assert story.operation_ids[0] == story.operation_ids[1]
    assert (story.refusal_status, story.refusal_code) == (409, "already_invited")
    assert story.guilds >= 1
    assert sorted(story.members) == [story.founder_character, story.friend_character]
    assert story.motd_accepted is HTTPStatus.ACCEPTED
    assert not story.motd_had_result
    assert story.motd_status is OperationStatus.APPLIED
    assert story.payment_status is PaymentStatus.PAID
    assert story.paid_coins == story.package_coins
    assert story.delivery_status is DeliveryStatus.DELIVERED


def test_each_step_is_told(told: Told) -> None:
    story, guild = told.story, told.story.guild_name
    assert told.lines == [
        f"registered {story.founder.login} and {story.founder.login.replace('founder', 'friend')}",
        "logged in",
        f"created {story.founder_character} and {story.friend_character}",
        f"the game says that {story.founder_character} has reached level 50",
        f"founded {guild} (guild {story.guild_ids[0]}), once, though asked twice",
        f"invited {story.friend_character}; a second invite is refused: already_invited",
        f"{story.friend_character} accepted",
        f"{guild}, one of {story.guilds} guilds, has 2 members",
        "the message of the day was accepted, then applied",
        f"published post {story.post_id}: {story.post_title}",
        f"on sale: {story.offer_name} for 50 coins",
        f"paid 10.00 BRL by QR code: {story.paid_coins} coins",
        f"bought and delivered: 1 x {story.offer_name}",
    ]


def test_the_guild_has_both_and_the_new_message(told: Told) -> None:
    guild = told.get(f"/guild/view/{told.story.guild_name}")
    assert guild["guild_id"] == told.story.guild_ids[0]
    assert guild["motd"] == told.story.motd
    members = {member["name"]: member["level"] for member in guild["members"]}
    assert members == {told.story.founder_character: 50, told.story.friend_character: 1}


def test_the_post_can_be_read(told: Told) -> None:
    post = told.get(f"/news/find/{told.story.post_id}")
    assert post["title"] == told.story.post_title
    assert f"<strong>{told.story.founder_character}</strong>" in post["body_html"]


def test_the_offer_is_on_sale(told: Told) -> None:
    page, pages, found = 1, 1, []
    while page <= pages:
        offers = told.get(f"/shop/offers?page={page}&limit=100")
        found += [offer for offer in offers["items"] if offer["offer_id"] == told.story.offer_id]
        page, pages = page + 1, offers["pages"]
    assert [(offer["name"], offer["price"]) for offer in found] == [(told.story.offer_name, 50)]
    assert [(grant["kind"], grant["count"]) for grant in found[0]["grants"]] == [("item", 1)]


def test_the_bank_has_the_money(told: Told) -> None:
    charges = httpx.get(f"{told.site.bank_url}/sandbox/charges?limit=1000").raise_for_status().json()["charges"]
    ours = [charge for charge in charges if charge["pixCopiaECola"] == told.story.payload]
    assert [(charge["status"], charge["valor"]["original"]) for charge in ours] == [("CONCLUIDA", "10.00")]


def test_coins_came_and_went(told: Told) -> None:
    token = told.token()
    assert told.get("/accounts/me", token)["coins"] == told.story.package_coins - 50
    purchases = told.get("/shop/purchases/1/10", token)["items"]
    lines = [(line["name"], line["quantity"], line["status"]) for purchase in purchases for line in purchase["lines"]]
    assert lines == [(told.story.offer_name, 1, "delivered")]


def test_the_qr_code_is_a_picture(told: Told) -> None:
    with AuthenticatedClient(told.site.url, token=told.token()) as founder:
        png = payment_qrcode_png.sync(id=told.story.payment_id, client=founder)
        svg = payment_qrcode_svg.sync(id=told.story.payment_id, client=founder)
    assert isinstance(png, File)
    assert png.payload.read().startswith(b"\x89PNG\r\n")
    assert isinstance(svg, File)
    assert b"<svg" in svg.payload.read()


def test_a_payment_can_be_followed(told: Told) -> None:
    with AuthenticatedClient(told.site.url, token=told.token()) as founder:
        path = f"/payments/{told.story.payment_id}/events"
        with founder.get_httpx_client().stream("GET", path, timeout=10) as events:
            data = next(line for line in events.iter_lines() if line.startswith("data:"))
    assert PaymentState.from_dict(json.loads(data.removeprefix("data:"))).status is PaymentStatus.PAID


def test_a_wrong_password_is_a_problem(told: Told) -> None:
    wrong = Credentials(login=told.story.founder.login, password="not the password")  # noqa: S106
    with Client(told.site.url) as anybody:
        problem = auth_log_in.sync(client=anybody, body=wrong)
    assert isinstance(problem, Problem)
    assert (problem.status, problem.code) == (401, "wrong_credentials")


def test_nobody_there_is_one_sentence() -> None:
    ended = run(GUILDHALL_URL="http://127.0.0.1:1")
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.startswith("nobody answers at http://127.0.0.1:1 ")
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
    assert ended.stderr.startswith("the story ends early: ")
    assert ended.stderr.count("\n") == 1


def test_what_will_not_do_is_waited_for_in_vain() -> None:
    with pytest.raises(TimeoutError, match="still was 1"):
        program.until(lambda number: number > 1, lambda: 1, seconds=0.2)
