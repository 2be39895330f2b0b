import { z } from 'zod'
import type { Tx } from '../../../db/client.ts'
import { displayAmount } from '../../../lib/money.ts'
import { type ActionContext, type ActionEntry, action, organizationOf, userOf } from '../../access/action.ts'
import { decisionAction } from '../../approvals/decisions.ts'
import { booleanField, integer, optional, requiredText } from '../../fields.ts'
import type { Invalid } from '../../refusals.ts'
import { type DecidedFile, fileApproval } from './approval.ts'
import type { ChoosePayoutNetwork } from './check.ts'
import type { PaymentRows } from './columns.ts'
import {
  type BulkPaymentRow,
  createDraft,
  decideRows,
  deleteDraft,
  lockBulkPayment,
  readFailedRows,
  recheckDraft,
  requireEditable,
} from './drafts.ts'
import { requestNames } from './names.ts'
import { readBulkPayment } from './read.ts'
import { reviewBulkPayment } from './review.ts'
import { BulkPaymentDetail, decisions } from './row.ts'
import { checkStart, startBulkPayment } from './start.ts'

declare module '../../access/action.ts' {
  interface ActionService {
    choosePayoutNetwork: ChoosePayoutNetwork
  }
}

const PATH = '/bulk-payments/:id'
const ofFile = { object_type: 'bulkpayment', permission: 'initiate_payments' } as const
const input = z.object({ id: integer() })

/** Store a file as a draft, with the problems of its rows: a new file, or the rows of another one that failed. */
export const uploadBulkPaymentAction = action({
  ...ofFile,
  name: 'upload bulk payment',
  input: z.object({
    file: z.custom<PaymentRows>().optional(),
    description: requiredText(500).optional(),
    account: optional(integer({ min: 1 })),
    send_sms_message: optional(booleanField),
    /** File whose failed rows are tried again. */
    retry_of: integer().optional(),
  }),
  async run(tx, context, { retry_of, account = null, send_sms_message = false, description = '', file }) {
    const draft = { description, account, send_sms_message, ...ownerOf(context) }
    const source = retry_of === undefined ? undefined : await lock(tx, context, retry_of)
    const rows = source ? await readFailedRows(tx, source) : file!
    const stored = source
      ? {
          description: source.description,
          account: source.account,
          send_sms_message: source.send_sms_message,
          retry_of,
        }
      : {}
    const choose = context.service.choosePayoutNetwork
    const id = await createDraft(tx, context.now, { ...draft, ...stored, file: rows }, choose)
    return { rows, detail: await readBulkPayment(tx, draft.organization, id) }
  },
  audit: ({ rows, detail }, { retry_of }) => ({
    object: detail.id,
    details: { rows: rows.rows.length, sha256: rows.digest, ...(retry_of !== undefined && { retry_of }) },
  }),
  creates: { type: 'bulkpayment', id: ({ detail }) => detail.id },
})

export const decideRowsAction = action({
  ...ofFile,
  name: 'decide rows of bulk payment',
  input: input.extend({
    rows: z.union([z.array(z.int()).max(1_000), z.enum(['warned', 'wrong'])]),
    decision: z.enum(decisions).nullable(),
  }),
  run: async (tx, context, { id, ...decided }) => ({
    changed: await decideRows(tx, await lock(tx, context, id), decided),
  }),
  audit({ changed }, { id: object, rows, decision }) {
    const which = typeof rows === 'string' ? rows : rows.slice(0, 20).map(String)
    return { object, details: { rows: which, changed, decision } }
  },
  console: { method: 'POST', path: `${PATH}/rows`, answer: z.object({ changed: z.int() }) },
})

export const deleteBulkPaymentAction = action({
  ...ofFile,
  name: 'delete bulk payment',
  input,
  async run(tx, context, { id }) {
    const draft = await lock(tx, context, id)
    await deleteDraft(tx, draft)
  },
  audit: (_, { id: object }) => ({ object }),
  console: { method: 'DELETE', path: PATH },
})

/** Check the rows of a draft again: connections, limits and recent payments may have changed. */
export const checkBulkPaymentAction = action({
  ...ofFile,
  name: 'check bulk payment',
  input,
  async run(tx, context, { id }) {
    const draft = await lock(tx, context, id)
    requireEditable(draft)
    await recheckDraft(tx, context.now, draft, context.service.choosePayoutNetwork)
    return readBulkPayment(tx, draft.organization, id)
  },
  audit: () => undefined,
  console: { method: 'POST', path: `${PATH}/check`, answer: BulkPaymentDetail },
})

