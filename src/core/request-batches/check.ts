import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { Reader } from '../../db/client.ts'
import { groupsOf } from '../../lib/batches/groups.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import { readPlaceOf } from '../access/places.ts'
import { addCustomers, type Customer } from '../batches/customers.ts'
import { type ChargeNetwork, toNewCollectionRequest } from '../collections/new-request.ts'
import { type NewCollectionRequest, readWalletRefusals } from '../collections/requests.ts'
import type { NoNetwork } from '../connections/destinations.ts'
import { splitName } from '../contacts/contacts.ts'
import { contactsTagged } from '../contacts/numbered.ts'
import { selectAskedPhone } from '../contacts/phones.ts'
import { booleanField, documented, optional, positiveAmount, requiredText } from '../fields.ts'
import { MAX_ROWS } from '../files/row-file.ts'
import type { ReadAt } from '../invoices/due-days.ts'
import { currencyField } from '../invoices/new-invoice.ts'
import { Invalid } from '../refusals.ts'
import type { PlannedRequest, Problem, RequestRow, RequestSum, Warning } from './batch.ts'
import { askedBy } from './batches.ts'
import type { Column, RequestFile } from './columns.ts'
import { AskedBefore, CUSTOMER_KEY, findAsked } from './duplicates.ts'
import { type ReadRow, readExpiryText, readRow } from './read-row.ts'

/** Chooses the networks of an organization for requests to these phones. */
export type ChooseChargeNetwork = (
  db: Reader,
  organization: number,
  phones: readonly string[],
) => Promise<
  (request: {
    phonenumber: string
    currency: string
    amount: Amount
    send_instructions: boolean
    account?: number | undefined
  }) => ChargeNetwork | NoNetwork
>

/**
 * Returns the fields of a body with the choices for all rows of a file. A row may say something else.
 * @param currencies those that may be collected
 */
export function requestChoiceFields(currencies: readonly string[]) {
  return {
    currency: currencyField(currencies),
    reason: optional(documented(requiredText(200), 'Reason for the payment.', 'Term 1')),
    expiry_date: optional(
      documented(requiredText(40), 'A date such as 31/12/2030, or a time from now. Default: 24 hours.', '24 hours'),
    ),
    send_instructions: optional(
      documented(booleanField, 'Whether the phones of the customers show a prompt. Default true.', true),
    ),
  }
}

/** The fields of a body that asks all customers with a tag for the same. */
export const tagFields = {
  tag: documented(requiredText(100), 'The tag of the customers, such as a class.', 'P5'),
  amount: positiveAmount.meta({ description: 'Amount requested from each customer.', examples: ['850000'] }),
}

interface RequestChoices {
  currency: string
  reason: string
  expiry_date: string | undefined
  send_instructions: boolean
  currencies: readonly string[]
}

/** Reads the choices for all requests. @throws Invalid */
export function readRequestChoices(
  body: z.output<z.ZodObject<ReturnType<typeof requestChoiceFields>>>,
  currencies: readonly string[],
  at: ReadAt,
): RequestChoices {
  const { currency, reason = '', send_instructions = true } = body
  const expiry_date = body.expiry_date && readExpiryText(body.expiry_date, at)
  if (body.expiry_date !== undefined && expiry_date === undefined)
    throw new Invalid({ expiry_date: [getMessage('requests.file_expiry')] })
  return { currency, reason: reason.trim(), expiry_date, send_instructions, currencies }
}

/** Organization and time of the check, and the choice of networks. */
export interface CheckContext {
  now: Date
  organization: number
  author: number
  chooseNetwork: ChooseChargeNetwork
}

/** Checked rows, for people, and the requests that they become. */
export interface CheckedRows {
  rows: RequestRow[]
  planned: PlannedRequest[]
  all: RequestSum[]
  without_duplicates: RequestSum[]
}

/** Number of rows in each turn of the event loop, so that other requests are answered meanwhile. */
const ROWS_PER_TURN = 100

/** Checks the rows of a file of requests. It changes nothing. */
export async function checkRequestFile(
  db: Reader,
  file: Pick<RequestFile, 'rows'>,
  choices: RequestChoices,
  context: CheckContext,
): Promise<CheckedRows> {
  const { country, time_zone } = await readPlaceOf(db, context.organization)
  const read: ReadRow[] = []
  for (const [index, row] of file.rows.entries()) {
    if (index % ROWS_PER_TURN === 0) await setImmediate()
    read.push(readRow(row, { ...choices, now: context.now, time_zone, country }))
  }
  return checkRows(db, await addCustomers(db, context.organization, read), context)
}

