#!/usr/bin/env python3
"""An example scenario of the generated SDK, with two players, a game server, an editor, a merchant and a bank.

Begin with run_scenario(): it uses the SDK as your own program would. Each endpoint is a module of the same name. sync()
returns the data of the response, sync_detailed() also status and headers; asyncio() and asyncio_detailed() are the same
for async programs. A refusal is a value too: a Problem with a code whose meaning never changes.

It needs a running site and its fake bank, named by environment variables; `./dev sdk python story` sets them."""

import base64
import hmac
import os
import secrets
import string
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Protocol, Self, TypeVar
from uuid import UUID, uuid4

import httpx
from guildhall_client import AuthenticatedClient, Client
from guildhall_client.api.accounts import (
    account_coins,
    account_create_character,
    account_enable_second_factor,
    account_me,
    account_register,
    account_start_second_factor,
    account_verify_email,
    auth_log_in,
    auth_second_factor,
)
from guildhall_client.api.characters import character_deaths
from guildhall_client.api.game import (
    game_acknowledge_deliveries,
    game_changes,
    game_lease_deliveries,
    game_report_deaths,
    game_upsert_characters,
)
from guildhall_client.api.guilds import (
    guild_accept_invite,
    guild_change_motd,
    guild_create,
    guild_invite,
    guild_invites,
    guild_list,
    guild_view,
)
from guildhall_client.api.news import news_create, news_find
from guildhall_client.api.operations import operation_find
from guildhall_client.api.payments import payment_create, payment_find, payment_list, payment_packages
from guildhall_client.api.shop import (
    shop_category_create,
    shop_offer_change_stock,
    shop_offer_create,
    shop_purchase,
    shop_purchases,
)
from guildhall_client.errors import UnexpectedStatus
from guildhall_client.models import (
    CodeAfterPassword,
    Credentials,
    DeliveriesToAcknowledge,
    DeliveryStatus,
    FirstCode,
    GameCharacter,
    GameCharacters,
    GameDeaths,
    Grant,
    GrantKind,
    GuildCharacter,
    GuildState,
    InviteFilter,
    NewAccount,
    NewCategory,
    NewCharacter,
    NewGuild,
    NewMotd,
    NewOffer,
    NewPayment,
    NewPost,
    NewPurchase,
    NewStock,
    OperationStatus,
    OrderLine,
    OwnPassword,
    PaymentStatus,
    PresentedMailToken,
    Problem,
    PurchaseLine,
    ReportedDeath,
)
from guildhall_client.types import Unset

T = TypeVar("T")
Result = TypeVar("Result", covariant=True)

# Without it the SDK waits forever. The server responds within 20 s, and to a long poll within 30 s more.
TIMEOUT = httpx.Timeout(60)