/** Show what the start of a file would do, after a check of its rows. */
export const reviewBulkPaymentAction = action({
  ...ofFile,
  name: 'review bulk payment',
  input,
  async run(tx, context, { id }) {
    const draft = await lock(tx, context, id)
    requireEditable(draft)
    const refusal = await checkStart(tx, context.now, draft, context.service.choosePayoutNetwork)
    return refusal ? { refusal } : reviewBulkPayment(tx, context.now, draft, userOf(context))
  },
  audit: () => undefined,
})

/** Ask networks for the names of a part of the rows: those after a number. @returns the last of them; null at the end */
export const requestNamesAction = action({
  ...ofFile,
  name: 'check names of bulk payment',
  events: ['contact.created'],
  input: input.extend({ after: z.int() }),
  run: async (tx, context, { id, after }) =>
    requestNames(tx, context.now, await lock(tx, context, id), { author: userOf(context), after }),
  audit: () => undefined,
  wakes: true,
})

/** Start the payments of a file. A refusal about its rows commits, so that the page shows the results of the check. */
export const startBulkPaymentAction = action({
  ...ofFile,
  name: 'start bulk payment',
  input: input.extend({ reviewError: z.custom<(digest: string) => Invalid | undefined>().optional() }),
  async run(tx, context, { id: bulk_payment, ...review }) {
    const organization = organizationOf(context)
    const start = { organization, bulk_payment, user: userOf(context), ...review }
    const result = await startBulkPayment(tx, context.now, start, context.service.choosePayoutNetwork)
    return { ...result, detail: await readBulkPayment(tx, organization, bulk_payment) }
  },
  audit: ({ started, detail }) => (started ? { object: detail.id, details: { funds: fundsOf(detail) } } : undefined),
  wakes: true,
})

/** Store and start a file at once, so that a refusal leaves nothing behind. */
export const importBulkPaymentAction = action({
  ...ofFile,
  permission: 'operator',
  name: 'import bulk payment',
  input: z.object({
    file: z.custom<PaymentRows>(),
    description: z.string(),
    account: z.int().nullable(),
    send_sms_message: z.boolean(),
    /** Decisions about the rows that cannot be paid, and about those that may be paid twice. */
    skips_wrong: z.boolean(),
    pays_twice: z.boolean(),
  }),
  async run(tx, context, { skips_wrong, pays_twice, ...draft }) {
    const { organization, author: user } = ownerOf(context)
    const { now, service } = context
    const id = await createDraft(tx, now, { ...draft, organization, author: user }, service.choosePayoutNetwork)
    const locked = await lock(tx, context, id)
    if (skips_wrong) await decideRows(tx, locked, { rows: 'wrong', decision: 'skip' })
    if (pays_twice) await decideRows(tx, locked, { rows: 'warned', decision: 'pay' })
    const start = { organization, bulk_payment: id, user }
    const { refusal } = await startBulkPayment(tx, now, start, service.choosePayoutNetwork)
    if (refusal) throw refusal
    return readBulkPayment(tx, organization, id)
  },
  audit: ({ id: object }, { file }) => ({
    action: 'start bulk payment',
    object,
    details: { rows: file.rows.length, sha256: file.digest },
  }),
  wakes: true,
})

const decided = { object_type: 'bulkpayment', context: (context: ActionContext) => context } as const

/** Return the entry of the file, and one of each payment. */
function decisionEntries({ payments, detail }: DecidedFile, action: string) {
  const each = payments.map((object): ActionEntry => ({ action, object, object_type: 'payment' }))
  return [{ object: detail.id, details: { payments: payments.length } }, ...each]
}

const answer = { answer: BulkPaymentDetail, view: ({ detail }: DecidedFile) => detail }

/** Approve all payments of a file that wait for a second person. */
export const approveBulkPaymentAction = decisionAction(fileApproval, 'approve', {
  ...decided,
  events: ['payment.status.changed'],
  input,
  audit: (decision) => decisionEntries(decision, 'approve payment'),
  console: { method: 'POST', path: `${PATH}/approve`, ...answer },
})

export const rejectBulkPaymentAction = decisionAction(fileApproval, 'reject', {
  ...decided,
  events: ['payment.status.changed'],
  input: input.extend({ reason: requiredText(500) }),
  audit: (decision) => decisionEntries(decision, 'reject payment'),
  console: { method: 'POST', path: `${PATH}/reject`, ...answer },
})

function ownerOf(context: ActionContext) {
  return { organization: organizationOf(context), author: userOf(context) }
}

function lock(tx: Tx, context: ActionContext, id: number): Promise<BulkPaymentRow> {
  return lockBulkPayment(tx, organizationOf(context), id)
}

function fundsOf({ funds }: BulkPaymentDetail): string[] {
  return funds.map(({ currency, needed }) => `${currency} ${displayAmount(needed)}`)
}
