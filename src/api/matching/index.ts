import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import type { InputOf } from '../../core/access/action.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { CollectionAllocations, freeAmount, readAllocations, type Target } from '../../core/allocations/allocations.ts'
import { readPendingMatches } from '../../core/allocations/pending.ts'
import { allocateCollectionAction } from '../../core/approvals/changes/actions.ts'
import type { RequestedPart } from '../../core/approvals/changes/matching-kinds.ts'
import { type CollectionRow, findCollectionRow } from '../../core/collections/collections.ts'
import { requestsById } from '../../core/collections/requests.ts'
import { findContact } from '../../core/contacts/details.ts'
import { documented, errorMessage, integer, optional, positiveAmount, readList, text } from '../../core/fields.ts'
import { isFree } from '../../core/matching/match.ts'
import { ContactMoney, NearMoney, readMoneyOfContact, readNearMoney } from '../../core/matching/near-money.ts'
import { MatchingSettings, readMatchingSettings } from '../../core/matching/settings.ts'
import { Suggestion, suggestMatches } from '../../core/matching/suggestions.ts'
import type { AnyReader } from '../../db/client.ts'
import { writeHeaders } from '../../http/headers.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { formatAmount } from '../../lib/money.ts'

const TAG = 'Matching'
const PATH = '/api/collections/:id/allocations'
const MAX_PARTS = 50

const chosenPart = z
  .object({
    invoice: optional(documented(integer({ min: 1 }), 'An issued invoice.', 12)),
    contact: optional(documented(integer({ min: 1 }), 'A customer, who gets credit.', 3)),
    payment_link: optional(documented(integer({ min: 1 }), 'A payment link.', 5)),
    amount: optional(
      documented(positiveAmount, 'Amount. Default: the open amount of the invoice, or all that is left.', '85000'),
    ),
  })
  .meta({ id: 'NewAllocationPart' })
  .transform(({ invoice, contact, payment_link, amount }, context): RequestedPart => {
    const targets: Target[] = [
      ...(invoice === undefined ? [] : [{ invoice }]),
      ...(contact === undefined ? [] : [{ contact }]),
      ...(payment_link === undefined ? [] : [{ payment_link }]),
    ]
    const [target] = targets
    if (targets.length === 1 && target)
      return { target, amount: amount === undefined ? undefined : formatAmount(amount) }
    context.addIssue({ code: 'custom', message: 'Give one of invoice, contact and payment_link.' })
    return z.NEVER
  })

const allocationBody = z
  .object({
    parts: z
      .preprocess(
        readList,
        z
          .array(chosenPart, { error: errorMessage('Expected a list of parts, or a JSON text of one.') })
          .min(1, 'Give at least one part.')
          .max(MAX_PARTS, `Give at most ${MAX_PARTS} parts.`),
      )
      .meta({ description: 'What the money is for. Several parts split it.', examples: [[{ invoice: 12 }]] }),
    instead_of: optional(
      documented(integer({ min: 1 }), 'Allocation of this collection to reverse first, so that its money moves.', 7),
    ),
    note: optional(documented(text(500), 'Reason in your own words, kept on record.', 'Betty called.')),
  })
  .meta({ id: 'NewAllocations', examples: [{ parts: [{ invoice: 12, amount: '85000' }] }] })

const unmatchedMoney = z.object({ unmatched: z.array(NearMoney) }).meta({ id: 'RequestUnmatchedMoney' })
const suggestions = z.object({ suggestions: z.array(Suggestion) }).meta({ id: 'CollectionSuggestions' })

/** Add matching: allocations of collections, suggestions, and the rules of the organization. */
export function addMatching(server: Server, app: App): void {
  addRead(server, app)
  addAllocate(server, app)
  addNear(server, app)
}

function addRead(server: Server, app: App): void {
  const of = (db: AnyReader, { id }: { id: number }) => findCollectionRow(db, id)
  addView(server, app, {
    url: PATH,
    permission: 'view',
    words: {
      tag: TAG,
      operation: 'listAllocations',
      summary: 'List the allocations of a collection',
      description: 'Returns the invoices, customers and payment links that the money is for, and the unmatched part.',
    },
    answer: CollectionAllocations,
    of,
    read: (db, { of: collection }) => describe(app, db, collection),
  })
  addView(server, app, {
    url: '/api/collections/:id/suggestions',
    permission: 'view',
    words: {
      tag: TAG,
      operation: 'suggestMatches',
      summary: 'Suggest matches for unmatched money',
      description:
        'Returns invoices, customers and requests that the money may be for, each with its reason, the likeliest first. A matched collection has none.',
    },
    answer: suggestions,
    of,
    read: async (db, { of: collection }) => ({
      suggestions: isFree(collection) ? await suggestMatches(db, collection) : [],
    }),
  })
}

