"""Follow Praxis's feed for what was set going, and make each piece of news a notification, once."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo

from hexis.contract.execution import GetExecution
from kit.errors import ServiceError
from kit.ids import Ids
from kit.trace import Call, originate, working_for
from maven.contract import Notification
from maven.domain.phrase import phrase_news
from maven.domain.watch import (
    News,
    Watch,
    from_changes,
    from_execution,
    from_health,
    from_instance,
    given_up,
)
from maven.domain.words import Moment
from maven.ports import Ports, unless_stopping
from praxis.contract import ChangeList, ListChanges, ListSources

SERVICE = "service:mavend"
_POLL_S = 2.0
"""How long one question to the feed waits; executions are read again in between."""
_PAGE = 200


class Follower:
    """Keeps watch until there is no more to expect; it reads, and never sets anything going."""

    def __init__(self, ports: Ports, ids: Ids, zone: tzinfo, news_came: Callable[[], None]) -> None:
        self._ports = ports
        self._ids = ids
        self._zone = zone
        self._news_came = news_came
        self._well = set[str]()
        """Executions whose target was healthy at the last look, with no word of it in the feed."""

    async def tick(self) -> None:
        """One look at everything watched."""
        watches = self._ports.watches.open()
        if not watches:
            return
        page = await self._changes(watches)
        news: list[News] = []
        told: list[tuple[str, str, datetime]] = []
        is_newest = page is not None and len(page.changes) < _PAGE
        for watch in self._ports.watches.open():
            found = from_changes(watch, page.changes) if page else []
            last = found[-1] if found else None
            if last is None or not last.is_last:
                found += await self._looked_up(watch, told, is_newest=is_newest)
            if found and watch.execution_id in self._ports.in_hand:
                return
            news += found
        await self._settle(news, told, page.next_after if page else None)

    async def _changes(self, watches: list[Watch]) -> ChangeList | None:
        """The next page of the feed; None when Praxis cannot be asked."""
        cursor = self._ports.watches.cursor()
        since = min(watch.created_at for watch in watches) if cursor is None else None
        asked = ListChanges(after=cursor, since=since, limit=_PAGE, wait_s=_POLL_S)
        with working_for(originate(SERVICE)):
            try:
                return await unless_stopping(
                    self._ports.praxis.list_changes(asked), self._ports.stopping
                )
            except ServiceError:
                await self._ports.stopping.wait(_POLL_S)
                return None

    async def _looked_up(
        self, watch: Watch, told: list[tuple[str, str, datetime]], *, is_newest: bool
    ) -> list[News]:
        """What execution and health themselves say, and whether it is time to give up."""
        news = await (
            self._of_health(watch, is_newest=is_newest)
            if watch.told == "succeeded"
            else self._of_execution(watch)
        )
        if news is not None and not news.is_last:
            told.append((watch.execution_id, news.state, news.at))
            return []
        news = news or given_up(watch, self._ports.clock.now())
        return [news] if news else []

    async def _of_execution(self, watch: Watch) -> News | None:
        with working_for(self._for(watch)):
            try:
                if watch.told == "unknown":
                    asked = ListSources(entity_ids=[watch.target.entity_id])
                    listed = await self._ports.praxis.list_sources(asked)
                    return from_instance(watch, listed.sources)
                execution = await self._ports.hexis.get_execution(
                    GetExecution(execution_id=watch.execution_id)
                )
            except ServiceError:
                return None
        return from_execution(watch, execution)

    async def _of_health(self, watch: Watch, *, is_newest: bool) -> News | None:
        """That it was seen healthy, once a newer look at the feed did not tell of it."""
        with working_for(self._for(watch)):
            try:
                listed = await self._ports.praxis.list_sources(
                    ListSources(entity_ids=[watch.target.entity_id])
                )
            except ServiceError:
                return None
        news = from_health(watch, listed.sources)
        if news is None:
            self._well.discard(watch.execution_id)
        elif is_newest and watch.execution_id in self._well:
            self._well.discard(watch.execution_id)
            return news
        else:
            self._well.add(watch.execution_id)
        return None

    def _for(self, watch: Watch) -> Call:
        """On behalf of who set it going, in the correlation of that turn."""
        call = originate(watch.requester, causation_id=watch.turn_id)
        return Call(
            requester=watch.requester,
            correlation_id=watch.correlation_id or call.correlation_id,
            causation_id=watch.turn_id,
            trace_id=call.trace_id,
        )

    async def _settle(
        self, news: list[News], told: list[tuple[str, str, datetime]], cursor: int | None
    ) -> None:
        if not news and not told and cursor == self._ports.watches.cursor():
            return
        now = self._ports.clock.now()
        new = await self._ports.watches.settle(
            [(each.watch.requester, self._notification(each, now)) for each in news],
            told,
            [(each.watch.execution_id, each.kind) for each in news if each.is_last],
            cursor,
        )
        if new:
            self._news_came()

    def _notification(self, news: News, now: datetime) -> Notification:
        watch = news.watch
        return Notification(
            notification_id=self._ids.new("ntf"),
            cursor=0,
            at=now,
            conversation_id=watch.conversation_id,
            kind=news.kind,
            text=phrase_news(news, Moment(now, self._zone, watch.language)),
            language=watch.language,
            item_ids=news.item_ids,
            execution_id=watch.execution_id,
        )


def zone_of(name: str | None) -> tzinfo:
    """The zone times are said in: the one named, or the machine's own."""
    if name:
        return zoneinfo.ZoneInfo(name)
    return datetime.now(UTC).astimezone().tzinfo or UTC