/** Checks the same request to each customer with a tag. It changes nothing. @throws Invalid if there are none, or too many */
export async function checkTagged(
  db: Reader,
  { tag, amount }: { tag: string; amount: Amount },
  choices: RequestChoices,
  context: CheckContext,
): Promise<CheckedRows> {
  const found = await db<{ id: number; name: string }[]>`
    select c.id, trim(concat_ws(' ', nullif(c.first_name, 'Anonymous'), nullif(c.last_name, 'Contact'))) as name
    from contacts c where c.id in (${contactsTagged(context.organization, tag)}) and c.erased is null
    order by c.id limit ${MAX_ROWS + 1}`
  if (found.length === 0) throw new Invalid({ tag: [getMessage('customers.no_tag', { tag: tag.trim() })] })
  if (found.length > MAX_ROWS) throw new Invalid({ tag: [getMessage('customers.many_with_tag', { max: MAX_ROWS })] })
  const { currencies, ...chosen } = choices
  const nobody = { customer_number: '', phone: null, phone_text: '', first_name: '', last_name: '' }
  const rows = found.map(({ id, name }) => {
    const customer = { contact: id, name, key: `contact ${id}`, planned: { contact: id } }
    return { ...nobody, ...chosen, number: id, name, amount, problems: [], customer }
  })
  return checkRows(db, rows, context)
}

type KnownRow = ReadRow & { customer: Customer | null }
type AskedRow = KnownRow & { request: NewCollectionRequest | null; network: string | null }

async function checkRows(db: Reader, known: readonly KnownRow[], context: CheckContext): Promise<CheckedRows> {
  const rows = await addRequests(db, await addPhones(db, known), context)
  const made = rows.flatMap((row) => (row.request ? [{ row, request: row.request }] : []))
  const refusalOf = await readWalletRefusals(
    db,
    context.organization,
    made.map(({ request }) => request),
  )
  for (const { row, request } of made) {
    const refusal = refusalOf(request)
    if (refusal) row.problems.push(...problemsOf(row, refusal))
  }
  const ready = made.filter(({ row }) => row.problems.length === 0)
  const warnings = await findWarnings(db, ready, context)
  const planned = ready.map(({ row, request }) => ({
    row: row.number,
    customer_number: row.customer_number,
    request,
    is_repeated: (warnings.get(row.number) ?? []).some(({ code }) => code === 'twice'),
  }))
  const fresh = ready.filter(({ row }) => !warnings.has(row.number))
  return {
    rows: rows.map((row) => toRequestRow(row, warnings.get(row.number) ?? [])),
    planned,
    all: addUp(ready.map(({ row }) => row)),
    without_duplicates: addUp(fresh.map(({ row }) => row)),
  }
}

/** The phone and the number of each customer who is known by number or by tag. */
async function addPhones(db: Reader, rows: readonly KnownRow[]): Promise<KnownRow[]> {
  const ids = rows.flatMap(({ phone, customer }) => (phone ? [] : (customer?.contact ?? [])))
  const found = await db<{ id: number; number: string | null; phone: string | null }[]>`
    select c.id, c.number, ${selectAskedPhone('c')} as phone from contacts c where c.id = any(${[...new Set(ids)]}::bigint[])`
  const by_id = new Map(found.map((one) => [one.id, one]))
  return rows.map((row) => {
    const known = row.phone || !row.customer ? undefined : by_id.get(row.customer.contact ?? 0)
    if (!known) return row
    const phone = known.phone === null ? undefined : readKnownPhone(known.phone)
    if (!phone) row.problems.push({ column: 'customer_number', message: getMessage('customers.no_phone') })
    return {
      ...row,
      customer_number: known.number ?? row.customer_number,
      phone: phone ?? null,
      phone_text: phone?.number ?? '',
    }
  })
}

/** Adds the request of each row, or its problems. */
async function addRequests(db: Reader, rows: readonly KnownRow[], context: CheckContext): Promise<AskedRow[]> {
  const phones = rows.flatMap(({ phone }) => phone?.number ?? [])
  const networkFor = await context.chooseNetwork(db, context.organization, phones)
  const asked: AskedRow[] = []
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_TURN === 0) await setImmediate()
    asked.push({ ...row, ...toRequest(row, context, networkFor) })
  }
  return asked
}

