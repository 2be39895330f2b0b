import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Phone } from '../../lib/phone.ts'
import {
  type ActionContext,
  type ActionEntry,
  action,
  authorOf,
  makerOf,
  organizationOf,
  requireOwn,
} from '../access/action.ts'
import { readPlaceOf } from '../access/places.ts'
import { beginBatch, type NewBatch } from '../batches/batches.ts'
import { booleanField, documented, integer, optional, phonenumber, positiveAmount, text } from '../fields.ts'
import { currencyCountries } from '../ledger/currencies.ts'
import { Invalid } from '../refusals.ts'
import { sendFields } from '../sms/document-sends.ts'
import type { PlannedInvoice } from './batches/batch.ts'
import { makeNextInvoices } from './batches/batches.ts'
import { collectInvoice } from './collecting.ts'
import { changeStoredDraft, createDraft, deleteDraft } from './drafts.ts'
import { Invoice, type InvoiceRow } from './invoice.ts'
import { invoicesById } from './invoices.ts'
import { issueInvoice } from './issuing.ts'
import { actOnInvoices, type LeftOut, type ManyAction } from './many.ts'
import { changeDraft, invoiceChanges, newInvoiceBody, readCustomer, toDraft } from './new-invoice.ts'
import type { ChooseNetwork } from './requests.ts'
import { sendInvoice } from './sending.ts'
import { lockSettled, voidInvoice } from './states.ts'

declare module '../access/action.ts' {
  interface ActionService {
    chooseInvoiceNetwork: ChooseNetwork
    /** Return the name of the network that serves a phone in a currency; null if none does. */
    networkOfMoney(order: { organization: number; currency: string; phonenumber: string }): string | null
  }
}

const permission = 'initiate_collections'
const CURRENCIES = Object.keys(currencyCountries)

type Acted = Awaited<ReturnType<typeof read>>

/** Members that actions on an invoice share. Their results have the invoice as it is afterwards. */
const ofDraft = {
  object_type: 'invoice',
  permission,
  audit: ({ invoice: { id, organization }, details }: Acted): ActionEntry => ({ object: id, organization, details }),
  wakes: true,
} as const

const resource = { tag: 'Invoices', answer: Invoice, view: ({ invoice }: Acted) => invoice } as const

/** Members of actions that must not happen twice: they make an invoice, or cause something outside. */
const ofInvoice = { ...ofDraft, creates: { type: 'invoice', id: ({ invoice }: Acted) => invoice.id } } as const

/** Create a draft, and issue it if a person wants both at once. */
export const createInvoiceAction = action({
  ...ofInvoice,
  name: 'create invoice',
  input: newInvoiceBody(CURRENCIES).extend({ issue: booleanField.optional() }),
  async run(tx, context, { issue, ...body }) {
    const organization = organizationOf(context)
    const { now } = context
    const customer = readCustomer(body)
    if (!customer) throw new Invalid({ contact: [getMessage('invoices.give_customer')] })
    const { time_zone } = await readPlaceOf(tx, organization)
    const draft = { ...toDraft(body, { now, time_zone }), customer }
    const author = { organization, user: await makerOf(tx, context, organization) }
    const id = await createDraft(tx, now, author, draft, naming(context, organization, draft.currency))
    if (issue) await issueInvoice(tx, id, optionsOf(context))
    return read(tx, context, id)
  },
  audit(acted, { issue }) {
    const entry = ofInvoice.audit(acted)
    return issue ? [entry, { ...entry, action: 'issue invoice' }] : entry
  },
  api: {
    ...resource,
    method: 'POST',
    path: '/invoices',
    operation: 'createInvoice',
    summary: 'Create a draft invoice',
    description:
      'Stores a draft without a number and without a page. It can be changed and deleted until it is issued.',
    body: newInvoiceBody,
    status: 201,
  },
})

/** Change a draft. Missing members stay. */
export const changeInvoiceAction = action({
  ...ofDraft,
  name: 'change invoice',
  input: invoiceChanges(CURRENCIES).extend({ id: integer() }),
  run: (tx, context, { id, ...body }) =>
    act(tx, context, id, async ({ now }, { invoice: { organization, currency } }) => {
      const customer = readCustomer(body)
      const author = { organization, user: await makerOf(tx, context, organization) }
      const change = (draft: InvoiceRow) => {
        const { time_zone } = draft
        return { ...changeDraft(draft, body, { now, time_zone }), customer }
      }
      await changeStoredDraft(tx, now, id, author, change, naming(context, organization, body.currency ?? currency))
    }),
  api: {
    ...resource,
    method: 'PATCH',
    path: '/invoices/:id',
    operation: 'changeInvoice',
    summary: 'Change a draft',
    description: 'Changes the fields that the body has. An issued invoice cannot be changed.',
    body: invoiceChanges,
  },
})

