import { z } from 'zod'
import { isUnauthorized, notSentVend } from '../../drivers/access-tokens.ts'
import type { BalanceAnswer } from '../../drivers/contract.ts'
import { spare, spareText } from '../../drivers/members.ts'
import type { UnknownOutcome } from '../../lib/adapter-types.ts'
import { type JsonAnswer, unreadableAnswer } from '../../lib/http/http-call.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, parseAmount, shortAmount } from '../../lib/money.ts'
import type {
  AccountHolder,
  AccountHolderLookup,
  AccountQuery,
  Vend,
  VendAnswer,
  VendCheck,
  VendedGoods,
  VendFailureReason,
} from '../biller.ts'

/*
 * The bill-payment interface of another host, which is the same as ours (interface 4.5): an aggregator, or another installation
 * of this service. Our reference is its `agentReference`, which it accepts only once.
 */

/** The other host. */
export interface Upstream {
  /** Our `agentId` there. */
  agent_id: string
  /**
   * Make one call there. It never throws.
   * @param verb purpose of the call, in the words of the log
   * @param scenario for a simulated biller behind it; null for real ones
   */
  call(
    verb: string,
    method: 'GET' | 'POST',
    path: string,
    scenario: string | null,
    body?: object,
  ): Promise<JsonAnswer | UnknownOutcome>
}

/** Buy there. */
export async function vend(upstream: Upstream, order: Vend): Promise<VendAnswer> {
  return readVend(await upstream.call('vend', 'POST', pathOf(order), order.scenario, bodyOf(upstream, order)))
}

/** Query the state of a purchase. */
export async function checkVend(upstream: Upstream, order: Vend): Promise<VendCheck> {
  const query = new URLSearchParams({ agentReference: order.reference })
  const reply = await upstream.call('vend status', 'GET', `/superagent/transaction/requery?${query}`, null)
  if (reply.outcome === 'unknown') return reply
  const body = Envelope.safeParse(reply.body).data
  if (body?.status === 'error' && body.data === undefined)
    return body.code === UNKNOWN_REFERENCE ? { outcome: 'not_found' } : unknownAnswer(body)
  return readOutcome(reply, body)
}

/** Ask for the holder of an account. */
export async function lookUpAccountHolder(upstream: Upstream, query: AccountQuery): Promise<AccountHolderLookup> {
  const { service_type, account_number, product_code } = query
  const body = { service_type, account_number, ...(product_code === null ? {} : { product_code }) }
  const reply = await upstream.call('account holder', 'POST', '/services/namefinder/query', null, body)
  if (reply.outcome === 'unknown') return reply
  const envelope = Envelope.safeParse(reply.body).data
  if (envelope?.status === 'error')
    return envelope.code === 'BX0025' ? { outcome: 'not_found', message: messageOf(envelope) } : unknownAnswer(envelope)
  const user = AccountHolderBody.safeParse(envelope?.data?.user)
  return reply.status === 200 && user.success
    ? { outcome: 'found', holder: user.data }
    : unreadableAnswer('biller', reply)
}

/** The money in our account there, which only has naira. */
export async function readBalance(upstream: Upstream): Promise<BalanceAnswer> {
  const reply = await upstream.call('balance', 'GET', '/superagent/account/balance', null)
  if (reply.outcome === 'unknown') return reply
  const body = Envelope.safeParse(reply.body).data
  if (body?.status === 'error') return unknownAnswer(body)
  const found = reply.status === 200 ? amount.safeParse(body?.data?.balance).data : undefined
  if (found == null) return unreadableAnswer('biller', reply)
  return { outcome: 'found', balances: [{ currency: 'NGN', amount: found, name: 'account' }] }
}

const PATHS: Record<Vend['kind'], string> = {
  airtime: '/services/airtime/request',
  databundle: '/services/databundle/request',
  electricity: '/services/electricity/request',
  cabletv: '/services/cabletv/request',
  epin: '/services/epin/request',
  exampin: '/services/exampin/request',
}

function pathOf(order: Vend): string {
  return PATHS[order.kind]
}

function bodyOf({ agent_id }: Upstream, order: Vend): Record<string, unknown> {
  const { service_type, phone, account_number, details } = order
  const amount = shortAmount(order.amount)
  const common = { agentReference: order.reference, agentId: agent_id, service_type, phone }
  switch (order.kind) {
    case 'airtime':
      return { ...common, amount, plan: details.plan }
    case 'databundle':
      return { ...common, amount, datacode: details.datacode, package: details.package, account_number }
    case 'electricity':
      return { ...common, amount, account_number }
    case 'cabletv':
      return {
        ...common,
        total_amount: amount,
        smartcard_number: account_number,
        product_code: details.product_code,
        product_monthsPaidFor: details.months,
        addon_code: details.addon_code,
        addon_monthsPaidFor: details.addon_months,
        isBoxOffice: details.box_office,
      }
    case 'epin':
      return { ...common, amount, pinValue: shortAmount(details.pin_value!), numberOfPins: details.pins }
    case 'exampin':
      return { ...common, amount, account_number, product_code: details.product_code }
  }
}

/** The code of the answer to a requery for a reference that never arrived. */
const UNKNOWN_REFERENCE = 'BX0002'

/** Refusals before anything was sold. After every other error the purchase may have been sold, so it is checked. */
const REFUSAL_REASONS: Readonly<Record<string, VendFailureReason>> = {
  BX0003: 'rejected',
  BX0025: 'account_not_found',
  BX0026: 'service_inactive',
  EXC00102: 'no_funds_at_biller',
  EXC00123: 'service_inactive',
  EXC00127: 'amount_refused',
}

