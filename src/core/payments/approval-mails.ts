import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { type NewMail, queueMails } from '../access/mails.ts'
import { needsMailTo, paymentTable, purchaseTable } from '../approvals/waiting.ts'
import { isHere } from '../moves.ts'
import { distinctValues } from '../queues.ts'
import { findWaitingFile, type WaitingFile } from './bulk/waiting-files.ts'

/** Options for mails to approvers about payments that wait for them. */
interface ApprovalMailOptions {
  now: Date
  /** A person gets mails at most once in this time, in milliseconds. */
  interval_ms: number
  service_name: string
  /** Address of the console. */
  console_url: string
}

/** Person who gets a mail. */
interface PersonToNotify {
  organization: number
  user: number
  email: string
  organization_name: string
  approvals_mailed_at: Date | null
}

/** A payment or a bill purchase as a mail names it. */
interface MailedItem {
  noun: 'Payment' | 'Bill'
  id: number
  amount: Amount
  currency: string
  /** Text between the amount and the author. */
  about: string
  author_name: string
  /** File with the payment; null for others. */
  bulk_payment: number | null
}

/**
 * Queues mails to each approver for whom payments or bills wait that no mail has named yet, `limit` people at most: one
 * about each file of payments, and one about all else. A person who got a mail a short time ago gets the next ones
 * later, about everything since then.
 * @returns the number of queued mails
 */
export async function queueApprovalMails(tx: Tx, options: ApprovalMailOptions, limit: number): Promise<number> {
  let queued = 0
  for (const person of await listPeopleToNotify(tx, options, limit)) queued += await notifyPerson(tx, options, person)
  return queued
}

/** SQL: the file of a payment; null for a single payment. */
const fileOf = (payment: 'p' | 'o') =>
  sql`(select r.bulk_payment from bulk_payment_rows r where r.payment = ${sql.identifier(`${payment}.id`)} limit 1)`

/**
 * SQL: condition that a payment `p` is new for the member `m`. The payments of a file wait until all are created, and a
 * limit of the member holds for their sum.
 */
const paymentNeedsMail = sql`${needsMailTo(paymentTable)}
  and not exists (select from bulk_payments b where b.id = ${fileOf('p')} and b.state = 'creating')
  and not exists (
    select from approver_limits l
    where l.organization = m.organization and l."user" = m."user" and l.currency = p.currency
      and least(l.per_payment, l.per_day) < (
        select sum(o.amount) from payments o
        where o.organization = p.organization and o.state in ('approval_needed', 'approval_requested')
          and o.currency = p.currency and ${fileOf('o')} = ${fileOf('p')}
          and not exists (select from payment_approvals a where a.payment = o.id and a."user" = m."user")))`

/** SQL: condition that a bill purchase `p` is new for the member `m`. */
const billNeedsMail = needsMailTo(purchaseTable)

function listPeopleToNotify(db: Reader, { now, interval_ms }: ApprovalMailOptions, limit: number) {
  const before = new Date(now.getTime() - interval_ms)
  return db<PersonToNotify[]>`
    with recursive ${distinctValues('payments', ['organization'], sql`t.state in ('approval_needed', 'approval_requested')`)}
    select m.organization, m."user", u.email, o.name as organization_name, m.approvals_mailed_at
    from (
      select organization from queues
      union select p.organization from bill_purchases p where ${purchaseTable.waits}) q
    join memberships m on m.organization = q.organization and 'approve_payments' = any(m.permissions)
    join users u on u.id = m."user" and u.kind = 'person' join organizations o on o.id = m.organization
    where ${isHere('m.organization')} and (m.approvals_mailed_at is null or m.approvals_mailed_at <= ${before})
      and (exists (select from payments p where p.organization = m.organization and ${paymentNeedsMail})
        or exists (select from bill_purchases p where p.organization = m.organization and ${billNeedsMail}))
    order by m.organization, m."user" limit ${limit}`
}

