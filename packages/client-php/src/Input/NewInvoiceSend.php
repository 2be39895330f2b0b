<?php

// Made from openapi.json by `npm run clients`; do not edit.

declare(strict_types=1);

namespace Kusanya\Input;

/** Send an issued invoice by SMS or e-mail. */
final class NewInvoiceSend extends Input
{
    public function __construct(
        /** Default: e-mail if `email` is given, otherwise SMS. An SMS goes to the phone of the customer. One of sms, email. */
        public readonly ?string $channel = null,
        /** Where an e-mail goes; default: the address of the contact. */
        public readonly ?string $email = null,
    ) {
    }
}