export const deleteInvoiceAction = action({
  ...ofDraft,
  name: 'delete invoice',
  input: z.object({ id: integer() }),
  async run(tx, context, { id }) {
    const draft = await read(tx, context, id)
    await deleteDraft(tx, id)
    return draft
  },
  api: {
    ...resource,
    method: 'DELETE',
    path: '/invoices/:id',
    operation: 'deleteInvoice',
    summary: 'Delete a draft, and return it',
    description: 'Deletes the draft and returns it. An issued invoice cannot be deleted; void it.',
  },
})

/** Issue a draft. It gets its number. */
export const issueInvoiceAction = action({
  ...ofInvoice,
  name: 'issue invoice',
  events: ['invoice.issued'],
  input: z.object({ id: integer() }),
  run: (tx, context, { id }) => act(tx, context, id, (options) => issueInvoice(tx, id, options)),
  api: {
    ...resource,
    method: 'POST',
    path: '/invoices/:id/issue',
    operation: 'issueInvoice',
    summary: 'Issue a draft; it gets its number and can no longer be changed',
    description: 'Gives the draft its number and its page. Credit of the customer pays it at once.',
  },
})

/** Void an issued invoice. It keeps its number. */
export const voidInvoiceAction = action({
  ...ofInvoice,
  name: 'void invoice',
  events: ['invoice.voided'],
  input: z.object({
    id: integer(),
    reason: optional(documented(text(200), 'Reason in your own words, kept on record.', 'Wrong price')),
  }),
  run: (tx, context, { id, reason = '' }) =>
    act(tx, context, id, (options) => voidInvoice(tx, id, { ...options, reason: reason.trim() })),
  api: {
    ...resource,
    method: 'POST',
    path: '/invoices/:id/void',
    operation: 'voidInvoice',
    summary: 'Void an issued invoice; it keeps its number',
    description:
      'Ends the invoice. It is refused while a request may still be paid, and when money arrived that is not refunded.',
    body: { id: 'NewInvoiceVoid' },
  },
})

/** Send an issued invoice by SMS or e-mail. */
export const sendInvoiceAction = action({
  ...ofInvoice,
  name: 'send invoice',
  input: z.object({ id: integer(), ...sendFields('the phone of the customer') }),
  run: (tx, context, { id, ...body }) =>
    act(tx, context, id, async (options, { details }) => {
      const { has_mail } = context.service
      const { channel } = await sendInvoice(tx, await lockSettled(tx, id, options), body, { ...options, has_mail })
      details.channel = channel
    }),
  api: {
    ...resource,
    method: 'POST',
    path: '/invoices/:id/send',
    operation: 'sendInvoice',
    summary: 'Send an issued invoice by SMS or e-mail',
    description: 'Sends its page to the customer, or to the phone or e-mail address in the body.',
    body: { id: 'NewInvoiceSend', examples: [{ channel: 'sms' }] },
  },
  cli: {
    path: 'invoices send',
    description: 'send an issued invoice to the phone of the customer, or by e-mail',
    typed: { id: ['<id>', 'as `invoices list` shows it'] },
    text: ({ invoice }) => `Invoice ${invoice.number} is on its way. The running service sends it.`,
    view: ({ invoice: { id, number, state, url } }) => ({ id, number, state, url }),
  },
})

/** Request the open amount, or a part of it, with a prompt. */
export const collectInvoiceAction = action({
  ...ofInvoice,
  name: 'collect invoice',
  input: z.object({
    id: integer(),
    amount: optional(documented(positiveAmount, 'At most what is open. Default: all of it.', '500')),
    phonenumber: optional(phonenumber.meta({ description: 'Who is asked. Default: the customer.' })),
  }),
  run: (tx, context, { id, amount, phonenumber: phone }) =>
    act(tx, context, id, async (options, { invoice: { organization }, details }) => {
      const author = await makerOf(tx, context, organization)
      const { chooseInvoiceNetwork: chooseNetwork } = context.service
      const made = await collectInvoice(tx, id, { ...options, chooseNetwork, author, amount, phone })
      details.collectionrequest = made.id
    }),
  api: {
    ...resource,
    method: 'POST',
    path: '/invoices/:id/collect',
    operation: 'collectInvoice',
    summary: 'Collect the open amount, or part of it, from the customer now',
    description:
      'Creates a collection request for what is open, or for `amount`. It is refused while another request of the invoice may be paid.',
    body: { id: 'NewInvoiceCollection' },
  },
})

