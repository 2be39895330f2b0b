import type { Tx } from '../../db/client.ts'
import { displayAmount } from '../../lib/money.ts'
import { type NewSmsMessage, queueSms } from '../sms/outbox.ts'
import type { PaymentRow, RecipientRow } from './payments.ts'
import type { PayoutChange } from './payout-outcomes.ts'

/**
 * Queues the SMS about received money to recipients, in the transaction that records it, for payments with
 * `send_sms_message`. A recipient gets at most one, also when the money comes back and is sent after all.
 * @param payments the payments of the recipients, by id
 */
export async function queueRecipientSms(
  tx: Tx,
  now: Date,
  payments: ReadonlyMap<number, PaymentRow>,
  changes: readonly PayoutChange[],
): Promise<void> {
  const paid = changes.filter(
    ({ before, after }) =>
      before.state !== 'complete' && after.state === 'complete' && payments.get(after.payment)!.send_sms_message,
  )
  if (paid.length === 0) return
  const organizations = await tx<{ id: number; name: string }[]>`
    select id, name from organizations
    where id = any(${[...new Set(paid.map(({ after }) => after.organization))]}::bigint[])`
  const names = new Map(organizations.map(({ id, name }) => [id, name]))
  const messages = paid.map(({ after }): NewSmsMessage => {
    const { id, organization, phonenumber, payment } = after
    const body = buildRecipientText(payments.get(payment)!, after, names.get(organization)!)
    return { organization, payment_recipient: id, purpose: 'success', phonenumber, body }
  })
  await queueSms(tx, now, messages)
}

/** Builds the text for a recipient: the amount that has arrived, its sender, and the network's id of the money. */
export function buildRecipientText(
  { payment_type, currency }: Pick<PaymentRow, 'payment_type' | 'currency'>,
  recipient: Pick<RecipientRow, 'amount' | 'reversed_in_parts' | 'remote_transaction_id'>,
  organization: string,
): string {
  const { amount, reversed_in_parts, remote_transaction_id } = recipient
  const money = `${currency} ${displayAmount(amount - reversed_in_parts)}`
  const what = payment_type === 'airtime' ? `airtime of ${money}` : money
  const reference = remote_transaction_id === null ? '' : ` Reference ${remote_transaction_id}.`
  return `You have received ${what} from ${organization}.${reference}`
}
