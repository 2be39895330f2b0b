import type { Effect } from '../../db/unit-of-work.ts'
import { displayAmount } from '../../lib/money.ts'
import { type NewSmsMessage, queueSms } from '../sms/outbox.ts'
import type { PaymentRow, RecipientRow } from './payments.ts'

/** Recipients whose money has arrived. They get an SMS, at most one, also when the money comes back and is sent after all. */
export const recipientSms: Effect<{ payment: PaymentRow; recipient: RecipientRow }> = {
  async write(tx, now, paid) {
    const ids = new Set(paid.map(({ recipient }) => recipient.organization))
    const organizations = await tx<{ id: number; name: string }[]>`
      select id, name from organizations where id = any(${[...ids]}::bigint[])`
    const names = new Map(organizations.map(({ id, name }) => [id, name]))
    const messages = paid.map(({ payment, recipient }): NewSmsMessage => {
      const { id: payment_recipient, organization, phonenumber } = recipient
      const body = buildRecipientText(payment, recipient, names.get(organization)!)
      return { organization, payment_recipient, purpose: 'success', phonenumber, body }
    })
    await queueSms(tx, now, messages)
  },
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
