<?php

declare(strict_types=1);

namespace Kusanya\Resource;

use Kusanya\Input\Filters;
use Kusanya\Internal\Call;
use Kusanya\KusanyaException;
use Kusanya\Listing;
use Kusanya\Model\Plan;

/**
 * Recurring collection requests. A request with `subscription_settings` starts one.
 *
 * @phpstan-import-type PlansFilters from Filters
 *
 * @extends Resource<Plan>
 */
final class Plans extends Resource
{
    /**
     * Pauses a plan. Dates that pass meanwhile are not requested afterwards.
     *
     * @throws KusanyaException
     */
    public function pause(int $id): Plan
    {
        return $this->act($id, 'pause');
    }

    /**
     * Resumes a paused plan at its next date.
     *
     * @throws KusanyaException
     */
    public function resume(int $id): Plan
    {
        return $this->act($id, 'resume');
    }

    /**
     * Stops a plan permanently.
     *
     * @throws KusanyaException
     */
    public function stop(int $id): Plan
    {
        return $this->act($id, 'stop');
    }

    /**
     * The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed.
     *
     * @param PlansFilters $filters
     *
     * @return Listing<Plan>
     */
    public function list(array $filters = []): Listing
    {
        return $this->listing($filters);
    }

    private function act(int $id, string $verb): Plan
    {
        $read = static fn (array $data): Plan => new Plan($data);

        return $this->transport->send(new Call('POST', "{$this->path}/{$id}/{$verb}", $read, body: [], writes: true));
    }
}
