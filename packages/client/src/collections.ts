import type { Page } from './lists.ts'
import { Resource, withoutKey } from './resources.ts'
import type { Call, CallOptions, CreateOptions, Query, Transport } from './transport.ts'
import type {
  Collection,
  CollectionAllocations,
  Filters,
  MatchingSettings,
  MatchingSettingsChanges,
  MatchSuggestion,
  NewAllocations,
} from './types.ts'

/** Incoming payments of customers. */
export class Collections extends Resource<Collection, Filters<'listCollections'>> {
  /**
   * Reserve the one unmatched collection that has these values for the user of the key, for good. Undefined if there is
   * none; several are an error with the field `claim`. A repeated call gives the same collection.
   */
  async claim(
    filters: Filters<'listCollections'> & { amount: string; phonenumber: string; remote_transaction_id: string },
    options?: CallOptions,
  ): Promise<Collection | undefined> {
    const query: Query = { ...filters, claim: 'True' }
    const call: Call = { method: 'GET', path: this.path, query, writes: true, options }
    return ((await this.transport.send(call)) as Page<Collection>).results[0]
  }

  /** Get the allocations of a collection, and its unallocated rest. */
  async allocations(id: number, options?: CallOptions): Promise<CollectionAllocations> {
    const path = `${this.#pathOf(id)}/allocations`
    return (await this.transport.send({ method: 'GET', path, options })) as CollectionAllocations
  }

  /** Suggest targets for unmatched money, the likeliest first. */
  async suggestions(id: number, options?: CallOptions): Promise<MatchSuggestion[]> {
    const path = `${this.#pathOf(id)}/suggestions`
    const answer = (await this.transport.send({ method: 'GET', path, options })) as { suggestions: MatchSuggestion[] }
    return answer.suggestions
  }

  /**
   * Match unmatched money with invoices, customers or payment links; several parts split it. `instead_of` moves money.
   */
  async allocate(id: number, input: NewAllocations, options?: CreateOptions): Promise<CollectionAllocations> {
    const path = `${this.#pathOf(id)}/allocations`
    const readCreated = async (made: { id: number }) =>
      made.id === id ? this.allocations(id, withoutKey(options)) : undefined
    const call: Call = { method: 'POST', path, body: input, creates: 'collection', readCreated, options }
    return (await this.transport.send(call)) as CollectionAllocations
  }

  /** Take an allocation back: its money is unmatched again. */
  async endAllocation(id: number, allocation: number, options?: CallOptions): Promise<CollectionAllocations> {
    const path = `${this.#pathOf(id)}/allocations/${encodeURIComponent(allocation)}`
    return (await this.transport.send({ method: 'DELETE', path, writes: true, options })) as CollectionAllocations
  }

  #pathOf(id: number): string {
    return `${this.path}/${encodeURIComponent(id)}`
  }
}

/** Rules about unrequested money. */
export class MatchingRules {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  async get(options?: CallOptions): Promise<MatchingSettings> {
    return (await this.#transport.send({ method: 'GET', path: MATCHING_SETTINGS, options })) as MatchingSettings
  }

  /** Change the given rules. */
  async update(changes: MatchingSettingsChanges, options?: CallOptions): Promise<MatchingSettings> {
    const call: Call = { method: 'PATCH', path: MATCHING_SETTINGS, body: changes, writes: true, options }
    return (await this.#transport.send(call)) as MatchingSettings
  }
}

const MATCHING_SETTINGS = '/api/matching-settings'
