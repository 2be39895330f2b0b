import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Permission } from '../../core/access/api-keys.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { exactId, exactPhone } from '../../core/filters.ts'
import { type SmsMessage, SmsView, smsPurposes, smsStates, smsSuffix } from '../../core/sms/message.ts'
import { listSms, pageOfSms } from '../../core/sms/outbox.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'

const filters = {
  state: z
    .enum(smsStates)
    .optional()
    .meta({ description: 'SMS in this state.', examples: ['failed'] }),
  purpose: z
    .enum(smsPurposes)
    .optional()
    .meta({ description: 'SMS for this purpose.', examples: ['instructions'] }),
  phonenumber: exactPhone(),
  collection_request: exactId('SMS of this collection request.'),
  bill_purchase: exactId('SMS of this bill purchase.'),
  payment: exactId('SMS to the recipients of this payment.'),
}

/** Add the SMS to the customers of the organization. An addition to the interface (docs/interface-gaps.md). */
export function addSmsList(server: Server, app: App): void {
  const suffix = smsSuffix(app.config.SERVICE_NAME)

  server.get('/api/sms', {
    config: { permission: 'view' },
    schema: {
      tags: ['SMS'],
      operationId: 'listSms',
      summary: 'List SMS to customers',
      description:
        'Returns the SMS to your customers. Digits of a bought token are hidden from keys without `pay_bills`.',
      querystring: listQuery(filters),
      response: { 200: listOf(SmsView) },
    },
    handler: async (request) => {
      const { query, caller } = request
      const { state, purpose, phonenumber, collection_request, bill_purchase, payment } = query
      const page = readPage(query, orderings)
      const { limit, offset, ordering } = page
      const wanted = {
        organization: caller.organization,
        ...(state && { state }),
        ...(purpose && { purpose }),
        ...(phonenumber !== undefined && { phonenumber }),
        ...(collection_request !== undefined && { collection_requests: [collection_request] }),
        ...(bill_purchase !== undefined && { bill_purchases: [bill_purchase] }),
        ...(payment !== undefined && { payment }),
      }
      // SMS get their ids in the order of their times, so every order follows the ids.
      const slice = { limit, offset, descending: ordering.descending }
      const list = await app.reads.snapshot((tx) => pageOfSms(tx, wanted, slice, suffix))
      return answerPage(app, request, page, { ...list, rows: list.rows.map((sms) => hideGoods(sms, caller)) })
    },
  })

  server.get('/api/sms/:id', {
    config: { permission: 'view' },
    schema: {
      tags: ['SMS'],
      operationId: 'getSms',
      summary: 'Get one SMS',
      description:
        'Returns the SMS with its text and its state. Digits of a bought token are hidden from keys without `pay_bills`.',
      params: idParams,
      response: { 200: SmsView },
    },
    handler: async (request) => {
      const [sms] = await app.reads.read((db) => listSms(db, { id: request.params.id }, 1, suffix))
      return hideGoods(requireOwned(request.caller.organization, sms), request.caller)
    },
  })
}

/** Hide the token of a meter from users who may not buy one, because anyone can use it. */
function hideGoods(sms: SmsMessage, { permissions }: { permissions: ReadonlySet<Permission> }): SmsMessage {
  const may_see = sms.purpose !== 'goods' || permissions.has('pay_bills')
  return may_see ? sms : { ...sms, body: sms.body.replace(/\d/g, '*') }
}
