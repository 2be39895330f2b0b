"""Objects for all customers with a tag, made together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from . import inputs, models
from ._lists import Listing
from ._resources import Resource
from ._transport import Call

if TYPE_CHECKING:
    from typing_extensions import Unpack

Batch = TypeVar("Batch")
Preview = TypeVar("Preview")


class _Batches(Resource[Batch]):
    def _preview(self, body: Mapping[str, Any], read: Callable[[Any], Preview]) -> Preview:
        preview: Preview = self._transport.send(Call("POST", f"{self._path}/preview", body=body, read=read))
        return preview

    def _create_batch(self, creates: str, body: Mapping[str, Any], key: str | None) -> Batch:
        """Begins a batch, or continues the one that this key has begun. Another batch that has the key is an error, and is
        never returned."""
        call = Call("POST", self._path, body=body, creates=creates, duplicate_check_key=key, read=self._read)
        batch: Batch = self._transport.send(call)
        return batch


class InvoiceBatches(_Batches[models.InvoiceBatch]):
    """Invoices for all customers with a tag. The list also has the batches of files."""

    def create(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewInvoiceBatch]
    ) -> models.InvoiceBatch:
        """Makes an invoice for each customer with a `tag`. The same call with the same key continues the batch and returns
        its state."""
        return self._create_batch("invoicebatch", fields, duplicate_check_key)

    def preview(self, **fields: Unpack[inputs.NewInvoiceBatch]) -> models.InvoiceBatchPreview:
        """Checks a batch. Nothing is stored."""
        return self._preview(fields, models.InvoiceBatchPreview.from_json)

    def list(self, **filters: Unpack[inputs.InvoiceBatchesFilters]) -> Listing[models.InvoiceBatch]:
        return self._list(filters)


class RequestBatches(_Batches[models.RequestBatch]):
    """Collection requests to all customers with a tag. The list also has the batches of files."""

    def create(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewRequestBatch]
    ) -> models.RequestBatch:
        """Requests the same amount from each customer with a `tag`. The same call with the same key continues the batch and
        returns its state."""
        return self._create_batch("requestbatch", fields, duplicate_check_key)

    def preview(self, **fields: Unpack[inputs.NewRequestBatch]) -> models.RequestBatchPreview:
        """Checks a batch. Nothing is stored."""
        return self._preview(fields, models.RequestBatchPreview.from_json)

    def list(self, **filters: Unpack[inputs.RequestBatchesFilters]) -> Listing[models.RequestBatch]:
        return self._list(filters)
