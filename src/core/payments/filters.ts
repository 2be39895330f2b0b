import type { z } from 'zod'
import { sql } from '../../db/sql.ts'
import { type Condition, exactAmount, exactId, exactPhone, exactText } from '../filters.ts'
import { contactHas, createPageQuery, equals, type List, timeConditions, timeFilters } from '../list-query.ts'
import {
  hasAmount,
  hasContactNamed,
  hasId,
  hasPhone,
  hasText,
  hasWholePhone,
  isFoundBy,
  type SearchFilters,
  type TextWays,
} from '../typed-search/list-text.ts'
import type { SearchTerms } from '../typed-search/terms.ts'

/** The filters of the list ("The wider interface"). Texts match exactly, case included. */
export const paymentFilters = {
  amount: exactAmount(),
  currency: exactText('Currency code.', 'BXC'),
  payment_type: exactText('`money` or `airtime`.', 'money'),
  payment_id: exactId('Id of the payment.'),
  phone_number: exactPhone(),
  remote_transaction_id: exactText('The id that the network operator gave the transaction.', 'TX9'),
  ...timeFilters,
  payment_state: exactText('State of the payment. An unknown state matches no payment.', 'processed'),
  state: exactText('State of the payment or of one of its recipients.', 'complete'),
  network: exactText('Code of the network of a recipient.', 'sandbox'),
  first_name: exactText('First name of a recipient.', 'Jane'),
  last_name: exactText('Last name of a recipient.', 'Doe'),
}
/** Filters of payments in the console: the interface's filters, and `search` for a typed text. */
export type PaymentFilters = z.output<z.ZodObject<typeof paymentFilters>> & SearchFilters

/** The list of an organization's payments. */
const paymentList: List<PaymentFilters> = {
  table: 'payments',
  conditions(organization, filters) {
    const ofRecipient =
      <Value>(condition: (value: Value) => Condition) =>
      (value: Value) =>
        hasRecipient(organization, condition(value))
    const hasState = equals('state')
    return {
      amount: equals('amount'),
      currency: equals('currency'),
      payment_type: equals('payment_type'),
      payment_id: equals('id'),
      phone_number: ofRecipient(equals('phonenumber')),
      remote_transaction_id: ofRecipient((id: string) => hasRemoteId([id])),
      ...timeConditions,
      payment_state: hasState,
      state: (state) => sql`(${hasState(state)} or ${ofRecipient(hasState)(state)})`,
      network: ofRecipient(equals('network')),
      first_name: ofRecipient(contactHas(organization, 'first_name')),
      last_name: ofRecipient(contactHas(organization, 'last_name')),
      search: () => isFoundBy('payments', organization, filters, (terms) => searchWays(organization, terms)),
      searched_rows: () => sql.always,
    }
  },
}

function searchWays(organization: number, terms: SearchTerms): TextWays {
  return {
    indexed: [
      hasId(terms),
      hasAmount('amount', terms),
      ...[
        hasContactNamed(organization, terms),
        hasWholePhone('phonenumber', organization, terms),
        hasRemoteId(terms.exact),
      ].map((condition) => condition && hasRecipient(organization, condition)),
    ],
    parts: [hasText('description', terms)],
    related: [{ table: 'payment_recipients', column: 'payment', condition: hasPhone('phonenumber', terms) }],
  }
}

/** The condition that the network knows the money of a recipient by one of these ids. Its index begins with the connection. */
function hasRemoteId(ids: readonly string[]): Condition {
  return sql`connection in (select slug from connections) and remote_transaction_id = any(${[...ids]}::text[])`
}

/** The condition that a payment has a recipient who meets this condition. */
function hasRecipient(organization: number, condition: Condition): Condition {
  return sql`id in (select payment from payment_recipients where organization = ${organization} and ${condition})`
}

/** The SQL query for one page of an organization's payments (see `pageQuery`). */
export const paymentPageQuery = createPageQuery(paymentList)
