"""Invoices."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import inputs, models
from ._lists import Listing
from ._resources import Resource
from ._transport import Call

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Invoices(Resource[models.Invoice]):
    """What customers are to pay. A draft can be changed and deleted; an issued invoice has a number and can only be voided."""

    def create(self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewInvoice]) -> models.Invoice:
        """Makes a draft."""
        return self._create("invoice", fields, duplicate_check_key)

    def list(self, **filters: Unpack[inputs.InvoicesFilters]) -> Listing[models.Invoice]:
        return self._list(filters)

    def update(self, id: int, **changes: Unpack[inputs.InvoiceChanges]) -> models.Invoice:
        """Changes the given fields of a draft."""
        return self._change(id, changes)

    def delete(self, id: int) -> models.Invoice:
        """Deletes a draft, and gives it as it was."""
        call = Call("DELETE", self._path_of(id), writes=True, read=self._read)
        invoice: models.Invoice = self._transport.send(call)
        return invoice

    def issue(self, id: int, *, duplicate_check_key: str | None = None) -> models.Invoice:
        """Issues a draft: it gets its number, and `url` is the page for the customer."""
        return self._act(id, "issue", {}, duplicate_check_key)

    def void(
        self, id: int, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewInvoiceVoid]
    ) -> models.Invoice:
        """Voids an issued invoice. It keeps its number."""
        return self._act(id, "void", fields, duplicate_check_key)

    def send(
        self, id: int, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewInvoiceSend]
    ) -> models.Invoice:
        """Sends an issued invoice by SMS to the phone of the customer, or by e-mail. It is sent once, however often the
        call has to be sent."""
        return self._act(id, "send", fields, duplicate_check_key)

    def collect(
        self, id: int, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.NewInvoiceCollection]
    ) -> models.Invoice:
        """Requests the open amount, or a part of it, now. Refused while another request of the invoice may still be
        paid."""
        return self._act(id, "collect", fields, duplicate_check_key)

    def issue_many(self, **selection: Unpack[inputs.InvoiceSelection]) -> models.InvoicesDone:
        """Issues many drafts, in the order of their ids: `invoices`, or all that match a `filter`. When an answer is lost,
        `done` counts only the last attempt."""
        return self._act_on_many("issue", selection)

    def remind_many(self, **selection: Unpack[inputs.InvoiceSelection]) -> models.InvoicesDone:
        """Reminds the customers of many issued invoices now, each at most once a day."""
        return self._act_on_many("remind", selection)

    def void_many(self, **selection: Unpack[inputs.InvoiceSelectionVoid]) -> models.InvoicesDone:
        """Voids many issued invoices. They keep their numbers."""
        return self._act_on_many("void", selection)

    def sum_by_tag(self, **filters: Unpack[inputs.InvoicesByTagFilters]) -> builtins.list[models.InvoiceTagSum]:
        """Invoiced, paid and open amounts by the tags of customers."""

        def read(body: Any) -> builtins.list[models.InvoiceTagSum]:
            return [models.InvoiceTagSum.from_json(one) for one in body["results"]]

        sums: builtins.list[models.InvoiceTagSum] = self._transport.send(
            Call("GET", f"{self._path}/tags", query=filters, read=read)
        )
        return sums

    def customers(
        self, **filters: Unpack[inputs.InvoiceCustomersFilters]
    ) -> Listing[models.InvoiceCustomerSum]:
        """Customers with a `tag`, by name, with their invoiced, paid and open amounts."""
        return Resource(self._transport, f"{self._path}/customers", models.InvoiceCustomerSum.from_json)._list(filters)

    def _act(self, id: int, verb: str, body: Mapping[str, Any], key: str | None) -> models.Invoice:
        """Acts once, however often the call has to be sent."""
        call = Call(
            "POST",
            f"{self._path_of(id)}/{verb}",
            body=body,
            creates="invoice",
            duplicate_check_key=key,
            read=self._read,
            read_created=lambda duplicate: self.get(id) if duplicate.id == int(id) else None,
        )
        invoice: models.Invoice = self._transport.send(call)
        return invoice

    def _act_on_many(self, verb: str, body: Mapping[str, Any]) -> models.InvoicesDone:
        """Needs no `Duplicate-Check-Key`: an invoice that is done is no longer in a state for it."""
        read = models.InvoicesDone.from_json
        done: models.InvoicesDone = self._transport.send(
            Call("POST", f"{self._path}/{verb}", body=body, writes=True, read=read)
        )
        return done
