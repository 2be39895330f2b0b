"""Bill payments: look up, buy, and read the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from . import inputs
from ._poll import DEFAULT_WAIT, poll
from ._transport import Call, Transport
from .models import (
    AirtimeProvider,
    BillAccountHolder,
    BillBalance,
    BillCategory,
    BillProvider,
    BillService,
    Bouquet,
    DataBundle,
    ExamProduct,
    PinBundle,
    PurchaseResult,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")

SERVICES = "/api/gateway/services"
BILLERS = "/api/gateway/billers"


class Bills:
    """Bill payments. `country` (ISO 3166-1) chooses whose services are listed; the default of the providers of one kind is
    NG. A purchase that has failed is a KusanyaError, whose `body["data"]` has the result."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_categories(self) -> list[BillCategory]:
        return self._get(f"{BILLERS}/category/all", {}, _all(BillCategory.from_json))

    def list_providers(self, *, country: str | None = None) -> list[BillProvider]:
        return self._providers(f"{BILLERS}/provider/all", country, BillProvider.from_json)

    def list_services(self, *, country: str | None = None) -> list[BillService]:
        return self._get(f"{BILLERS}/services/list", {"country": country}, _all(BillService.from_json))

    def list_services_of_category(self, service_type: str) -> list[BillService]:
        query = {"service_type": service_type}
        return self._get(f"{BILLERS}/services/category", query, _all(BillService.from_json))

    def list_airtime_providers(self, *, country: str | None = None) -> list[AirtimeProvider]:
        return self._providers(f"{SERVICES}/airtime/providers", country, AirtimeProvider.from_json)

    def list_data_bundle_providers(self, *, country: str | None = None) -> list[BillProvider]:
        return self._providers(f"{SERVICES}/databundle/providers", country, BillProvider.from_json)

    def list_electricity_billers(self, *, country: str | None = None) -> list[BillProvider]:
        return self._providers(f"{SERVICES}/electricity/billers", country, BillProvider.from_json)

    def list_cable_tv_providers(self, *, country: str | None = None) -> list[BillProvider]:
        return self._providers(f"{SERVICES}/cabletv/providers", country, BillProvider.from_json)

    def list_pin_providers(self, *, country: str | None = None) -> list[BillProvider]:
        return self._providers(f"{SERVICES}/epin/providers", country, BillProvider.from_json)

    def list_bouquets(self, service_type: str) -> list[Bouquet]:
        return self._ask(f"{SERVICES}/cabletv/list", {"service_type": service_type}, _all(Bouquet.from_json))

    def list_addons(self, service_type: str, product_code: str) -> list[Bouquet]:
        body = {"service_type": service_type, "product_code": product_code}
        return self._ask(f"{SERVICES}/cabletv/addons", body, _all(Bouquet.from_json))

    def list_data_bundles(self, service_type: str, account_number: str | None = None) -> list[DataBundle]:
        """`account_number` is required for providers that sell to accounts: smile, spectranet."""
        body = {"service_type": service_type, "account_number": account_number}
        return self._ask(f"{SERVICES}/databundle/bundles", body, _all(DataBundle.from_json))

    def list_pin_bundles(self, service_type: str) -> list[PinBundle]:
        return self._ask(f"{SERVICES}/epin/bundles", {"service_type": service_type}, _all(PinBundle.from_json))

    def list_exam_products(self, service_type: str) -> list[ExamProduct]:
        query = {"service_type": service_type}
        return self._get(f"{SERVICES}/exampin/products", query, _all(ExamProduct.from_json))

    def find_name(
        self, service_type: str, account_number: str, product_code: str | None = None
    ) -> BillAccountHolder:
        """The name of an account's holder, before something is bought for the account."""
        body = {"service_type": service_type, "account_number": account_number, "product_code": product_code}
        return self._ask(f"{SERVICES}/namefinder/query", body, _user)

    def verify_meter(self, service_type: str, account_number: str) -> BillAccountHolder:
        body = {"service_type": service_type, "account_number": account_number}
        return self._ask(f"{SERVICES}/electricity/verify", body, _user)

    def buy_airtime(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.BuyAirtime]
    ) -> PurchaseResult:
        return self._buy("airtime", fields, duplicate_check_key)

    def buy_data_bundle(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.BuyDataBundle]
    ) -> PurchaseResult:
        return self._buy("databundle", fields, duplicate_check_key)

    def buy_electricity(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.BuyElectricity]
    ) -> PurchaseResult:
        return self._buy("electricity", fields, duplicate_check_key)

    def buy_cable_tv(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.BuyCableTv]
    ) -> PurchaseResult:
        return self._buy("cabletv", fields, duplicate_check_key)

    def buy_pins(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.BuyPins]
    ) -> PurchaseResult:
        """The pins are in `raw` of the result."""
        return self._buy("epin", fields, duplicate_check_key)

    def buy_exam_pin(
        self, *, duplicate_check_key: str | None = None, **fields: Unpack[inputs.BuyExamPin]
    ) -> PurchaseResult:
        """The pins are in `raw` of the result."""
        return self._buy("exampin", fields, duplicate_check_key)

    def requery(
        self,
        *,
        agentReference: str | None = None,
        reference: str | None = None,
        transactionReference: str | int | None = None,
    ) -> PurchaseResult:
        """The result of a purchase as it is now. It is found by one of its references."""
        query = {
            "agentReference": agentReference,
            "reference": reference,
            "transactionReference": transactionReference,
        }
        return self._get("/api/gateway/superagent/transaction/requery", query, PurchaseResult.from_json)

    def wait(
        self,
        *,
        agentReference: str | None = None,
        reference: str | None = None,
        transactionReference: str | int | None = None,
        wait: float = DEFAULT_WAIT,
    ) -> PurchaseResult:
        """Reads a purchase until it is no longer pending. It waits `wait` seconds, and then raises WaitTimeout. Raises
        KusanyaError when the purchase has failed."""

        def read() -> PurchaseResult:
            return self.requery(
                agentReference=agentReference, reference=reference, transactionReference=transactionReference
            )

        def has_ended(result: PurchaseResult) -> bool:
            return result.transactionStatus != "pending"

        return poll(f"Purchase {agentReference or reference or transactionReference}", read, has_ended, wait)

    def get_balance(self) -> BillBalance:
        """The balance of the wallet that pays, without what open purchases hold."""
        return self._get("/api/gateway/superagent/account/balance", {}, BillBalance.from_json)

    def _providers(self, path: str, country: str | None, read: Callable[[Any], T]) -> list[T]:
        return self._get(path, {"country": country}, lambda data: [read(item) for item in data["providers"]])

    def _get(self, path: str, query: Mapping[str, Any], read: Callable[[Any], T]) -> T:
        return self._send(Call("GET", path, query=query), read)

    def _ask(self, path: str, body: Mapping[str, Any], read: Callable[[Any], T]) -> T:
        """A look-up that the interface has as a POST."""
        given = {name: value for name, value in body.items() if value is not None}
        return self._send(Call("POST", path, body=given), read)

    def _buy(self, kind: str, body: Mapping[str, Any], key: str | None) -> PurchaseResult:
        call = Call(
            "POST",
            f"{SERVICES}/{kind}/request",
            body=body,
            creates="billpayment",
            duplicate_check_key=key,
            read_created=lambda duplicate: self.requery(transactionReference=duplicate.id),
        )
        return self._send(call, PurchaseResult.from_json)

    def _send(self, call: Call, read: Callable[[Any], T]) -> T:
        """Sends a call, and takes the data out of the envelope of its answer."""
        result: T = self._transport.send(replace(call, read=lambda envelope: read(envelope["data"])))
        return result


def _all(read: Callable[[Any], T]) -> Callable[[Any], list[T]]:
    return lambda data: [read(item) for item in data]


def _user(data: Any) -> BillAccountHolder:
    return BillAccountHolder.from_json(data["user"])