class Refused(Exception):
    """A refused request. The problem has the reason."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.detail} ({problem.code})")
        self.problem = problem


class StillPending(TimeoutError):
    """A command without an outcome. It is stored on disk: read its outcome later with operation_find."""

    def __init__(self, operation_id: UUID) -> None:
        super().__init__(f"operation {operation_id} is still pending")
        self.operation_id = operation_id


class Operation(Protocol[Result]):
    """The response of every command."""

    @property
    def operation_id(self) -> UUID: ...

    @property
    def result(self) -> Result | Unset: ...

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, object]) -> Self: ...


def expect(response: T | Problem | None) -> T:
    """Returns the data of a response, and raises a problem as an exception."""
    if isinstance(response, Problem):
        raise Refused(response)
    if response is None:
        raise TypeError("a response without content")
    return response


def applied(client: AuthenticatedClient | Client, response: Operation[T] | Problem | None, seconds: float = 60) -> T:
    """Returns the result of a command, and raises a problem as an exception.

    A busy site responds with 202 after some seconds. Then the command is not sent again, but its outcome is polled."""
    operation = expect(response)
    deadline = time.monotonic() + seconds
    while isinstance(operation.result, Unset):
        if time.monotonic() > deadline:
            raise StillPending(operation.operation_id)
        time.sleep(0.5)
        # If the outcome cannot be read, the command may still be applied.
        with suppress(httpx.TransportError, UnexpectedStatus, KeyError, ValueError):
            found = operation_find.sync(id=operation.operation_id, client=client)  # type: ignore[arg-type]
            if found is None or isinstance(found, Problem):
                continue
            if not isinstance(found.problem, Unset):
                raise Refused(found.problem)
            operation = type(operation).from_dict(found.to_dict())  # type: ignore[misc] # it has the same fields
    return operation.result


def until(is_done: Callable[[T], bool], poll: Callable[[], T], seconds: float = 30) -> T:
    """Polls until the condition is true."""
    deadline = time.monotonic() + seconds
    while not is_done(value := poll()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"the value after {seconds} s was {value}")
        time.sleep(0.1)
    return value


def follow_until_guild(game: AuthenticatedClient, place: UUID, guild_id: int, seconds: float = 60) -> GuildState:
    """Follows the changes of the site, as a game does, until the guild is among them."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        changes = expect(game_changes.sync(client=game, after=place, wait=20))
        for change in changes.items:
            guild = change.state.guild
            if not isinstance(guild, Unset) and guild.guild_id == guild_id:
                return guild
        place = changes.last  # a real game stores it in the transaction that applies the changes
    raise TimeoutError(f"no change is about guild {guild_id}")


def code_of_app(secret: str) -> str:
    """The code that an authenticator app shows now (TOTP, RFC 6238). This is not part of the SDK."""
    step = int(time.time()) // 30
    mac = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    offset = mac[-1] & 15
    number = int.from_bytes(mac[offset : offset + 4], "big") & 0x7FFF_FFFF
    return f"{number % 1_000_000:06}"


@dataclass(frozen=True)
class Site:
    """The addresses and credentials of the scenario."""

    url: str
    bank_url: str
    editor: Credentials = field(repr=False)
    merchant: Credentials = field(repr=False)
    game_token: str = field(repr=False)

    @classmethod
    def of_environment(cls) -> Self:
        def secret(name: str) -> str:
            if value := os.environ.get(name):
                return value
            raise LookupError(f"{name} is not set; `./dev sdk python story` sets it")

        return cls(
            url=os.environ.get("GUILDHALL_URL") or "http://127.0.0.1:8080",
            bank_url=os.environ.get("GUILDHALL_BANK_URL") or "http://127.0.0.1:8082",
            editor=Credentials(login=secret("GUILDHALL_EDITOR"), password=secret("GUILDHALL_EDITOR_PASSWORD")),
            merchant=Credentials(login=secret("GUILDHALL_MERCHANT"), password=secret("GUILDHALL_MERCHANT_PASSWORD")),
            game_token=secret("GUILDHALL_GAME_TOKEN"),
        )

    def token_of_mail(self, email: str) -> str:
        """Waits for a mail to the address, for 20 s at most, and returns the token in its link.

        This is not part of the SDK: the fake bank also catches the mails of the site."""
        query: dict[str, str] = {"to": email, "wait": "20"}
        found = httpx.get(f"{self.bank_url}/sandbox/mails", params=query, timeout=TIMEOUT).raise_for_status()
        # A token has 43 letters that JSON does not escape.
        token = found.text.partition("#token=")[2][:43]
        if not token:
            raise TimeoutError(f"no mail to {email} has a link with a token")
        return token


@dataclass(frozen=True)
class ScenarioResult:
    """The result of the scenario."""

    founder: Credentials = field(repr=False)
    founder_character: str
    friend_character: str
    guild_name: str
    guild_ids: tuple[int, int]  # of the first response and of the repeated one
    operation_ids: tuple[UUID, UUID]
    refusal_status: int
    refusal_code: str
    guilds: int
    members: list[str]
    motd: str
    motd_accepted: HTTPStatus
    motd_had_result: bool
    motd_status: OperationStatus
    post_id: int
    post_title: str
    offer_id: int
    offer_name: str
    payment_id: UUID
    payment_status: PaymentStatus
    payload: str
    package_coins: int
    paid_coins: int
    delivery_status: DeliveryStatus


