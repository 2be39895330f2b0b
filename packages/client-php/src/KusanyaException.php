<?php

declare(strict_types=1);

namespace Kusanya;

/** A call that did not succeed: the service has refused it, or has not answered. */
final class KusanyaException extends \RuntimeException
{
    /**
     * @param array<string, list<string>> $fields
     */
    public function __construct(
        string $message,
        public readonly string $method,
        public readonly string $path,
        /** The status of the answer; 0 if there was none. */
        public readonly int $status = 0,
        /** What the service says, if it says it about no single field. */
        public readonly ?string $detail = null,
        /** The invalid fields, each with its messages; empty if no field is invalid. */
        public readonly array $fields = [],
        /** The code of a bill payment's error, such as BX0003. */
        public readonly ?string $error_code = null,
        /** With 409: what the first request with this key has created. */
        public readonly ?Duplicate $duplicate = null,
        /** The id of the request in the log of the service. */
        public readonly ?string $request_id = null,
        /** How long the service asks to wait, in seconds. */
        public readonly ?float $retry_after = null,
        /** The parsed body of the answer, or its text. */
        public readonly mixed $body = null,
        /** How often the call was sent. */
        public readonly int $attempts = 1,
        /**
         * True if a call that writes may have had its effect although it failed, because an attempt of it got no readable
         * answer. Never treat it as failed: repeat it with the same Duplicate-Check-Key, or look for the object.
         */
        public readonly bool $is_outcome_unknown = false,
        /** The Duplicate-Check-Key that the call had. */
        public readonly ?string $duplicate_check_key = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
