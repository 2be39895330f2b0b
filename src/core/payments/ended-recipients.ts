import type { Effect } from '../../db/unit-of-work.ts'
import { listRecipients, openStates, type RecipientRow } from './payments.ts'
import { type PaymentTransition, transitionPayments } from './transitions.ts'

/** A recipient that has ended now, or whose money has moved since. */
interface EndedRecipient extends Omit<PaymentTransition, 'to' | 'note'> {
  recipient: RecipientRow
  /** False if it had ended before. */
  was_open: boolean
}

/**
 * Ends the payments that have no open recipient left. A payment that has ended before changes its state, or keeps it with
 * another error, when money of one of its recipients has moved since.
 */
export const endedRecipients: Effect<EndedRecipient> = {
  async write(tx, now, ended) {
    // Of the recipients of a payment, the last one that has ended.
    const newest = new Map(ended.map((one) => [one.payment.id, one]))
    const all = Map.groupBy(await listRecipients(tx, [...newest.keys()]), ({ payment }) => payment)
    const transitions = [...newest.values()].flatMap(({ recipient, was_open, ...one }): PaymentTransition[] => {
      const recipients = all.get(one.payment.id) ?? []
      if (recipients.some(({ state }) => openStates.includes(state))) return []
      const incomplete = recipients.findLast(isIncomplete)
      // With a recipient that had ended before, the payment had, too.
      const note = (was_open ? incomplete : recipient)?.last_error ?? undefined
      return [{ ...one, to: incomplete ? 'processed_with_errors' : 'processed', note }]
    })
    await transitionPayments(tx, now, transitions)
  },
}

/** True if a recipient that has ended does not have all of the money. */
function isIncomplete({ state, reversed_in_parts }: RecipientRow): boolean {
  return state === 'error' || reversed_in_parts > 0n
}
