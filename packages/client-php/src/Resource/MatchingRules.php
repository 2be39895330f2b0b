<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\MatchingSettingsChanges;
use Kusanya\Internal\Call;
use Kusanya\Internal\Transport;
use Kusanya\KusanyaException;
use Kusanya\Model\MatchingSettings;

/** The rules about money that nobody asked for. */
final class MatchingRules
{
    private const PATH = '/api/matching-settings';

    public function __construct(private readonly Transport $transport) {}

    /** @throws KusanyaException */
    public function get(): MatchingSettings
    {
        return $this->transport->send(new Call('GET', self::PATH, self::read(...)));
    }

    /**
     * Changes the given rules.
     *
     * @param MatchingSettingsChanges|array<string, mixed> $changes
     *
     * @throws KusanyaException
     */
    public function update(MatchingSettingsChanges|array $changes): MatchingSettings
    {
        return $this->transport->send(new Call('PATCH', self::PATH, self::read(...), body: $changes, writes: true));
    }

    /** @param array<string, mixed> $data */
    private static function read(array $data): MatchingSettings
    {
        return new MatchingSettings($data);
    }
}
