import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { documented, optional, text } from '../../core/fields.ts'
import {
  actOnInvoices,
  type ManyAction,
  ManyResult,
  type Selection,
  selectInvoices,
  selectionFields,
} from '../../core/invoices/many.ts'
import { begin } from '../../db/client.ts'
import { recordRequestAction } from '../../http/audit.ts'
import type { Server } from '../../http/server.ts'
import { readOptions } from './reading.ts'

const config = { permission: 'initiate_collections', allow: 'POST, OPTIONS' } as const
const selection = z.object(selectionFields).meta({ id: 'InvoiceSelection', examples: [{ filter: { tag: 'P5' } }] })
const voidBody = z
  .object({
    ...selectionFields,
    reason: optional(documented(text(200), 'Reason in your own words, kept on record.', 'Wrong price')),
  })
  .meta({ id: 'InvoiceSelectionVoid', examples: [{ filter: { batch: 3 }, reason: 'Wrong price' }] })

/** Add the actions on many invoices at once: issue, remind, void. */
export function addManyInvoices(server: Server, app: App): void {
  server.post('/api/invoices/issue', {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'issueInvoices',
      summary: 'Issue several drafts, in the order of their ids',
      description:
        'Issues the chosen drafts, or all that match a filter. Others are listed with the reason. An interrupted call can be repeated.',
      body: selection,
      response: { 200: ManyResult },
    },
    handler: (request) => actOnMany(app, request, 'issue', request.body),
  })

  server.post('/api/invoices/remind', {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'remindOfInvoices',
      summary: 'Remind the customers of several invoices now, each at most once a day',
      description:
        'Reminds the customers of the chosen invoices, or of all that match a filter. Others are listed with the reason.',
      body: selection,
      response: { 200: ManyResult },
    },
    handler: (request) => actOnMany(app, request, 'remind', request.body),
  })

  server.post('/api/invoices/void', {
    config,
    schema: {
      tags: ['Invoices'],
      operationId: 'voidInvoices',
      summary: 'Void several issued invoices; they keep their numbers',
      description:
        'Voids the chosen invoices, or all that match a filter. Others are listed with the reason. An interrupted call can be repeated.',
      body: voidBody,
      response: { 200: ManyResult },
    },
    handler: (request) => actOnMany(app, request, 'void', request.body, request.body.reason?.trim()),
  })
}

/**
 * Act on a selection, some invoices in each transaction. After an interruption, simply repeat the call: completed
 * invoices are no longer in a state for it.
 */
async function actOnMany(
  app: App,
  request: FastifyRequest,
  action: ManyAction,
  chosen: Selection,
  reason = '',
): Promise<ManyResult> {
  const { organization, user } = request.caller
  const groups = await selectInvoices(app.db, organization, chosen, { action, now: app.clock.now() })
  const result: ManyResult = { done: 0, left_out: [] }
  for (const ids of groups) {
    const left_out = await begin(app.db, async (tx) => {
      const left = await actOnInvoices(tx, action, ids, { ...readOptions(app), user, reason })
      const details = { count: ids.length - left.length, first: ids[0]!, last: ids.at(-1)!, ...(reason && { reason }) }
      await recordRequestAction(tx, app, request, { action: `${action} invoices`, details })
      return left
    })
    app.wake()
    result.done += ids.length - left_out.length
    result.left_out.push(...left_out)
  }
  return result
}
