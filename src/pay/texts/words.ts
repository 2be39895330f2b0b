import type { AmountFault } from '../../core/checkout/new-link.ts'
import type { AnswerFault } from '../../core/checkout/own-fields.ts'
import type { VisitRefusal } from '../../core/checkout/visits.ts'

/** Texts of the pages. `{words}` are replaced. */
export interface Texts {
  /** The name of the language in itself. */
  name: string
  pay: string
  pay_amount: string
  amount: string
  choose_amount: string
  amount_limits: string
  phone: string
  phone_hint: string
  optional: string
  choose: string
  never_pin: string
  check: string
  amount_faults: Record<AmountFault, string>
  network_amount: string
  answer_faults: Record<AnswerFault, string>
  phone_fault: string
  phone_not_served: string
  refusals: Record<VisitRefusal, string>
  form_too_old: string
  not_possible: string
  sending: string
  waiting: string
  waiting_text: string
  waiting_without_prompt: string
  waiting_status: string
  looks_again: string
  no_prompt: string
  no_prompt_steps: string[]
  network_menu: string
  paid: string
  paid_text: string
  reversed: string
  reversed_text: string
  unclear: string
  unclear_text: string
  ended: string
  ended_text: string
  network_says: string
  try_again: string
  back: string
  to: string
  for: string
  from: string
  customer_number: string
  number: string
  date: string
  receipt: ReceiptTexts
  invoice: InvoiceTexts
  link_paid: string
  link_closed: string
  link_expired: string
  ask_shop: string
  not_found: string
  not_found_text: string
  too_many: string
  too_many_text: string
  unavailable: string
  unavailable_text: string
  failed: string
  failed_text: string
}

/** The texts of receipts, on the page and in the PDF. */
export interface ReceiptTexts {
  open: string
  title: string
  /** The name before the number of the invoice that was paid. */
  invoice: string
  paid_on: string
  issued_on: string
  reference: string
  transaction: string
  paid: string
  reversed: string
  refunded: string
  kept: string
  partly_returned: string
  returned: string
  refund_note: string
  genuine: string
  check: string
  pdf: string
}

/** The texts of invoices, on the page and in the PDF. */
export interface InvoiceTexts {
  open: string
  title: string
  issued_on: string
  due_on: string
  terms: string
  text: string
  quantity: string
  price: string
  line_amount: string
  taxed: string
  subtotal: string
  tax: string
  total: string
  paid: string
  refunded: string
  left: string
  pay: string
  parts: string
  is_paid: string
  is_overdue: string
  is_void: string
  is_reopened: string
  waiting: string
  check: string
  pdf: string
}
