<?php

declare(strict_types=1);

namespace Kusanya;

use Kusanya\Internal\Json;
use Kusanya\Internal\MoneyFields;
use Kusanya\Model\EventData;
use Kusanya\Model\Model;
use Kusanya\Model\Webhook;

/** What a webhook or a stream says about an event. */
class Notification
{
    /** The type of the event; the same as `$hook->event`. */
    public readonly string $type;
    /** The webhook that it was sent for. In a stream its id is 0. */
    public readonly Webhook $hook;
    /** @var Model|array<string, mixed> The object that the event is about, as it was then. An unknown type, which is new, has the JSON object. */
    public readonly Model|array $data;

    /**
     * @internal
     *
     * @throws \JsonException
     */
    public function __construct(string $text)
    {
        $is_bill = preg_match('/"event"\s*:\s*"billpayment\./', $text) === 1;
        $body = Json::parse($text, $is_bill ? MoneyFields::BILLS : []);
        $this->hook = new Webhook($body['hook']);
        $this->type = $this->hook->event;
        $this->data = EventData::read($this->type, $body['data']);
    }
}
