<?php

declare(strict_types=1);

namespace Kusanya;

/** A request that is no notification of yours, or is too old: answer 400 or 401, and do nothing. */
final class WebhookVerificationException extends \RuntimeException
{
}