def run_scenario(site: Site) -> ScenarioResult:
    with ExitStack() as clients:  # closes their connections at the end

        def bearer(token: str) -> AuthenticatedClient:
            client = AuthenticatedClient(site.url, token=token, timeout=TIMEOUT, raise_on_unexpected_status=True)
            return clients.enter_context(client)

        def log_in(who: Credentials) -> AuthenticatedClient:
            return bearer(expect(auth_log_in.sync(client=visitor, body=who)).access_token)

        # With raise_on_unexpected_status, an undocumented response is an exception, not None.
        visitor = clients.enter_context(Client(site.url, timeout=TIMEOUT, raise_on_unexpected_status=True))

        # Names are unique on a site. With a random suffix the scenario can run again.
        suffix = "".join(secrets.choice(string.ascii_lowercase) for _ in range(6))
        family = suffix.capitalize()

        founder_login = Credentials(login=f"founder_{suffix}", password=secrets.token_urlsafe())
        friend_login = Credentials(login=f"friend_{suffix}", password=secrets.token_urlsafe())
        for who in founder_login, friend_login:
            account = NewAccount(name=who.login, email=f"{who.login}@example.org", password=who.password)
            applied(visitor, account_register.sync(client=visitor, body=account))
        print(f"registered {founder_login.login} and {friend_login.login}")

        # An account buys only after it has verified its address. The link in the mail opens a page of the site, which
        # sends the token to the API. The token is proof enough: the request needs no log-in.
        for who in founder_login, friend_login:
            token = site.token_of_mail(f"{who.login}@example.org")
            applied(visitor, account_verify_email.sync(client=visitor, body=PresentedMailToken(token=token)))
        print(f"verified {founder_login.login} and {friend_login.login}")

        founder, friend = log_in(founder_login), log_in(friend_login)
        print("logged in")

        # A second factor: the first code proves that the app has the secret. The recovery codes are shown only now.
        own_password = OwnPassword(password=friend_login.password)
        enrolment = expect(account_start_second_factor.sync(client=friend, body=own_password))
        first_code = FirstCode(enrolment=enrolment.enrolment, code=code_of_app(enrolment.secret))
        recovery_codes = expect(account_enable_second_factor.sync(client=friend, body=first_code)).recovery_codes
        # From now on a log-in has two steps. No code is valid twice, so this one uses a recovery code.
        asked = auth_log_in.sync(client=visitor, body=friend_login)
        if not isinstance(asked, Problem) or isinstance(asked.challenge, Unset):
            raise TypeError(f"the log-in needs no second factor: {asked}")
        answer = CodeAfterPassword(challenge=asked.challenge, code=recovery_codes[0])
        friend = bearer(expect(auth_second_factor.sync(client=visitor, body=answer)).access_token)
        print(f"{friend_login.login} logged in with a second factor")

        new_ada = NewCharacter(name=f"Ada {family}", vocation="Knight")
        new_bo = NewCharacter(name=f"Bo {family}", vocation="Knight")
        ada = applied(founder, account_create_character.sync(client=founder, body=new_ada))
        bo = applied(friend, account_create_character.sync(client=friend, body=new_bo))
        print(f"created {ada.name} and {bo.name}")

        # A guild's creator needs a minimum level, which the game server reports.
        game = bearer(site.game_token)
        # The account confirms that she is the founder's character in the game, too.
        owner = expect(account_me.sync(client=founder)).account_id
        trained = GameCharacter(name=ada.name, level=50, vocation=ada.vocation, online=False, account_id=owner)
        applied(game, game_upsert_characters.sync(client=game, body=GameCharacters(characters=[trained])))
        print(f"the game reports level {trained.level} for {ada.name}")

        # The game chooses the id of a death. So it can send a report again at any time, and the death is stored once.
        death = ReportedDeath(
            death_id=str(uuid4()),
            character_name=ada.name,
            died_at=datetime.now(UTC),
            level=trained.level,
            killed_by="a dragon lord",
            killer_is_player=False,
        )
        for _ in range(2):
            applied(game, game_report_deaths.sync(client=game, body=GameDeaths(deaths=[death])))
        deaths = expect(character_deaths.sync(page=1, limit=10, client=visitor, character=ada.name)).items
        if len(deaths) != 1:
            raise ValueError(f"{ada.name} has {len(deaths)} deaths")
        print(f"{ada.name} was killed by {deaths[0].killed_by}, once for two reports")

        # The game will read the changes of the site from here on.
        place = expect(game_changes.sync(client=game)).last

        # After a lost response, send the request again with the same key: the response is repeated, the effect is not.
        new_guild, key = NewGuild(name=f"The {family}s", character_name=ada.name), str(uuid4())
        first = expect(guild_create.sync(client=founder, body=new_guild, idempotency_key=key))
        again = expect(guild_create.sync(client=founder, body=new_guild, idempotency_key=key))
        guild = applied(founder, first)
        print(f"created {guild.name} (guild {guild.guild_id}), once for two equal requests")
        follow_until_guild(game, place, guild.guild_id)
        print(f"the game learns of {guild.name}")

        invite = GuildCharacter(guild_id=guild.guild_id, character_name=bo.name)
        applied(founder, guild_invite.sync(client=founder, body=invite))
        refusal = guild_invite.sync(client=founder, body=invite)
        if not isinstance(refusal, Problem):
            raise TypeError(f"the second invite is not refused: {refusal}")
        print(f"invited {bo.name}; a second invite is refused: {refusal.code}")

        invites = expect(guild_invites.sync(client=friend, body=InviteFilter()))
        for open_invite in invites.items:
            accepting = GuildCharacter(guild_id=open_invite.guild_id, character_id=open_invite.character_id)
            applied(friend, guild_accept_invite.sync(client=friend, body=accepting))
            print(f"{open_invite.character_name} accepted")

        # The total of a very long list is missing.
        guilds = expect(guild_list.sync(page=1, limit=10, client=visitor)).total or 0
        view = expect(guild_view.sync(name=guild.name, client=friend))
        print(f"{view.name}, one of {guilds} guilds, has {len(view.members)} members")

        # With respond-async, poll the operation for its outcome. A missing field is Unset.
        new_motd = NewMotd(guild_id=guild.guild_id, motd=f"Welcome, {bo.name}!")
        accepted = guild_change_motd.sync_detailed(client=founder, body=new_motd, prefer="respond-async")
        pending = expect(accepted.parsed)
        completed = until(
            lambda operation: operation.status is not OperationStatus.PENDING,
            lambda: expect(operation_find.sync(id=pending.operation_id, client=founder)),
        )
        if not isinstance(completed.problem, Unset):
            raise Refused(completed.problem)
        print(f"the message of the day was accepted, then {completed.status}")

        editor = log_in(site.editor)
        news = NewPost(title=f"{guild.name} was created", summary="A new guild.", body=f"By **{ada.name}**. Welcome!")
        published = applied(editor, news_create.sync(client=editor, body=news))
        # The token is optional here. The generator ignores that and requires a client with a token.
        post = expect(news_find.sync(id=published.post_id, client=visitor))  # type: ignore[arg-type]
        print(f"published post {post.post_id}: {post.title}")

        merchant = log_in(site.merchant)
        lights = NewCategory(name=f"Lights {family}", description="Against the dark.", position=10, hidden=False)
        category = applied(merchant, shop_category_create.sync(client=merchant, body=lights))
        torch = NewOffer(
            category_id=category.category_id,
            name=f"Torch {family}",
            description="Burns for an hour.",
            price=50,
            grants=[Grant(kind=GrantKind.ITEM, id="2920", count=1)],
            stock=2,
        )
        offer = applied(merchant, shop_offer_create.sync(client=merchant, body=torch))
        more = NewStock(offer_id=offer.offer_id, change=3)
        left = applied(merchant, shop_offer_change_stock.sync(client=merchant, body=more)).stock
        print(f"on sale: {left} x {offer.name} for {torch.price} coins")

        # The payment has the QR code as a picture for the player's screen, and as text for the bank's app.
        # A payment and a purchase always have a key: without it, a request that is sent again buys twice.
        package = expect(payment_packages.sync(client=visitor)).items[0]
        new_payment, key = NewPayment(package_id=package.package_id), str(uuid4())
        created = applied(founder, payment_create.sync(client=founder, body=new_payment, idempotency_key=key))
        bill: dict[str, str] = {"payload": created.payload}
        httpx.post(f"{site.bank_url}/sandbox/pay", json=bill).raise_for_status()
        payment = until(
            lambda payment: payment.status is PaymentStatus.PAID,
            lambda: expect(payment_find.sync(id=created.payment_id, client=founder)),
        )
        balance = expect(account_me.sync(client=founder)).coins
        print(f"paid {payment.received.amount} {payment.received.currency} by QR code: {balance} coins")

        line = OrderLine(offer_id=offer.offer_id, quantity=1, expected_price=torch.price)
        order, key = NewPurchase(character_name=ada.name, lines=[line]), str(uuid4())
        applied(founder, shop_purchase.sync(client=founder, body=order, idempotency_key=key))

        def deliver() -> PurchaseLine:
            due = expect(game_lease_deliveries.sync(client=game, wait=1)).items
            if due:  # a real game server delivers first: see clients/examples/game_server.py
                given = DeliveriesToAcknowledge(delivery_ids=[delivery.delivery_id for delivery in due])
                applied(game, game_acknowledge_deliveries.sync(client=game, body=given))
            newest = expect(shop_purchases.sync(page=1, limit=1, client=founder)).items[0]
            return newest.lines[0]

        # Another game server may deliver it, so check the player's list of purchases.
        bought = until(lambda line: line.status is DeliveryStatus.DELIVERED, deliver)
        print(f"bought and delivered: {bought.quantity} x {bought.name}")

        # The founder's own lists have the newest item first.
        payments = expect(payment_list.sync(page=1, limit=10, client=founder)).items
        entries = expect(account_coins.sync(page=1, limit=10, client=founder)).items
        changes = ", ".join(f"{entry.kind} {entry.coins}" for entry in entries)
        print(f"listed {len(payments)} payment, and the changes of coins: {changes}")

        return ScenarioResult(
            founder=founder_login,
            founder_character=ada.name,
            friend_character=bo.name,
            guild_name=guild.name,
            guild_ids=(guild.guild_id, applied(founder, again).guild_id),
            operation_ids=(first.operation_id, again.operation_id),
            refusal_status=refusal.status,
            refusal_code=refusal.code,
            guilds=guilds,
            members=[member.name for member in view.members],
            motd=new_motd.motd,
            motd_accepted=accepted.status_code,
            motd_had_result=not isinstance(pending.result, Unset),
            motd_status=completed.status,
            post_id=post.post_id,
            post_title=post.title,
            offer_id=offer.offer_id,
            offer_name=offer.name,
            payment_id=payment.payment_id,
            payment_status=payment.status,
            payload=created.payload,
            package_coins=package.coins,
            paid_coins=balance,
            delivery_status=bought.status,
        )


def main() -> None:
    try:
        site = Site.of_environment()
    except LookupError as error:
        raise SystemExit(str(error)) from None
    try:
        run_scenario(site)
    except httpx.TransportError as error:
        raise SystemExit(f"no response from {site.url} or {site.bank_url}, {error}; `./dev up` starts a site") from None
    except (Refused, TimeoutError, UnexpectedStatus, httpx.HTTPStatusError) as error:
        raise SystemExit(f"the scenario failed: {error}") from None
    except (KeyError, ValueError) as error:  # a page of a proxy, or a value that is newer than the SDK
        raise SystemExit(f"the scenario failed: a response cannot be read: {error!r}") from None


if __name__ == "__main__":
    main()
