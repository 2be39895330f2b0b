<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Internal\Call;
use Kusanya\Internal\Transport;
use Kusanya\KusanyaException;
use Kusanya\Model\Ageing;
use Kusanya\Model\UnmatchedMoney;

/** What is open, and what came in and is for nothing yet. Rows come in pages of `limit`; totals are those of all pages. */
final class Reports
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * The open amounts of customers by how long they are overdue.
     *
     * @throws KusanyaException
     */
    public function ageing(?string $tag = null, ?string $currency = null, ?int $limit = null, ?int $offset = null): Ageing
    {
        $read = static fn (array $data): Ageing => new Ageing($data);
        $query = ['tag' => $tag, 'currency' => $currency, 'limit' => $limit, 'offset' => $offset];

        return $this->transport->send(new Call('GET', '/api/reports/ageing', $read, $query));
    }

    /**
     * Money that came in and is for nothing yet, the oldest first.
     *
     * @throws KusanyaException
     */
    public function unmatched(?string $currency = null, ?int $limit = null, ?int $offset = null): UnmatchedMoney
    {
        $read = static fn (array $data): UnmatchedMoney => new UnmatchedMoney($data);
        $query = ['currency' => $currency, 'limit' => $limit, 'offset' => $offset];

        return $this->transport->send(new Call('GET', '/api/reports/unmatched', $read, $query));
    }
}