const ofMany = (act: ManyAction) =>
  ({
    permission,
    input: z.object({ ids: z.array(integer()), reason: optional(text(200)) }),
    run: (tx: Tx, context: ActionContext, { ids, reason = '' }: Many) =>
      actOnInvoices(tx, act, ids, { ...optionsOf(context), reason: reason.trim() }),
    audit: (left_out: readonly LeftOut[], { ids, reason }: Many) => ({
      details: { count: ids.length - left_out.length, first: ids[0]!, last: ids.at(-1)!, ...(reason && { reason }) },
    }),
    wakes: true,
  }) as const
type Many = { ids: number[]; reason?: string | undefined }

export const issueInvoicesAction = action({ ...ofMany('issue'), name: 'issue invoices', events: ['invoice.issued'] })
export const remindOfInvoicesAction = action({ ...ofMany('remind'), name: 'remind invoices' })
export const voidInvoicesAction = action({ ...ofMany('void'), name: 'void invoices', events: ['invoice.voided'] })

/** A batch whose organization and author are those of the action. */
export type InvoiceBatchInput = Omit<NewBatch, 'kind' | 'organization' | 'author'>

const ofBatch = {
  permission,
  input: z.object({ batch: z.custom<InvoiceBatchInput>((batch) => typeof batch === 'object') }),
  async run(tx: Tx, context: ActionContext, { batch }: { batch: InvoiceBatchInput }) {
    const organization = organizationOf(context)
    const author = await makerOf(tx, context, organization)
    return beginBatch(tx, context.now, { ...batch, kind: 'invoices', organization, author }, context.claim)
  },
} as const

/** Begin a batch with an invoice for each customer with a tag, or find the one that the same key has begun. */
export const makeTaggedInvoicesAction = action({
  ...ofBatch,
  name: 'make invoices for a tag',
  audit: ({ id, is_new }, { batch: { name: tag, rows: customers, issue } }) =>
    is_new ? { details: { batch: id, tag, customers, issue: String(issue) } } : undefined,
})

/** Begin a batch with an invoice for each row of a file, or find the one that the same key has begun. */
export const makeFileInvoicesAction = action({
  ...ofBatch,
  name: 'make invoices from a file',
  audit: ({ id, is_new }, { batch: { name: file, digest: sha256, rows, refused, issue } }) =>
    is_new ? { details: { batch: id, file, sha256, rows, refused, issue: String(issue) } } : undefined,
})

/** Make the next invoices of a batch. */
export const makeNextInvoicesAction = action({
  permission,
  name: 'continue batch of invoices',
  input: z.object({ id: z.int(), planned: z.custom<readonly PlannedInvoice[]>() }),
  run(tx, context, { id, planned }) {
    const organization = organizationOf(context)
    const networkName = (phone: Phone) => context.service.networkOfContact(organization, phone)
    return makeNextInvoices(tx, { organization, id }, planned, {
      ...optionsOf(context),
      user: context.actor.user,
      networkName,
    })
  },
  audit: () => undefined,
  wakes: true,
})

/** Act on an invoice. @throws NotFound, Forbidden */
async function act(
  tx: Tx,
  context: ActionContext,
  id: number,
  work: (options: Options, acted: Acted) => Promise<void>,
) {
  const before = await read(tx, context, id)
  await work(optionsOf(context), before)
  return { ...(await read(tx, context, id)), details: before.details }
}
type Options = ReturnType<typeof optionsOf>

function optionsOf(context: ActionContext) {
  return { now: context.now, base_url: context.service.base_url, user: authorOf(context) }
}

async function read(tx: Tx, context: ActionContext, id: number) {
  const found = (await invoicesById(tx, [id], optionsOf(context))).get(id)
  const invoice = requireOwn(context, found, getMessage('invoices.none', { id }))
  const details: NonNullable<ActionEntry['details']> = {}
  return { invoice, details }
}

function naming({ service }: ActionContext, organization: number, currency: string) {
  return ({ number: phonenumber }: { number: string }) =>
    service.networkOfMoney({ organization, currency, phonenumber })
}
