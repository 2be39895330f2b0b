import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { queueMails } from '../access/mails.ts'
import { distinctValues } from '../queues.ts'
import { needsMailTo, waitingPaymentSource, waitingPurchaseSource } from '../spending/waiting.ts'

/** Options for mails to approvers about payments that wait for them. */
export interface ApprovalMailOptions {
  now: Date
  /** A person gets at most one mail in this time, in milliseconds. */
  interval_ms: number
  service_name: string
  /** Address of the console's page with the items that wait for approval. */
  approvals_url: string
}

/** Person who gets a mail. */
interface PersonToNotify {
  organization: number
  user: number
  email: string
  organization_name: string
  approvals_mailed_at: Date | null
}

/** A bill purchase as a mail names it. */
interface MailedPurchase {
  purchase: number
  amount: Amount
  currency: string
  service_type: string
  account_number: string
  author_name: string
}

/** A payment as a mail names it. */
interface MailedPayment {
  payment: number
  amount: Amount
  currency: string
  description: string
  author_name: string
  recipients: number
}

/**
 * Queues a mail to each approver for whom payments or bills wait that no mail has named yet, `limit` mails at most. A
 * person who got a mail a short time ago gets the next one later, about everything since then.
 * @returns the number of queued mails
 */
export async function queueApprovalMails(tx: Tx, options: ApprovalMailOptions, limit: number): Promise<number> {
  let queued = 0
  for (const person of await listPeopleToNotify(tx, options, limit))
    if (await notifyPerson(tx, options, person)) queued++
  return queued
}

/** SQL: condition that a payment `p` is new for the member `m`. */
const paymentNeedsMail = needsMailTo(waitingPaymentSource, sql`approval_notices n where n.payment = p.id`)

/** SQL: condition that a bill purchase `p` is new for the member `m`. */
const billNeedsMail = needsMailTo(waitingPurchaseSource, sql`bill_approval_notices n where n.purchase = p.id`)

function listPeopleToNotify(db: Reader, { now, interval_ms }: ApprovalMailOptions, limit: number) {
  const before = new Date(now.getTime() - interval_ms)
  return db<PersonToNotify[]>`
    with recursive ${distinctValues('payments', ['organization'], sql`t.state in ('approval_needed', 'approval_requested')`)}
    select m.organization, m."user", u.email, o.name as organization_name, m.approvals_mailed_at
    from (
      select organization from queues
      union select p.organization from bill_purchases p where ${waitingPurchaseSource.where}) q
    join memberships m on m.organization = q.organization and 'approve_payments' = any(m.permissions)
    join users u on u.id = m."user" and u.kind = 'person' join organizations o on o.id = m.organization
    where (m.approvals_mailed_at is null or m.approvals_mailed_at <= ${before})
      and (exists (select from payments p where p.organization = m.organization and ${paymentNeedsMail})
        or exists (select from bill_purchases p where p.organization = m.organization and ${billNeedsMail}))
    order by m.organization, m."user" limit ${limit}`
}

/** Several processes may find the same person: the first one to write the time sends the mail. */
async function notifyPerson(tx: Tx, options: ApprovalMailOptions, person: PersonToNotify): Promise<boolean> {
  const { now } = options
  const { organization, user, email: recipient } = person
  const [turn] = await tx`
    update memberships set approvals_mailed_at = ${now} where organization = ${organization} and "user" = ${user}
      and approvals_mailed_at is not distinct from ${person.approvals_mailed_at} returning organization`
  if (!turn) return false
  const payments = await tx<MailedPayment[]>`
    select p.id as payment, p.amount, p.currency, p.description, u.name as author_name,
      (select count(*) from payment_recipients r where r.payment = p.id and r.organization = p.organization) as recipients
    from memberships m join payments p on p.organization = m.organization join users u on u.id = p.author
    where m.organization = ${organization} and m."user" = ${user} and ${paymentNeedsMail} order by p.id`
  const purchases = await tx<MailedPurchase[]>`
    select p.id as purchase, p.amount, p.currency, p.service_type, p.account_number, u.name as author_name
    from memberships m join bill_purchases p on p.organization = m.organization join users u on u.id = p.author
    where m.organization = ${organization} and m."user" = ${user} and ${billNeedsMail} order by p.id`
  if (payments.length + purchases.length === 0) return false
  const mailed = rows(payments, { payment: 'bigint' })
  await tx`
    insert into approval_notices (organization, payment, "user", told)
    select ${organization}::bigint, t.payment, ${user}::bigint, ${now} from ${mailed.as('t')} on conflict do nothing`
  const told_bills = rows(purchases, { purchase: 'bigint' })
  await tx`
    insert into bill_approval_notices (organization, purchase, "user", told)
    select ${organization}::bigint, t.purchase, ${user}::bigint, ${now} from ${told_bills.as('t')} on conflict do nothing`
  await queueMails(tx, now, [
    { organization, recipient, ...describeWaiting([...payments, ...purchases], person, options) },
  ])
  return true
}

/** Maximum number of payments and bills that one mail names; the page in the console has all. */
const MAX_NAMED = 20

/** The subject and the text of a mail about payments and bills that wait. */
export function describeWaiting(
  waiting: readonly (MailedPayment | MailedPurchase)[],
  { organization_name }: Pick<PersonToNotify, 'organization_name'>,
  { service_name, approvals_url }: Pick<ApprovalMailOptions, 'service_name' | 'approvals_url'>,
): { subject: string; body: string } {
  const [first] = waiting
  const one = waiting.length === 1 ? first : undefined
  const what = one
    ? `A ${'payment' in one ? 'payment' : 'bill'} of ${one.currency} ${displayAmount(one.amount)} waits for your approval`
    : `${waiting.length} ${nounFor(waiting)} wait for your approval`
  const more = waiting.length - MAX_NAMED
  const lines = waiting.slice(0, MAX_NAMED).map((item) => ('payment' in item ? describeOne(item) : describeBill(item)))
  return {
    subject: `${service_name}: ${what} (${organization_name})`.replace(/\s+/g, ' '),
    body: [
      `${what}, of ${organization_name}:`,
      [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
      `Approve or reject: ${approvals_url}`,
      'You get this mail because you approve payments of this organization.',
    ].join('\n\n'),
  }
}

function describeOne({ payment, amount, currency, description, author_name, recipients }: MailedPayment): string {
  const to = recipients === 1 ? '1 recipient' : `${recipients} recipients`
  const purpose = description.replace(/\s+/g, ' ')
  return `Payment ${payment}: ${currency} ${displayAmount(amount)} to ${to}, ${JSON.stringify(purpose)}, requested by ${author_name}`
}

function describeBill({
  purchase,
  amount,
  currency,
  service_type,
  account_number,
  author_name,
}: MailedPurchase): string {
  const customer = account_number === '' ? '' : ` for ${account_number}`
  return `Bill ${purchase}: ${currency} ${displayAmount(amount)}, ${service_type}${customer}, requested by ${author_name}`
}

function nounFor(waiting: readonly (MailedPayment | MailedPurchase)[]): string {
  const payments = waiting.filter((item) => 'payment' in item).length
  if (payments === 0) return 'bills'
  return payments === waiting.length ? 'payments' : 'payments and bills'
}