/** Several processes may find the same person: the first one to write the time sends the mails. @returns their number */
async function notifyPerson(tx: Tx, options: ApprovalMailOptions, person: PersonToNotify): Promise<number> {
  const { now } = options
  const { organization, user, email: recipient } = person
  const [turn] = await tx`
    update memberships set approvals_mailed_at = ${now} where organization = ${organization} and "user" = ${user}
      and approvals_mailed_at is not distinct from ${person.approvals_mailed_at} returning organization`
  if (!turn) return 0
  const payments = await tx<(Omit<MailedItem, 'about'> & { description: string; recipients: number })[]>`
    select 'Payment' as noun, p.id, p.amount, p.currency, p.description, u.name as author_name,
      (select count(*) from payment_recipients r where r.payment = p.id and r.organization = p.organization) as recipients,
      ${fileOf('p')} as bulk_payment
    from memberships m join payments p on p.organization = m.organization join users u on u.id = p.author
    where m.organization = ${organization} and m."user" = ${user} and ${paymentNeedsMail} order by p.id`
  const purchases = await tx<MailedItem[]>`
    select 'Bill' as noun, p.id, p.amount, p.currency, u.name as author_name, null::bigint as bulk_payment,
      ', ' || p.service_type || case when p.account_number = '' then '' else ' for ' || p.account_number end as about
    from memberships m join bill_purchases p on p.organization = m.organization join users u on u.id = p.author
    where m.organization = ${organization} and m."user" = ${user} and ${billNeedsMail} order by p.id`
  if (payments.length + purchases.length === 0) return 0
  for (const [{ notices, key }, named] of [[paymentTable, payments] as const, [purchaseTable, purchases] as const])
    await tx`
      insert into ${sql.identifier(notices)} (organization, ${sql.identifier(key)}, "user", told)
      select ${organization}::bigint, id, ${user}::bigint, ${now} from unnest(${named.map(({ id }) => id)}::bigint[]) id
      on conflict do nothing`
  const texts: MailText[] = []
  for (const bulk_payment of new Set(payments.flatMap((payment) => payment.bulk_payment ?? []))) {
    const file = await findWaitingFile(tx, now, { organization, user, may_approve: true }, bulk_payment)
    if (file) texts.push(describeFile(file, person, options))
  }
  const single = payments.filter(({ bulk_payment }) => bulk_payment === null)
  const others = [...single.map((one) => ({ ...one, about: describeUse(one) })), ...purchases]
  if (others.length > 0) texts.push(describeWaiting(others, person, options))
  const mails = texts.map((mail): NewMail => ({ organization, recipient, ...mail }))
  await queueMails(tx, now, mails)
  return mails.length
}

type MailText = Pick<NewMail, 'subject' | 'body'>
type MailWords = Pick<ApprovalMailOptions, 'service_name' | 'console_url'>

const REASON = 'You get this mail because you approve payments of this organization.'

/** Write the subject and the text of a mail about a file of payments that waits. */
function describeFile(
  file: WaitingFile,
  { organization_name }: Pick<PersonToNotify, 'organization_name'>,
  { service_name, console_url }: MailWords,
): MailText {
  const { id, file_name, description, sums, author_name, uploaded_by_name } = file
  const name = quote(file_name)
  const moneyOf = (field: 'amount' | 'fee') =>
    sums.map((sum) => `${sum.currency} ${displayAmount(sum[field])}`).join(', ')
  const facts = [
    `File: ${name}`,
    ...(description === '' ? [] : [`Description: ${quote(description)}`]),
    `Recipients: ${file.recipients}`,
    `Total: ${moneyOf('amount')}`,
    `Fees: ${moneyOf('fee')}`,
    ...(uploaded_by_name === author_name ? [] : [`Uploaded by: ${uploaded_by_name}`]),
    `Requested by: ${author_name}`,
  ]
  return {
    subject: oneLine(`${service_name}: The payment file ${name} waits for your approval (${organization_name})`),
    body: [
      `A payment file waits for your approval, of ${organization_name}:`,
      facts.join('\n'),
      `See all payments: ${console_url}/bulk-payments/${id}\nApprove or reject: ${console_url}/approvals`,
      REASON,
    ].join('\n\n'),
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')
const quote = (text: string) => JSON.stringify(oneLine(text))

/** Maximum number of payments and bills that one mail names; the page in the console has all. */
const MAX_NAMED = 20

/** The subject and the text of a mail about single payments and bills that wait. */
function describeWaiting(
  waiting: readonly MailedItem[],
  { organization_name }: Pick<PersonToNotify, 'organization_name'>,
  { service_name, console_url }: MailWords,
): MailText {
  const [first] = waiting
  const one = waiting.length === 1 ? first : undefined
  const what = one
    ? `A ${one.noun.toLowerCase()} of ${one.currency} ${displayAmount(one.amount)} waits for your approval`
    : `${waiting.length} ${nounFor(waiting)} wait for your approval`
  const more = waiting.length - MAX_NAMED
  const lines = waiting
    .slice(0, MAX_NAMED)
    .map(
      ({ noun, id, currency, amount, about, author_name }) =>
        `${noun} ${id}: ${currency} ${displayAmount(amount)}${about}, requested by ${author_name}`,
    )
  return {
    subject: oneLine(`${service_name}: ${what} (${organization_name})`),
    body: [
      `${what}, of ${organization_name}:`,
      [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
      `Approve or reject: ${console_url}/approvals`,
      REASON,
    ].join('\n\n'),
  }
}

function describeUse({ description, recipients }: { description: string; recipients: number }): string {
  return ` to ${recipients === 1 ? '1 recipient' : `${recipients} recipients`}, ${quote(description)}`
}

function nounFor(waiting: readonly MailedItem[]): string {
  const payments = waiting.filter(({ noun }) => noun === 'Payment').length
  if (payments === 0) return 'bills'
  return payments === waiting.length ? 'payments' : 'payments and bills'
}
