import { z } from 'zod'
import { type Amount, parseAmount } from '../../../lib/money.ts'
import { isObject } from '../../../lib/structured-input.ts'
import { wordsOf } from './numbers.ts'
import { type OperationName, operations } from './switches.ts'
import { describeOrder, type Fault, type Form, idOf, joinMetadata, showDate, uuid, type WantedOrder } from './wire.ts'

/** Amount without leading zeros, trailing zeros or sign. */
const amount = z
  .string()
  .regex(/^(0|[1-9]\d{0,17})(\.\d{0,3}[1-9])?$/)
  .transform((text) => parseAmount(text)!)
  .refine((value: Amount) => value > 0n)
const currency = z.string().regex(/^[A-Z]{3}$/)
const id = z.string().regex(uuid)
const party = z.object({
  type: z.literal('MMO'),
  accountDetails: z.object({ phoneNumber: z.string().regex(/^[1-9]\d{6,14}$/), provider: z.string().min(1) }),
})
const metadata = z.array(z.record(z.string(), z.unknown())).max(10)
const common = { clientReferenceId: z.string().optional(), metadata: metadata.optional() }
const message = z
  .string()
  .regex(/^[A-Za-z0-9 ]{4,22}$/)
  .optional()

/** The bodies of the orders. Members that are not here are refused. */
const Deposit = z.strictObject({
  depositId: id,
  amount,
  currency,
  payer: party,
  preAuthorisationCode: z.string().optional(),
  customerMessage: message,
  ...common,
})
const PayoutBody = z.strictObject({
  payoutId: id,
  amount,
  currency,
  recipient: party,
  customerMessage: message,
  ...common,
})
const Refund = z.strictObject({
  refundId: id,
  depositId: id,
  amount: amount.optional(),
  currency: currency.optional(),
  ...common,
})

/** The code for a body that is not as it must be, with the member that is meant. */
function faultOf(body: unknown, error: z.ZodError): Fault {
  if (!isObject(body)) return { code: 'INVALID_INPUT', status: 400, words: 'The body cannot be read.' }
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys')
    return { code: 'UNSUPPORTED_PARAMETER', status: 400, words: `Unknown: ${issue.keys.join(', ')}` }
  const path = issue?.path.map(String) ?? []
  const is_missing = path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), body) === undefined
  return {
    code: is_missing ? 'MISSING_PARAMETER' : 'INVALID_PARAMETER',
    status: 400,
    words: `Check ${path.join('.')}.`,
  }
}

const bodies = { deposits: Deposit, payouts: PayoutBody, refunds: Refund }

/** Version 2 of the API. */
export const v2: Form = {
  path: '/v2',
  read,
  accept: (operation, order, status) => ({
    [operations[operation].id]: order.key,
    status,
    ...(operation === 'deposits' && { nextStep: 'FINAL_STATUS' }),
    created: showDate(order.created),
  }),
  refuse: (operation, body, { code, status = 200, words }) => ({
    status,
    body: refusal(operation, idOf(operation, body), code, words),
  }),
  fail: (code, ids = {}) => ({ ...ids, ...failure(code) }),
  show(order, switches) {
    const one = describeOrder(order, switches)
    const { customerMessage, clientReferenceId, metadata: given } = one.details
    return {
      ...one.id,
      status: one.status,
      amount: one.amount,
      currency: one.currency,
      country: one.country,
      [one.side]: { type: 'MMO', accountDetails: { phoneNumber: one.phone, provider: one.provider } },
      ...(customerMessage !== undefined && { customerMessage }),
      ...(clientReferenceId !== undefined && { clientReferenceId }),
      created: showDate(order.created),
      ...(one.transaction && { providerTransactionId: one.transaction }),
      ...(one.failure && { failureReason: one.failure }),
      ...(given && { metadata: given }),
    }
  },
  find: (data) => (data ? { status: 'FOUND', data } : { status: 'NOT_FOUND' }),
  act: (operation, id, refused) =>
    refused ? refusal(operation, id, refused) : { [operations[operation].id]: id, status: 'ACCEPTED' },
}

function read(operation: OperationName, body: unknown): WantedOrder | Fault {
  const schema: z.ZodType = bodies[operation]
  const parsed = schema.safeParse(body)
  if (!parsed.success) return faultOf(body, parsed.error)
  const data = parsed.data as Partial<z.output<typeof Deposit> & z.output<typeof PayoutBody> & z.output<typeof Refund>>
  const { clientReferenceId, customerMessage, metadata: given = [] } = data
  const joined = joinMetadata(given)
  if (!joined) return { code: 'DUPLICATE_METADATA_FIELD', status: 400 }
  const account = (data.payer ?? data.recipient)?.accountDetails
  return {
    key: idOf(operation, body)!.toLowerCase(),
    amount: data.amount,
    currency: data.currency,
    reason: customerMessage ?? 'Kusanya',
    details: {
      ...(clientReferenceId !== undefined && { clientReferenceId }),
      ...(customerMessage !== undefined && { customerMessage }),
      ...(given.length > 0 && { metadata: joined }),
    },
    party: account && { phone: account.phoneNumber, provider: account.provider },
    deposit: operation === 'refunds' ? data.depositId : undefined,
  }
}

/** A refusal in the network's form. */
export function failure(failureCode: string, failureMessage = wordsOf(failureCode)) {
  return { failureReason: { failureCode, failureMessage } }
}

/** A refusal of an order, with its id where it was given. */
function refusal(operation: OperationName, id: unknown, code: string, words?: string) {
  return {
    ...(typeof id === 'string' && { [operations[operation].id]: id }),
    status: 'REJECTED',
    ...failure(code, words),
  }
}