/** Failure reasons of errors, if the answer also says that the purchase has failed. */
const FAILURE_REASONS: Readonly<Record<string, VendFailureReason>> = {
  ...REFUSAL_REASONS,
  BX0024: 'no_answer',
  EXC00103: 'service_inactive',
  EXC00109: 'service_blocked',
  EXC00131: 'out_of_stock',
  EXC00144: 'service_inactive',
}

function reasonOf(table: Readonly<Record<string, VendFailureReason>>, { code = '' }: Envelope) {
  return Object.hasOwn(table, code) ? table[code] : undefined
}

function readVend(reply: JsonAnswer | UnknownOutcome): VendAnswer {
  if (reply.outcome === 'unknown') return reply
  const body = Envelope.safeParse(reply.body).data
  if (isUnauthorized(reply))
    return notSentVend({ outcome: 'not_sent', message: getMessage('billers.other_host_not_let') })
  const refused = body?.status === 'error' && body.data === undefined ? reasonOf(REFUSAL_REASONS, body) : undefined
  if (body && refused) return { outcome: 'failed', reason: refused, message: messageOf(body) }
  return readOutcome(reply, body)
}

/**
 * Read the end of a purchase. Only an answer with the transaction's state tells it; an error alone concerns the call.
 */
function readOutcome(reply: JsonAnswer, body: Envelope | undefined): VendAnswer {
  if (!body) return unreadableAnswer('biller', reply)
  const result = Result.safeParse(body.data).data
  const state = result?.transactionStatus ?? body.status
  if (state === 'failed' && result)
    return { outcome: 'failed', reason: reasonOf(FAILURE_REASONS, body) ?? 'declined', message: messageOf(body) }
  if (body.status === 'error') return unknownAnswer(body)
  const remote_id = result?.baxiReference ?? result?.transactionReference ?? ''
  if (state === 'pending' || state === 'processing') return { outcome: 'accepted', remote_id }
  // The state of the call alone does not say that anything was sold.
  if (reply.status !== 200 || result?.transactionStatus !== 'success') return unreadableAnswer('biller', reply)
  return { outcome: 'successful', remote_id, vended: toVendedGoods(result) }
}

function toVendedGoods(result: Result): VendedGoods {
  const { tokenCode, amountOfPower, pins, provider_message, rawOutput, rawData, ...rest } = result
  return {
    token: tokenCode ?? null,
    amount_of_power: amountOfPower ?? null,
    pins: pins.map(({ instructions, serialNumber, pin, expiresOn }) => ({
      instructions,
      serial_number: serialNumber,
      pin,
      expires_on: expiresOn,
    })),
    provider_message: provider_message ?? '',
    raw_output: rawOutput ?? rawData ?? null,
    more: Object.fromEntries(Object.entries(rest).filter(([name]) => !COMPUTED_FIELDS.has(name))),
  }
}

/** Members of a result that we compute ourselves for our callers. */
const COMPUTED_FIELDS: ReadonlySet<string> = new Set([
  'statusCode',
  'transactionStatus',
  'transactionReference',
  'transactionMessage',
  'baxiReference',
  'tokenAmount',
  'creditToken',
])

const anyObject = z.record(z.string(), z.unknown())
const text = z.union([z.string(), z.number()]).transform(String)

type Envelope = z.infer<typeof Envelope>
const Envelope = z.object({
  status: z.string(),
  message: spareText,
  code: spare(z.union([z.string(), z.number()])),
  data: anyObject.nullish().transform((data) => data ?? undefined),
})

type Result = z.infer<typeof Result>
const Result = z.looseObject({
  transactionStatus: z.string().optional(),
  transactionReference: spare(text),
  baxiReference: spare(text),
  tokenCode: z
    .string()
    .transform((code) => code.replaceAll(/[\s-]/g, ''))
    .pipe(z.string().regex(/^\d{20}$/))
    .nullish()
    .catch(null),
  amountOfPower: z.string().nullish().catch(null),
  provider_message: z.string().nullish().catch(null),
  rawOutput: anyObject.nullish().catch(null),
  rawData: anyObject.nullish().catch(null),
  pins: z
    .array(
      z.object({ instructions: z.string().catch(''), serialNumber: text, pin: text, expiresOn: z.string().catch('') }),
    )
    .catch([]),
})

const amount = spare(text).transform((value = ''): Amount | null => parseAmount(value) ?? null)
const optionalText = text.nullable().catch(null)

/** Interface 2.9, name-validation user. */
const AccountHolderBody = z
  .looseObject({
    name: z.string(),
    address: optionalText,
    outstandingBalance: amount,
    dueDate: optionalText,
    district: optionalText,
    accountNumber: optionalText,
    minimumAmount: amount,
    rawOutput: spare(anyObject),
    errorMessage: z.unknown().optional(),
  })
  .transform((user): AccountHolder => {
    const { name, address, outstandingBalance, dueDate, district, accountNumber, minimumAmount, rawOutput, ...rest } =
      user
    const { errorMessage: _, ...more } = rest
    return {
      name,
      address,
      district,
      more,
      outstanding_balance: outstandingBalance,
      due_date: dueDate,
      account_number: accountNumber,
      minimum_amount: minimumAmount,
      raw_output: rawOutput ?? {},
    }
  })

/** The message of the other service, for our customers. */
function messageOf({ message = 'No message' }: Envelope): string {
  return message
}

/** Return an unknown outcome for an error about the call. Only operators read this message, so it has the code too. */
function unknownAnswer(body: Envelope): UnknownOutcome {
  return { outcome: 'unknown', message: `${messageOf(body)} (${body.code ?? 'no code'})` }
}
