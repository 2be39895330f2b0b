import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { displayAmount } from '../../lib/money.ts'
import { type ActionContext, type ActionEntry, action, manyAction, requireOwn } from '../access/action.ts'
import { decisionAction } from '../approvals/decisions.ts'
import { integer, requiredText } from '../fields.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { purchaseApproval } from './approvals.ts'
import {
  type Approval,
  approveDifference,
  type BillConnection,
  type Difference,
  getDifference,
  ownBillConnections,
  rejectDifference,
} from './differences.ts'
import {
  addOffer,
  changeOffer,
  findOffered,
  type NewOffer,
  nameOfOffer,
  type Offer,
  type OfferChange,
  removeOffer,
} from './offers.ts'
import {
  awaitsApproval,
  createPurchases,
  findPurchasesById,
  type NewPurchase,
  type Purchase,
  referenceKey,
} from './purchases.ts'
import { sendTokenNow } from './token-sms.ts'
import { checkPurchaseNow } from './vends/attempts.ts'

declare module '../access/action.ts' {
  interface ActionService {
    billConnections(): BillConnection[]
  }
}

const ofPurchase = {
  object_type: 'purchase',
  wakes: true,
  audit: ({ id: object, organization }: Purchase): ActionEntry => ({ object, organization }),
} as const
const input = z.object({ id: integer() })

/** Parts of the commands by which a member decides. */
const command = {
  typed: { id: ['<id>', 'as `bills list` shows it'] },
  view: ({ id, status, approvals, approvals_required }: Purchase) => ({ id, status, approvals, approvals_required }),
} as const

/** Parts of the decisions. */
const ofDecision = {
  object_type: 'purchase',
  audit: ofPurchase.audit,
  context: (context: ActionContext) => context,
} as const

/** State of a purchase after a decision: whether it waits for more persons. It hides the goods. */
const decided = {
  answer: z.object({ id: z.int(), waits: z.boolean() }),
  view: (purchase: Purchase) => ({ id: purchase.id, waits: awaitsApproval(purchase) }),
}

/** Buy something for a customer. The result is the id of the purchase, which a job brings to its end. */
export const buyBillAction = manyAction({
  name: 'buy bill',
  object_type: 'purchase',
  permission: 'pay_bills',
  /** The purchase with its price and its provider, which the door has found. */
  input: z.object({ purchase: z.custom<NewPurchase>() }),
  runMany: (tx, now, calls) =>
    createPurchases(
      tx,
      now,
      calls.map(({ context: { claim }, input: { purchase } }) => ({ ...purchase, claim })),
    ),
  namesOf: ({ purchase }) => [referenceKey(purchase)],
  frequent: true,
  audit: (object) => ({ object }),
  wakes: 'purchase_created',
  creates: { type: 'billpayment', id: (id) => id },
})

/** Approve a purchase that waits for a second person. It is bought once it has enough approvals. */
export const approvePurchaseAction = decisionAction(purchaseApproval, 'approve', {
  ...ofDecision,
  input,
  console: { method: 'POST', path: '/purchases/:id/approve', ...decided },
  cli: {
    ...command,
    path: 'bills approve',
    description: 'approve a purchase that waits for a second person, and buy it',
    text: (purchase) => decisionCommandText(purchase, 'approved, and is bought next'),
  },
})

export const rejectPurchaseAction = decisionAction(purchaseApproval, 'reject', {
  ...ofDecision,
  events: ['billpayment.status.changed'],
  input: input.extend({ reason: requiredText(500) }),
  console: { method: 'POST', path: '/purchases/:id/reject', ...decided },
  cli: {
    ...command,
    path: 'bills reject',
    description: 'reject a purchase that waits for a second person, and release its money',
    typed: { ...command.typed, reason: ['--reason <text>', 'the reason, for the person who made the purchase'] },
    text: (purchase) => decisionCommandText(purchase, purchase.status),
  },
})

/** Ask the biller about an open purchase before its next requery is due. */
export const requeryPurchaseAction = action({
  ...ofPurchase,
  name: 'requery purchase',
  permission: 'pay_bills',
  input,
  async run(tx, context, { id }) {
    const purchase = await readPurchase(tx, context, id)
    const { status } = purchase
    if (!(await checkPurchaseNow(tx, context.now, id)))
      throw new Invalid({
        status: [
          status === 'pending' ? getMessage('bills.waits_for_approval') : getMessage('bills.settled', { status }),
        ],
      })
    return purchase
  },
  console: { method: 'POST', path: '/purchases/:id/requery' },
})

const ofDifferences = { permission: 'manage_organization', audit: differenceEntries } as const
/** Id of a difference, or ids of several, of which all are decided or none. */
const differences = z.object({ id: z.union([integer(), z.array(integer())]) })
/** Parts of the commands that decide about differences. */
const differencesCommand = {
  typed: { id: ['<id...>', 'as `bills differences list` shows them'] },
  text: (decided: Difference[]) =>
    decided.map(({ id, kind, name, state }) => `Difference ${id} (${kind}, ${name}) is ${state}.`).join('\n'),
} as const

