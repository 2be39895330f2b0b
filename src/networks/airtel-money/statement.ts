import { z } from 'zod'
import { spare, spareText as text } from '../../drivers/members.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, parseDisplayedAmount } from '../../lib/money.ts'
import { type StatementLine, WrongStatement } from '../../lib/statements/statement-line.ts'
import { truncateToSecond } from '../../lib/time.ts'
import type { Period } from '../contract.ts'
import { shorten } from './answers.ts'
import type { AirtelClient } from './client.ts'

const Line = z.object({
  charges: spare(z.object({ service: text })),
  payee: spare(z.object({ currency: text, msisdn: text })),
  payer: spare(z.object({ msisdn: text })),
  service: spare(z.object({ type: text })),
  transaction: z.object({ airtel_money_id: text, amount: z.string(), created_at: text, id: text, status: z.string() }),
})

const Page = z.object({ transactions: z.array(z.unknown()) })

const PAGE_LINES = 100

const statuses: Readonly<Record<string, StatementLine['status']>> = {
  TS: 'successful',
  SUCCESS: 'successful',
  TR: 'reversed',
  TF: 'failed',
  FAILED: 'failed',
  TE: 'failed',
  TIP: 'pending',
  TP: 'pending',
  TA: 'pending',
}

/**
 * Airtel's own record of a period, page by page. It alone has amounts. Transactions without an `airtel_money_id` moved no
 * money and are left out.
 * @throws WrongStatement where Airtel does not answer, or with something else: a part of a statement is none
 */
export async function* statement(client: AirtelClient, { from, to }: Period): AsyncGenerator<StatementLine> {
  let first_of_last_page = ''
  for (let offset = 0; ; offset += PAGE_LINES) {
    const lines = await fetchPage(
      client,
      `from=${seconds(from)}&to=${seconds(to)}&limit=${PAGE_LINES}&offset=${offset}`,
    )
    const first = JSON.stringify(lines[0])
    if (lines.length > 0 && first === first_of_last_page)
      throw new WrongStatement(getMessage('airtel.answers_same_page'))
    first_of_last_page = first
    for (const [index, line] of lines.entries()) {
      const read = readLine(client, line, offset + index + 1)
      if (read) yield read
    }
    if (lines.length < PAGE_LINES) return
  }
}

async function fetchPage(client: AirtelClient, query: string): Promise<unknown[]> {
  const path = `/merchant/v1/transactions?${query}`
  const reply = await client.call({ verb: 'statement', method: 'GET', path, lower_case: true })
  if ('outcome' in reply) throw new WrongStatement(reply.message)
  const page = Page.safeParse(reply.data)
  if (!page.success)
    throw new WrongStatement(getMessage('airtel.gives_no_list', { list: reply.codes.join(', ') || 'no code' }))
  return page.data.transactions
}

function readLine(client: AirtelClient, entry: unknown, line: number): StatementLine | undefined {
  const parsed = Line.safeParse(entry)
  if (!parsed.success) throw new WrongStatement(getMessage('airtel.line_transactions_cannot_read', { line }))
  const { payee, service, transaction } = parsed.data
  if (!transaction.airtel_money_id) return undefined
  const amount = parseDisplayedAmount(transaction.amount.trim())
  if (amount === undefined || amount <= 0n)
    throw new WrongStatement(getMessage('airtel.line_transactions_no_readable', { line }))
  const status = statuses[transaction.status.toUpperCase()]
  if (!status)
    throw new WrongStatement(getMessage('drivers.line_not_known', { line, word: shorten(transaction.status) }))
  // MERCHPAY is money that customers pay to us; all other services send money from our wallet.
  const sent = service?.type !== undefined && service.type !== 'MERCHPAY'
  const payment = sent ? undefined : readPayment(client, parsed.data)
  return {
    line,
    remote_id: transaction.airtel_money_id,
    amount: amount satisfies Amount,
    sent,
    status,
    currency: payee?.currency ?? client.currency,
    paid_at: readDate(transaction.created_at),
    reversal_of: null,
    fee: readFee(parsed.data.charges?.service),
    ...(payment && { payment }),
  }
}

/** Return Airtel's fee; null if it is zero, missing or unreadable. */
function readFee(service: string | undefined): Amount | null {
  const fee = parseDisplayedAmount(service?.trim() ?? '')
  return fee !== undefined && fee > 0n ? fee : null
}

/** Return the payer and the order. Airtel has no status query for a payment, so the statement is the only source. */
function readPayment(client: AirtelClient, { payee, payer, transaction }: z.output<typeof Line>) {
  const digits = payer?.msisdn?.replace(/^\+/, '')
  if (!payee?.msisdn || !digits || !/^\d{6,15}$/.test(digits)) return undefined
  const { calling_code } = client
  const phonenumber = digits.startsWith(calling_code) ? `+${digits}` : `+${calling_code}${digits}`
  return { receiver: payee.msisdn, phonenumber, order_reference: transaction.id || null, reference: null }
}

/** Seconds or milliseconds since 1970, or a date of ISO 8601 with its time zone. Airtel documents none of them. */
function readDate(created_at: string | undefined): Date | null {
  if (created_at === undefined) return null
  if (/^\d{10}$/.test(created_at)) return new Date(Number(created_at) * 1000)
  if (/^\d{13}$/.test(created_at)) return truncateToSecond(new Date(Number(created_at)))
  const zoned = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/.test(created_at)
  const date = new Date(zoned ? created_at : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : truncateToSecond(date)
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
