"""Client for Kusanya, the open mobile-money gateway: request money, send it, receive signed webhooks.

    from kusanya import Kusanya

    kusanya = Kusanya("https://pay.example.com", "<API key>")
    request = kusanya.collection_requests.create(phonenumber="+256772000001", amount="1500", currency="UGX")
"""

from ._client import Kusanya
from ._lists import Listing, Page
from ._stream import StreamedEvent
from ._version import VERSION as __version__
from .errors import Duplicate, KusanyaError, WaitTimeout, WebhookVerificationError
from .webhooks import Notification, VerifiedNotification, verify_webhook

__all__ = [
    "Duplicate",
    "Kusanya",
    "KusanyaError",
    "Listing",
    "Notification",
    "Page",
    "StreamedEvent",
    "VerifiedNotification",
    "WaitTimeout",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
