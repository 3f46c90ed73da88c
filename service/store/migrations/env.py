"""How Alembic runs the revisions: on the connection, and in the transaction, of `service.store.schema`."""

from __future__ import annotations

from alembic import context

from service.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
