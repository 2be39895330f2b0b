import { z } from 'zod'
import { actOnMany } from '../../actions/many-invoices.ts'
import { actorOf } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { documented, optional, text } from '../../core/fields.ts'
import { type ManyAction, ManyResult, type Selection, selectionFields } from '../../core/invoices/many.ts'
import type { Server } from '../../http/server.ts'

const config = { permission: 'initiate_collections' } as const
const selection = z.object(selectionFields).meta({ id: 'InvoiceSelection', examples: [{ filter: { tag: 'P5' } }] })
const voidBody = z
  .object({
    ...selectionFields,
    reason: optional(documented(text(200), 'Reason in your own words, kept on record.', 'Wrong price')),
  })
  .meta({ id: 'InvoiceSelectionVoid', examples: [{ filter: { batch: 3 }, reason: 'Wrong price' }] })

/** Add the actions on many invoices at once: issue, remind, void. */
export function addManyInvoices(server: Server, app: App): void {
  addMany(server, app, 'issue', selection, {
    operationId: 'issueInvoices',
    summary: 'Issue several drafts, in the order of their ids',
    description:
      'Issues the chosen drafts, or all that match a filter. Others are listed with the reason. An interrupted call can be repeated.',
  })
  addMany(server, app, 'remind', selection, {
    operationId: 'remindOfInvoices',
    summary: 'Remind the customers of several invoices now, each at most once a day',
    description:
      'Reminds the customers of the chosen invoices, or of all that match a filter. Others are listed with the reason.',
  })
  addMany(server, app, 'void', voidBody, {
    operationId: 'voidInvoices',
    summary: 'Void several issued invoices; they keep their numbers',
    description:
      'Voids the chosen invoices, or all that match a filter. Others are listed with the reason. An interrupted call can be repeated.',
  })
}

function addMany(
  server: Server,
  app: App,
  action: ManyAction,
  body: z.ZodType<Selection & { reason?: string | undefined }>,
  described: { operationId: string; summary: string; description: string },
): void {
  server.post(`/api/invoices/${action}`, {
    config,
    schema: { tags: ['Invoices'], ...described, body, response: { 200: ManyResult } },
    handler: (request) => actOnMany(app, actorOf(request, ''), action, request.body, request.body.reason),
  })
}
