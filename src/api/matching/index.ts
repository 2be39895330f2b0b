import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { Allocation, readAllocations, type Target } from '../../core/allocations/allocations.ts'
import { findCollectionRow } from '../../core/collections/collections.ts'
import { documented, integer, optional, positiveAmount, text } from '../../core/fields.ts'
import { claimDuplicateKeys, createDuplicateKeyClaim, linkKeysToObjects } from '../../core/idempotency.ts'
import { allocateByHand, type ChosenPart, endAllocation, type MatchingPerson } from '../../core/matching/by-hand.ts'
import {
  MatchingSettings,
  matchingSettingsBody,
  readMatchingSettings,
  setMatchingSettings,
} from '../../core/matching/settings.ts'
import { Suggestion, suggestMatches } from '../../core/matching/suggestions.ts'
import { type AnyReader, begin } from '../../db/client.ts'
import { recordRequestAction } from '../../http/audit.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { writeHeaders } from '../headers.ts'

const TAG = 'Matching'
const PATH = '/api/collections/:id/allocations'
const MAX_PARTS = 50

const chosenPart = z
  .object({
    invoice: optional(documented(integer({ min: 1 }), 'An issued invoice.', 12)),
    contact: optional(documented(integer({ min: 1 }), 'A customer, who gets credit.', 3)),
    payment_link: optional(documented(integer({ min: 1 }), 'A payment link.', 5)),
    amount: optional(
      documented(positiveAmount, 'How much. Default: what the invoice asks for, or all that is left.', '85000'),
    ),
  })
  .meta({ id: 'NewAllocationPart' })
  .transform(({ invoice, contact, payment_link, amount }, context): ChosenPart => {
    const targets: Target[] = [
      ...(invoice === undefined ? [] : [{ invoice }]),
      ...(contact === undefined ? [] : [{ contact }]),
      ...(payment_link === undefined ? [] : [{ payment_link }]),
    ]
    const [target] = targets
    if (targets.length === 1 && target) return { target, amount }
    context.addIssue({ code: 'custom', message: 'Give one of invoice, contact and payment_link.' })
    return z.NEVER
  })

const allocationBody = z
  .object({
    parts: z
      .array(chosenPart)
      .min(1, 'Give at least one part.')
      .max(MAX_PARTS, `Give at most ${MAX_PARTS} parts.`)
      .meta({ description: 'What the money is for. Several parts split it.', examples: [[{ invoice: 12 }]] }),
    note: optional(documented(text(500), 'Why, in own words; it is kept.', 'Betty called.')),
  })
  .meta({ id: 'NewAllocations', examples: [{ parts: [{ invoice: 12, amount: '85000' }] }] })

const allocations = z.object({ allocations: z.array(Allocation) }).meta({ id: 'CollectionAllocations' })
const suggestions = z.object({ suggestions: z.array(Suggestion) }).meta({ id: 'CollectionSuggestions' })

/** Adds what money is for: allocations of collections, suggestions, and the rules of the organization. */
export function addMatching(server: Server, app: App): void {
  addRead(server, app)
  addAllocate(server, app)
  addSettings(server, app)
}

function addRead(server: Server, app: App): void {
  server.get(PATH, {
    config: { permission: 'view', allow: 'GET, POST, HEAD, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'listAllocations',
      summary: 'List what a collection is for',
      params: idParams,
      response: { 200: allocations },
    },
    handler: (request) =>
      app.reads.snapshot(async (db) => {
        const { id } = await findOwn(db, request)
        return { allocations: (await readAllocations(db, [id])).get(id) ?? [] }
      }),
  })
  server.get('/api/collections/:id/suggestions', {
    config: { permission: 'view', allow: 'GET, HEAD, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'suggestMatches',
      summary: 'Suggest what unmatched money may be for',
      params: idParams,
      response: { 200: suggestions },
    },
    handler: (request) =>
      app.reads.snapshot(async (db) => {
        const collection = await findOwn(db, request)
        const is_free = collection.collection_request === null && collection.claimed_by === null
        return { suggestions: is_free ? await suggestMatches(db, collection) : [] }
      }),
  })
}

/** The collection of the path. @throws NotFound, Forbidden */
async function findOwn(db: AnyReader, { caller, params }: FastifyRequest) {
  const { id } = params as { id: number }
  return requireOwned(caller.organization, await findCollectionRow(db, id))
}

function addAllocate(server: Server, app: App): void {
  const options = () => ({ now: app.clock.now(), base_url: app.address.url })
  const personOf = (request: FastifyRequest): MatchingPerson => ({
    organization: request.caller.organization,
    user: request.caller.user,
    audit: (tx, action) => recordRequestAction(tx, app, request, action),
  })

  server.post(PATH, {
    config: { permission: 'initiate_collections', allow: 'GET, POST, HEAD, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'allocateCollection',
      summary: 'Match unmatched money with invoices, customers or payment links',
      headers: writeHeaders,
      params: idParams,
      body: allocationBody,
      response: { 200: allocations },
    },
    handler: async (request) => {
      const { parts, note } = request.body
      const { organization } = request.caller
      const key = request.headers['duplicate-check-key']
      const claim = key ? createDuplicateKeyClaim(organization, key) : undefined
      const made = await begin(app.db, async (tx) => {
        const { id: collection } = await findOwn(tx, request)
        const [duplicate] = await claimDuplicateKeys(tx, app.clock.now(), 'collection', [claim])
        if (duplicate) throw duplicate
        const all = await allocateByHand(tx, { collection, parts, note, by: personOf(request) }, options())
        linkKeysToObjects(tx, [{ claim, object: collection }])
        return all
      })
      app.wake()
      return { allocations: made }
    },
  })

  server.delete(`${PATH}/:allocation`, {
    config: { permission: 'initiate_collections', allow: 'DELETE, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'endAllocation',
      summary: 'Take an allocation back: the money is unmatched again',
      params: z.object({ ...idParams.shape, allocation: idParams.shape.id }),
      response: { 200: allocations },
    },
    handler: async (request) => {
      const left = await begin(app.db, async (tx) => {
        const { id: collection } = await findOwn(tx, request)
        const { allocation } = request.params
        await endAllocation(tx, { collection, allocation, by: personOf(request) }, options())
        return (await readAllocations(tx, [collection])).get(collection) ?? []
      })
      app.wake()
      return { allocations: left }
    },
  })
}

function addSettings(server: Server, app: App): void {
  const url = '/api/matching-settings'
  server.get(url, {
    config: { permission: 'view', allow: 'GET, PATCH, HEAD, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'getMatchingSettings',
      summary: 'Get what is done with money that nobody asked for',
      response: { 200: MatchingSettings },
    },
    handler: ({ caller }) => app.reads.read((db) => readMatchingSettings(db, caller.organization)),
  })
  server.patch(url, {
    config: { permission: 'manage_organization', allow: 'GET, PATCH, HEAD, OPTIONS' },
    schema: {
      tags: [TAG],
      operationId: 'changeMatchingSettings',
      summary: 'Change what is done with money that nobody asked for',
      body: matchingSettingsBody,
      response: { 200: MatchingSettings },
    },
    handler: (request) =>
      begin(app.db, async (tx) => {
        const settings = await setMatchingSettings(tx, app.clock.now(), request.caller.organization, request.body)
        await recordRequestAction(tx, app, request, { action: 'change matching settings', details: settings })
        return settings
      }),
  })
}
