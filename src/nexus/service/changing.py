"""Changes to one entity: what it is, what it is called, and what it is related to."""

from __future__ import annotations

import msgspec

from kit.trace import Call
from nexus.contract import (
    AddAlias,
    ArchiveEntity,
    CreateEntity,
    Entity,
    GiveFeedback,
    MapExternal,
    Relate,
    RetractAlias,
    UnmapExternal,
    Unrelate,
    UpdateEntity,
)
from nexus.domain.entity import tidy
from nexus.service.authored import Authored
from nexus.service.checking import (
    check_described,
    check_external_id,
    check_system,
    checked_name,
    checked_names,
    checked_new,
    checked_text,
    require_may_vouch,
)
from nexus.store.changing import EntityChange


class Changing(Authored):
    """Says things of entities and takes them back.

    Whoever names an entity that is merged is refused with a `Conflict` that names its successor.
    """

    async def create_entity(self, request: CreateEntity, call: Call) -> Entity:
        """Add an entity.

        Raises:
            InvalidArgument: A name, an id or a fact cannot be one.
            Conflict: An external id belongs to another entity.
            NotFound: A relation leads to an entity that does not exist.
            FailedPrecondition: A relation leads to an entity that is not in use.
        """
        sent = checked_new(request)
        author = self._author("create_entity", call, sent.why)
        entity = await self._entities.create(self._ids.new("ent"), sent, author)
        return self._settled(entity)

    async def update_entity(self, request: UpdateEntity, call: Call) -> Entity:
        """Change what an entity is, is called and is said to be.

        Names and descriptions are set per language, and an empty description is taken away.
        Attributes are replaced as a whole. A name that is replaced stays as an alias.

        Raises:
            InvalidArgument: A name or a fact cannot be one.
            NotFound: There is no such entity.
            Conflict: It was changed since the revision named.
            FailedPrecondition: It is archived, and not to be taken back into use.
        """
        check_described(request.description or {}, request.attributes or {}, "")
        names = None if request.names is None else checked_names(request.names, "")
        return await self._change(
            "update_entity", msgspec.structs.replace(request, names=names), request.why, call
        )

    async def archive_entity(self, request: ArchiveEntity, call: Call) -> Entity:
        """Take an entity out of use.

        Raises:
            NotFound: There is no such entity.
            Conflict: It was changed since the revision named.
        """
        return await self._change("archive_entity", request, request.why, call)

    async def add_alias(self, request: AddAlias, call: Call) -> Entity:
        """Add another name.

        Raises:
            InvalidArgument: The text cannot be a name.
            PermissionDenied: This requester may not vouch for a name in this way.
            NotFound: There is no such entity.
            FailedPrecondition: It is archived.
        """
        require_may_vouch(request.origin, call.requester, "origin")
        sent = msgspec.structs.replace(request, text=checked_name(request.text, "text"))
        return await self._change("add_alias", sent, request.why, call)

    async def retract_alias(self, request: RetractAlias, call: Call) -> Entity:
        """Take a name away again.

        Raises:
            NotFound: There is no such entity, or it never had this alias.
            FailedPrecondition: It is archived, or this is what it is called.
        """
        sent = msgspec.structs.replace(request, text=tidy(request.text))
        return await self._change("retract_alias", sent, request.why, call)

    async def give_feedback(self, request: GiveFeedback, call: Call) -> Entity:
        """Keep what a person answered, or take such an answer back.

        Raises:
            InvalidArgument: The text cannot be a name.
            PermissionDenied: The requester is no person.
            NotFound: There is no such entity.
            FailedPrecondition: It is archived, or there is no such answer to take back.
        """
        require_may_vouch("confirmed", call.requester, "verdict")
        sent = msgspec.structs.replace(request, text=checked_name(request.text, "text"))
        return await self._change("give_feedback", sent, request.why, call)

    async def map_external(self, request: MapExternal, call: Call) -> Entity:
        """Say what another system calls an entity.

        Raises:
            InvalidArgument: The id cannot be one, or only catalogs give it.
            PermissionDenied: This requester may not vouch in this way.
            NotFound: There is no such entity.
            Conflict: The id belongs to another entity.
            FailedPrecondition: The entity is archived.
        """
        check_system(request.system, "system")
        check_external_id(request.external_id, "external_id")
        require_may_vouch(request.origin, call.requester, "origin")
        return await self._change("map_external", request, request.why, call)

    async def unmap_external(self, request: UnmapExternal, call: Call) -> Entity:
        """Say that another system no longer calls an entity so.

        Raises:
            InvalidArgument: Only catalogs give and take such an id.
            NotFound: There is no such entity.
            Conflict: The id belongs to another entity.
            FailedPrecondition: The entity is archived.
        """
        check_system(request.system, "system")
        return await self._change("unmap_external", request, request.why, call)

    async def relate(self, request: Relate, call: Call) -> Entity:
        """Draw a relation.

        Raises:
            NotFound: There is no such entity.
            FailedPrecondition: One is archived, or an entity would contain itself.
        """
        return await self._change("relate", request, request.why, call)

    async def unrelate(self, request: Unrelate, call: Call) -> Entity:
        """Take a relation away.

        Raises:
            NotFound: There is no such entity.
            FailedPrecondition: The subject is archived.
        """
        return await self._change("unrelate", request, request.why, call)

    async def _change(self, operation: str, sent: EntityChange, why: str, call: Call) -> Entity:
        author = self._author(operation, call, checked_text(why, "why"))
        return self._settled(await self._entities.change(sent, author))
