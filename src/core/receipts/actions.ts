import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type ActionContext, action, authorOf, organizationOf, requireOwn } from '../access/action.ts'
import { type Collection, collectionsById } from '../collections/collections.ts'
import { requestsById } from '../collections/requests.ts'
import { documented, integer, optional } from '../fields.ts'
import { Invalid } from '../refusals.ts'
import { sendFields } from '../sms/document-sends.ts'
import { issueReceipt } from './issue.ts'
import { Receipt } from './receipt.ts'
import { readReceipts, receiptsById } from './receipts.ts'
import { chooseSend, sendReceipts } from './sending.ts'
import { ReceiptSettings, readReceiptSettings, setReceiptSettings } from './settings.ts'

/** Choose which receipts are made and sent automatically. */
export const setReceiptSettingsAction = action({
  name: 'change receipt settings',
  object_type: 'organization',
  permission: 'manage_organization',
  input: ReceiptSettings,
  async run(tx, context, input) {
    const organization = organizationOf(context)
    const before = await readReceiptSettings(tx, organization)
    return { organization, before, settings: await setReceiptSettings(tx, context.now, organization, input) }
  },
  audit: ({ organization, before, settings }) =>
    JSON.stringify(before) === JSON.stringify(settings) ? undefined : { object: organization, details: settings },
  console: {
    method: 'PUT',
    path: '/receipts/settings',
    answer: ReceiptSettings,
    view: ({ settings }) => settings,
  },
  cli: {
    path: 'receipts automatic',
    description: 'issue and send a receipt for every payment; without options it only shows the settings',
    organization: 'one',
    text: ({ settings }, { organization }) => settingsCommandText(organization, settings),
    view: ({ organization, settings }) => ({ organization, ...settings }),
  },
})

declare module '../access/action.ts' {
  interface ActionService {
    /** True if the service has a mail server. */
    has_mail: boolean
  }
}

const ofReceipt = { object_type: 'receipt', permission: 'initiate_collections' } as const

/** Issue the receipt of a payment, or of the payment of a request. It returns an existing one. */
export const issueReceiptAction = action({
  ...ofReceipt,
  name: 'issue receipt',
  input: z.object({
    collection: optional(documented(integer({ min: 1 }), 'The payment.', 12)),
    collection_request: optional(documented(integer({ min: 1 }), 'Or the request that it fulfilled.', 17)),
  }),
  async run(tx, context, { collection, collection_request }) {
    if ((collection === undefined) === (collection_request === undefined))
      throw new Invalid({ collection: [getMessage('receipts.one_of')] })
    const paid = collection ?? (await findPayment(tx, context, collection_request!))
    const id = await issueReceipt(tx, context.now, await readOwn(tx, context, paid))
    return readReceipt(tx, context, id)
  },
  audit: ({ id, organization }) => ({ object: id, organization }),
  api: {
    tag: 'Receipts',
    method: 'POST',
    path: '/receipts',
    operation: 'issueReceipt',
    summary: 'Issue the receipt of a payment, or get the existing one',
    description:
      'Creates the receipt of a payment that arrived, with a number and a page. Name the collection, or its request. A second call returns the same receipt.',
    body: { id: 'NewReceipt', examples: [{ collection: 12 }] },
    answer: Receipt,
    status: 201,
  },
  cli: {
    path: 'receipts issue',
    description: 'issue the receipt of a payment, or show the existing one',
    typed: { collection: ['<collection>', 'as `collections list` shows it'] },
    text: ({ number, url }) => `Receipt ${number}: ${url}`,
  },
})

/** Issue the receipt of a payment whose customer looks at its page, unless the money was taken back. @returns its code */
export const showReceiptAction = action({
  permission: 'anyone',
  name: 'show receipt',
  input: z.object({ collection: z.int() }),
  async run(tx, { now }, { collection }) {
    const payment = (await collectionsById(tx, [collection])).get(collection)
    if (payment?.status !== 'successful') return undefined
    const [receipt] = await readReceipts(tx, [await issueReceipt(tx, now, payment)])
    return receipt!.code
  },
  audit: () => undefined,
})

/** Send a receipt by SMS or e-mail. */
export const sendReceiptAction = action({
  ...ofReceipt,
  name: 'send receipt',
  input: z.object({ id: integer(), ...sendFields('the phone that paid') }),
  async run(tx, context, { id, ...body }) {
    const { now, service } = context
    const [found] = await readReceipts(tx, [id])
    const row = requireOwn(context, found, getMessage('receipts.none', { id }))
    const { language } = await readReceiptSettings(tx, row.organization)
    const options = { language, base_url: service.base_url, has_mail: service.has_mail }
    const send = chooseSend(row, body, options)
    await sendReceipts(tx, now, [send], options, authorOf(context))
    return { receipt: await readReceipt(tx, context, id), channel: send.channel, recipient: send.recipient }
  },
  audit: ({ receipt: { id, organization }, channel }) => ({ object: id, organization, details: { channel } }),
  creates: { type: 'receipt', id: ({ receipt }) => receipt.id },
  wakes: true,
  api: {
    tag: 'Receipts',
    method: 'POST',
    path: '/receipts/:id/send',
    operation: 'sendReceipt',
    summary: 'Send a receipt by SMS or e-mail',
    description: 'Sends its address to the phone that paid, or to the phone or e-mail address in the body.',
    body: { id: 'NewReceiptSend', examples: [{ channel: 'sms' }] },
    answer: Receipt,
    view: ({ receipt }) => receipt,
  },
  cli: {
    path: 'receipts send',
    description: 'send a receipt to the phone that paid, or by e-mail',
    typed: { id: ['<id>', 'as `receipts list` shows it'] },
    text: ({ receipt, recipient }) => `Receipt ${receipt.number} goes to ${recipient}. The running service sends it.`,
    view: ({ receipt: { id, number }, channel, recipient }) => ({ id, number, channel, recipient }),
  },
})

function settingsCommandText(name: string, { every_payment, sms, email, language }: ReceiptSettings): string {
  if (!every_payment) return `${name} makes a receipt when one is asked for.`
  const ways = [...(sms ? ['by SMS'] : []), ...(email ? ['by e-mail'] : [])].join(' and ')
  return `${name} makes a receipt for every payment${ways && `, and sends it ${ways} (${language})`}.`
}

async function readReceipt(tx: Tx, { service }: ActionContext, id: number) {
  return (await receiptsById(tx, [id], service.base_url)).get(id)!
}

async function readOwn(tx: Tx, context: ActionContext, id: number): Promise<Collection> {
  return requireOwn(context, (await collectionsById(tx, [id])).get(id), getMessage('collections.none', { id }))
}

/** Return the payment of a request. @throws NotFound, Forbidden, Invalid if there is none */
async function findPayment(tx: Tx, context: ActionContext, id: number): Promise<number> {
  const found = (await requestsById(tx, [id])).get(id)
  const { collection, status } = requireOwn(context, found, getMessage('requests.none', { id }))
  if (collection === null)
    throw new Invalid({ collection_request: [getMessage('receipts.request_receipt_made', { status })] })
  return collection
}