/** Apply differences between a provider's catalogue and our offers. */
export const approveDifferencesAction = action({
  ...ofDifferences,
  name: 'approve bill difference',
  input: differences.extend({ approval: z.custom<Approval>().optional() }),
  run: (tx, context, { id, approval }) =>
    decideEach(tx, context, id, (one, by) => approveDifference(tx, context.now, one, by, approval)),
  cli: {
    ...differencesCommand,
    path: 'bills differences approve',
    description: 'apply differences to our offers',
  },
})

/** Dismiss differences. Our offers stay as they are, and the same difference does not return. */
export const rejectDifferencesAction = action({
  ...ofDifferences,
  name: 'reject bill difference',
  input: differences,
  run: (tx, context, { id }) => decideEach(tx, context, id, (one, by) => rejectDifference(tx, context.now, one, by)),
  console: { method: 'POST', path: '/bill-differences/:id/reject' },
  cli: {
    ...differencesCommand,
    path: 'bills differences reject',
    description: 'dismiss differences; our offers stay as they are, and the same difference does not return',
  },
})

/** Persons decide about their own connections and, in the only organization, about the operator's. */
async function decideEach(
  tx: Tx,
  { actor, service }: ActionContext,
  ids: number | number[],
  work: (id: number, by: string) => Promise<Difference>,
): Promise<Difference[]> {
  const { organization, name } = actor
  const own = organization === null ? undefined : await ownBillConnections(tx, service.billConnections(), organization)
  const decided: Difference[] = []
  for (const id of [ids].flat()) {
    const { connection } = await getDifference(tx, id)
    if (own && !own.includes(connection))
      throw new NotFound(getMessage('reconciliation.no_difference', { finding: id }))
    decided.push(await work(id, name))
  }
  return decided
}

function differenceEntries(decided: Difference[]): ActionEntry[] {
  return decided.map(({ id, connection, kind, name, remote_service, remote_product }) => ({
    organization: null,
    details: { difference: id, connection, kind, name, remote_service, remote_product },
  }))
}

function decisionCommandText(purchase: Purchase, end: string): string {
  const { id, approvals, approvals_required } = purchase
  return `Purchase ${id} ${awaitsApproval(purchase) ? `has ${approvals} of ${approvals_required} approvals` : `is ${end}`}.`
}

/** @throws NotFound, Forbidden */
async function readPurchase(tx: Tx, context: ActionContext, purchase: number): Promise<Purchase> {
  const found = (await findPurchasesById(tx, [purchase])).get(purchase)
  return requireOwn(context, found, getMessage('bills.no_purchase', { purchase }))
}

/** Send the token of a prepaid purchase to the phone of its customer once more. */
export const sendTokenAction = action({
  name: 'send token',
  object_type: 'purchase',
  permission: 'pay_bills',
  input: z.object({ id: integer() }),
  async run(tx, context, { id }) {
    await readPurchase(tx, context, id)
    await sendTokenNow(tx, context.now, id)
  },
  audit: (_, { id: object }) => ({ object }),
  wakes: true,
})

/* Offers: what connections sell, under which names and at which cost. */

const ofOffers = { permission: 'operator', audit: offerEntry } as const

export const addOfferAction = action({
  ...ofOffers,
  name: 'add bill offer',
  input: z.object({
    offered: z.custom<Parameters<typeof findOffered>[1]>(),
    offer: z.custom<Omit<NewOffer, 'service' | 'product'>>(),
  }),
  async run(tx, { now }, { offered, offer }) {
    const { service, product } = await findOffered(tx, offered)
    return addOffer(tx, now, { service, product, ...offer })
  },
})

export const changeOfferAction = action({
  ...ofOffers,
  name: 'change bill offer',
  input: z.object({ id: integer(), change: z.custom<OfferChange>() }),
  run: (tx, { now }, { id, change }) => changeOffer(tx, now, id, change),
})

export const removeOfferAction = action({
  ...ofOffers,
  name: 'remove bill offer',
  input: z.object({ id: integer({ min: 1 }) }),
  run: (tx, _, { id }) => removeOffer(tx, id),
  cli: {
    path: 'bills offers remove',
    description: 'remove an offer; purchases that were made with it go on',
    typed: { id: ['<id>', 'as `bills offers list` shows it'] },
    text: (offer) => `Removed the offer of ${nameOfOffer(offer)}.`,
  },
})

function offerEntry(offer: Offer): ActionEntry {
  const { id, connection, remote_service, remote_product, commission_percent, priority, enabled } = offer
  const price = offer.price === null ? null : displayAmount(offer.price)
  const terms = { remote_service, remote_product, commission_percent, priority, enabled, price }
  return { organization: null, details: { offer: id, what: nameOfOffer(offer), connection, ...terms } }
}