/** The collection of the path. @throws NotFound, Forbidden */
async function findOwn(db: AnyReader, { caller, params }: FastifyRequest) {
  const { id } = params as { id: number }
  return requireOwned(caller.organization, await findCollectionRow(db, id))
}

/**
 * Describe the allocations of a collection. Nothing is unmatched if it fulfilled a request, is claimed, or is not in
 * its wallet.
 */
async function describe(app: App, db: AnyReader, collection: CollectionRow): Promise<CollectionAllocations> {
  return {
    allocations: (await readAllocations(db, [collection.id])).get(collection.id) ?? [],
    amount_unmatched: isFree(collection) ? freeAmount(collection) : 0n,
    pending: await readPendingMatches(db, app.clock.now(), collection),
  }
}

/** Match money, or ask a second manager if the sum is large, and answer with the collection's new allocations. */
async function match(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Pick<InputOf<typeof allocateCollectionAction.input.shape>, 'parts' | 'instead_of' | 'note'>,
) {
  const { id: collection } = request.params as { id: number }
  const input = { collection, ...asked }
  const { is_pending } = await performAction(app, request, allocateCollectionAction, { input })
  reply.code(is_pending ? 202 : 200)
  return describe(app, app.db, await findOwn(app.db, request))
}

const answers = { 200: CollectionAllocations, 202: CollectionAllocations }

function addAllocate(server: Server, app: App): void {
  server.post(PATH, {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: [TAG],
      operationId: 'allocateCollection',
      summary: 'Allocate unmatched money to invoices, customers or payment links',
      description:
        'Matches the money of a collection, whole or split into parts. 202: a second person must confirm it; nothing changes before.',
      headers: writeHeaders,
      params: idParams,
      body: allocationBody,
      response: answers,
    },
    // The body has required fields, but a caller must first hear that the collection belongs to another organization.
    preValidation: async (request) => {
      const id = idParams.safeParse(request.params).data?.id
      if (id !== undefined) requireOwned(request.caller.organization, await findCollectionRow(app.db, id))
    },
    handler: (request, reply) => match(app, request, reply, request.body),
  })

  server.delete(`${PATH}/:allocation`, {
    config: { permission: 'initiate_collections' },
    schema: {
      tags: [TAG],
      operationId: 'endAllocation',
      summary: 'Reverse an allocation; its money becomes unmatched',
      description:
        'Ends the allocation; invoices that it paid are open again. 202: a second person must confirm it; nothing changes before.',
      params: z.object({ ...idParams.shape, allocation: documented(idParams.shape.id, 'Id of the allocation.', 7) }),
      response: answers,
    },
    handler: (request, reply) => match(app, request, reply, { parts: [], instead_of: request.params.allocation }),
  })
}

/** Add the unmatched money of a customer and of a request, and the rules of the organization. */
function addNear(server: Server, app: App): void {
  addView(server, app, {
    url: '/api/contacts/:id/money',
    permission: 'view',
    words: {
      tag: TAG,
      operation: 'getContactMoney',
      summary: 'Get the credit and unmatched money of a customer',
      description: 'Returns its credit by currency, and unmatched money from its phones.',
    },
    answer: ContactMoney,
    of: (db, { id }) => findContact(db, id),
    read: (db, { organization, of: { id, phone_number } }) =>
      readMoneyOfContact(db, { id, organization, phone_number }),
  })
  addView(server, app, {
    url: '/api/collectionrequests/:id/unmatched-money',
    permission: 'view',
    words: {
      tag: TAG,
      operation: 'listUnmatchedMoney',
      summary: 'List unmatched money from the phone of a request',
      description:
        'Returns unmatched collections from its phone since it was made, each with the difference from its amount.',
    },
    answer: unmatchedMoney,
    of: async (db, { id }) => (await requestsById(db, [id])).get(id),
    read: async (db, { of: request }) => ({ unmatched: await readNearMoney(db, request) }),
  })
  addView(server, app, {
    url: '/api/matching-settings',
    permission: 'view',
    words: {
      tag: TAG,
      operation: 'getMatchingSettings',
      summary: 'Get the rules for unrequested money',
      description: 'Returns your rules for too much money and for unknown numbers.',
    },
    answer: MatchingSettings,
    source: 'statement',
    read: (db, { organization }) => readMatchingSettings(db, organization),
  })
}