function toRequest(
  row: KnownRow,
  { now, organization, author }: CheckContext,
  networkFor: Awaited<ReturnType<ChooseChargeNetwork>>,
): Pick<AskedRow, 'request' | 'network'> {
  const { phone, amount, currency, reason, expiry_date, send_instructions } = row
  if (!phone || amount === null || row.problems.length > 0) return { request: null, network: null }
  const network = networkFor({ phonenumber: phone.number, currency, amount, send_instructions })
  const name = 'name' in network ? network.name : null
  const body = {
    ...NOT_GIVEN,
    ...namesOf(row),
    phonenumber: phone,
    amount,
    currency,
    reason,
    expiry_date,
    send_instructions,
    metadata: row.customer_number === '' ? undefined : { [CUSTOMER_KEY]: row.customer_number },
  }
  try {
    return { request: toNewCollectionRequest(body, { now, organization, author, network }), network: name }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    row.problems.push(...problemsOf(row, error))
    return { request: null, network: name }
  }
}

const NOT_GIVEN = {
  account: undefined,
  start_date: undefined,
  success_message: undefined,
  instructions: undefined,
  retry_interval_minutes: undefined,
  max_attempts: undefined,
  subscription_settings: undefined,
}

/** Returns the names of a new customer. The phone of a customer with a number may belong to somebody else. */
function namesOf({ customer, first_name, last_name, name }: KnownRow) {
  if (customer && 'contact' in customer.planned) return { first_name: undefined, last_name: undefined }
  const names = first_name || last_name ? { first_name, last_name } : splitName(name)
  return { first_name: names.first_name || undefined, last_name: names.last_name || undefined }
}

const COLUMNS: Readonly<Record<string, Column>> = { currency: 'currency', reason: 'reason', expiry_date: 'expiry' }

/** Returns the problems of a row by the rules for requests, by column. */
function problemsOf({ customer_number }: ReadRow, { fields }: Invalid): Problem[] {
  return Object.entries(fields).flatMap(([field, messages]) => {
    const person = customer_number === '' ? 'phone_number' : 'customer_number'
    const column = field === 'phonenumber' ? person : (COLUMNS[field] ?? 'amount')
    return messages.map((message) => ({ column, message }))
  })
}

type ReadyRow = { row: AskedRow; request: NewCollectionRequest }

async function findWarnings(
  db: Reader,
  ready: readonly ReadyRow[],
  { now, organization }: CheckContext,
): Promise<Map<number, Warning[]>> {
  const phones = ready.map(({ request }) => request.phonenumber)
  const before = await findAsked(db, { now, organization, phones })
  const here = new AskedBefore<number>()
  const warnings = new Map<number, Warning[]>()
  for (const { row, request } of ready) {
    const asked = askedBy({ request, customer_number: row.customer_number })
    const [twice, earlier] = [here.find(asked), before.find(asked)]
    if (twice === undefined) here.add(asked, row.number)
    const said: Warning[] = [
      ...(twice === undefined ? [] : [{ code: 'twice' as const, row: twice }]),
      ...(earlier === undefined ? [] : [{ code: 'asked_already' as const, request: earlier }]),
    ]
    if (said.length > 0) warnings.set(row.number, said)
  }
  return warnings
}

function addUp(rows: readonly AskedRow[]): RequestSum[] {
  return groupsOf(rows, ({ currency, network }) => JSON.stringify([currency, network])).map((some) => ({
    currency: some[0].currency,
    network: some[0].network ?? '',
    requests: some.length,
    total: some.reduce((sum, { amount }) => sum + amount!, 0n),
  }))
}

function toRequestRow(row: AskedRow, warnings: Warning[]): RequestRow {
  const { number, customer_number, name, reason, amount, currency, network, problems, request } = row
  return {
    number,
    customer_number,
    phone_number: row.phone_text,
    name: row.customer?.name || name,
    reason,
    amount,
    currency,
    network,
    expiry_date: request?.expiry_date.toISOString() ?? null,
    state: problems.length > 0 ? 'refused' : 'ready',
    problems,
    warnings,
  }
}
