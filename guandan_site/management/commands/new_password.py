"""Give an account a new password, on the laptop itself: when no administrator can sign in any more."""

import secrets
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from guandan_site.management.commands._base import EventCommand, refusal
from tournaments.selectors.people import people, role_of
from tournaments.services.people import change_user


class Command(EventCommand):
    """Without an account it names them; with one it prints the account's new password."""

    help = "Give an account a new password, made by chance and printed; without an account: name them all."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("account", nargs="?", metavar="ACCOUNT", help=_("the account that signs in"))

    def handle(self, *args: Any, **options: Any) -> None:
        account = options["account"]
        if account is None:
            accounts = [(person.user.username, person.role_name) for person in people()]
            named = [{"account": name, "role": role} for name, role in accounts]
            lines = [f"{name}  {role}".rstrip() for name, role in accounts]
            self.answer(options, named, [*lines, _("Now once more with one of them: ACCOUNT=name")])
            return
        user = User.objects.filter(username=account).first()
        if user is None:
            raise refusal(_("there is no account %(account)s") % {"account": account})
        password = secrets.token_urlsafe(8)
        change_user(
            user=user,
            full_name=user.get_full_name(),
            role=role_of(user),
            is_active=user.is_active,
            by=None,
            password=password,
        )
        told = _("%(account)s signs in with: %(password)s") % {"account": account, "password": password}
        self.answer(options, {"account": account, "password": password}, [told])
