import type { Tx } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { type Amount, displayAmount, formatAmount, parseAmount } from '../../../lib/money.ts'
import type { Permission } from '../../access/api-keys.ts'
import { getMember } from '../../access/organizations.ts'
import { readAllocations } from '../../allocations/allocations.ts'
import { matchManually } from '../../collections/actions.ts'
import { findCollectionRow } from '../../collections/collections.ts'
import { requestsById } from '../../collections/requests.ts'
import { invoiceNumber } from '../../invoices/invoice.ts'
import { readInvoices } from '../../invoices/invoices.ts'
import { applyMatch, describePlan, type MatchPlan, planMatch, plannedAmount } from '../../matching/by-hand.ts'
import { readMatchingThreshold, requireMatchingThreshold, setMatchingThreshold } from '../../matching/thresholds.ts'
import { NotFound } from '../../refusals.ts'
import type { ControlContext, Prepare, PreparedChange } from './prepared-change.ts'

/** Manual match by a person, or the amount above which a second manager confirms it. */
export type MatchingRequest =
  | { kind: 'matching_threshold'; currency: string; threshold: Amount | null }
  | {
      kind: 'match'
      collection: number
      /** Empty: the allocation is only taken back. */
      parts: readonly RequestedPart[]
      instead_of?: number | undefined
      note?: string | undefined
    }
  | { kind: 'match_request'; collection: number; collection_request: number }

/** A part with its amount as a text, as it is stored. Without one it is all that is left, or all that an invoice asks for. */
export interface RequestedPart {
  target: MatchPlan['parts'][number]['target']
  amount?: string | undefined
}

type Request<Kind extends MatchingRequest['kind']> = Extract<MatchingRequest, { kind: Kind }>

const permission: Permission = 'initiate_collections'

/** Does the same as `prepareChange`, for money that is matched by hand. @throws NotFound, Invalid */
export function prepareMatching(
  tx: Tx,
  context: ControlContext,
  organization: number,
  request: MatchingRequest,
): Promise<PreparedChange> {
  switch (request.kind) {
    case 'matching_threshold':
      return prepareThreshold(tx, organization, request)
    case 'match':
      return prepareMatch(tx, context, organization, request)
    case 'match_request':
      return prepareMatchWithRequest(tx, organization, request)
  }
}

const prepareThreshold: Prepare<Request<'matching_threshold'>> = async (tx, organization, { currency, threshold }) => {
  await requireMatchingThreshold(tx, { currency, threshold })
  const before = await readMatchingThreshold(tx, organization, currency)
  const describe = (amount: Amount | null) =>
    amount === null ? 'any amount by one person' : `by two persons above ${displayAmount(amount)}`
  return {
    description: `Money in ${currency} is matched by hand: ${describe(threshold)} (before: ${describe(before)}).`,
    before: toText(before),
    is_control: before !== threshold,
    weakens: before !== null && (threshold === null || threshold > before),
    action: { action: 'set matching threshold', details: { currency, threshold: toText(threshold) } },
    apply: (tx) => setMatchingThreshold(tx, organization, { currency, threshold }),
  }
}

/**
 * Prepares a match by hand. `before` fixes the amounts of all parts: the second manager confirms the amounts that the
 * first person saw.
 */
async function prepareMatch(
  tx: Tx,
  { now, base_url }: ControlContext,
  organization: number,
  { collection, parts, instead_of, note }: Request<'match'>,
): Promise<PreparedChange> {
  const options = { now, base_url }
  const read = parts.map(({ target, amount }) => ({
    target,
    amount: amount === undefined ? undefined : parseAmount(amount),
  }))
  const plan = await planMatch(tx, { organization, collection, parts: read, instead_of }, options)
  const { currency, amount } = plan.collection
  const money = `collection ${collection} (${currency} ${displayAmount(amount)})`
  const named = []
  for (const part of plan.parts)
    named.push(`${currency} ${displayAmount(part.amount)} for ${await nameTarget(tx, part.target)}`)
  return {
    ...matchBase(plan.parts.map((part) => formatAmount(part.amount))),
    description:
      named.length === 0
        ? `${currency} ${displayAmount(plannedAmount(plan))} of ${money} becomes unmatched.`
        : `Match ${money}: ${named.join(', ')}${plan.ended ? '; it is for something else now' : ''}.`,
    weakens: await isLarge(tx, organization, currency, plannedAmount(plan) + (await matchedBefore(tx, plan))),
    action: describePlan(plan),
    apply: (tx, { author }) => applyMatch(tx, plan, { author, note }, options),
  }
}

const prepareMatchWithRequest: Prepare<Request<'match_request'>> = async (
  tx,
  organization,
  { collection: id, collection_request },
) => {
  const collection = await findCollectionRow(tx, id)
  const request = (await requestsById(tx, [collection_request])).get(collection_request)
  if (collection?.organization !== organization) throw new NotFound(getMessage('collections.none', { id }))
  if (request?.organization !== organization)
    throw new NotFound(getMessage('requests.no_collection_request', { id: collection_request }))
  const { currency, amount } = collection
  return {
    ...matchBase([formatAmount(amount), formatAmount(request.amount)]),
    description: `Match collection ${id} (${currency} ${displayAmount(amount)}) with collection request ${collection_request} (${request.currency} ${displayAmount(request.amount)}).`,
    weakens: await isLarge(tx, organization, currency, amount),
    action: { action: 'match collection', object_type: 'collection', object: id, details: { collection_request } },
    async apply(tx, { now, author, operator = 'an operator' }) {
      const name = author === null ? operator : (await getMember(tx, organization, author)).name
      await matchManually(tx, now, { collection: id, request: collection_request, by: { user: author, name } })
    },
  }
}

function matchBase(before: string[]) {
  return { before, is_control: false, permission }
}

async function isLarge(tx: Tx, organization: number, currency: string, amount: Amount): Promise<boolean> {
  const threshold = await readMatchingThreshold(tx, organization, currency)
  return threshold !== null && amount > threshold
}

/** Sums the money that persons have matched already: a large sum in several parts is as large. */
async function matchedBefore(tx: Tx, { collection: { id }, parts, ended }: MatchPlan): Promise<Amount> {
  const allocations = parts.length === 0 ? [] : ((await readAllocations(tx, [id])).get(id) ?? [])
  return allocations
    .filter((one) => one.reason === 'person' && one.id !== ended?.id)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/** An object in words that are not about a person: they stay when a contact is erased. */
async function nameTarget(tx: Tx, target: RequestedPart['target']): Promise<string> {
  if ('contact' in target) return `the account of customer ${target.contact}`
  if ('payment_link' in target) return `payment link ${target.payment_link}`
  const [invoice] = await readInvoices(tx, [target.invoice])
  return `invoice ${invoiceNumber(invoice!)}`
}

function toText(amount: Amount | null): string | null {
  return amount === null ? null : formatAmount(amount)
}
