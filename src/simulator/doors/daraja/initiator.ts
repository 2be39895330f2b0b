import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { z } from 'zod'
import type { Outcome, Payout, RefundRefusal } from '../../world/world.ts'
import {
  FULL_SHORT_CODE,
  INITIATOR,
  INITIATOR_PASSWORD,
  outcomeOf,
  PAYOUT_SHORT_CODE,
  payoutNumbers,
  QUEUE_TIMEOUT_PHONE,
  RECEIVERS,
  SILENT_PHONE,
  STORE,
  TILL,
  UNKNOWN_CODE,
  UNKNOWN_CODE_PHONE,
} from './accounts.ts'
import { type Call, type DarajaWorld, product, refusedToken } from './calls.ts'
import { decryptCredential } from './keys.ts'
import { type Ids, newIds, paymentState, payoutState, resultBody, taken } from './results.ts'
import { cents, compactDate, field, isAllowedAddress, msisdn, optionalField, shillings } from './wire.ts'

/*
 * Calls of an API operator: payouts, reversals, status queries. Daraja answers each with "accepted", even for a wrong
 * password. The result goes later to the address that the call names.
 */

const addresses = {
  ResultURL: z.string().refine(isAllowedAddress, 'ResultURL'),
  QueueTimeOutURL: z.string().refine(isAllowedAddress, 'QueueTimeOutURL'),
  SecurityCredential: field,
  Remarks: field.pipe(z.string().min(2).max(100)),
}
const ownShortCode = field.refine((text) => RECEIVERS.includes(text) || text === PAYOUT_SHORT_CODE, 'PartyA')

const PayoutBody = z.object({
  OriginatorConversationID: optionalField,
  // Called Initiator everywhere else.
  InitiatorName: field,
  CommandID: z.enum(['BusinessPayment', 'SalaryPayment', 'PromotionPayment']),
  Amount: shillings,
  PartyA: ownShortCode,
  PartyB: msisdn,
  ...addresses,
})
const NewPayoutBody = PayoutBody.extend({ OriginatorConversationID: field })

const ReversalBody = z.object({
  Initiator: field,
  CommandID: z.literal('TransactionReversal'),
  TransactionID: field,
  Amount: shillings,
  ReceiverParty: ownShortCode,
  // Spelled like this. The right spelling is refused.
  RecieverIdentifierType: field.pipe(z.enum(['4', '11'])),
  ...addresses,
})

const StatusBody = z.object({
  Initiator: field,
  CommandID: z.literal('TransactionStatusQuery'),
  TransactionID: optionalField,
  OriginatorConversationID: optionalField,
  OriginalConversationID: optionalField,
  PartyA: ownShortCode,
  IdentifierType: field.pipe(z.enum(['1', '2', '4'])),
  ...addresses,
})

const BalanceBody = z.object({
  Initiator: field,
  CommandID: z.literal('AccountBalance'),
  PartyA: ownShortCode,
  IdentifierType: field.pipe(z.enum(['1', '2', '4'])),
  ...addresses,
})

export function addInitiatorRoutes(server: FastifyInstance, world: DarajaWorld): void {
  const add = (path: string, verb: string, handler: RouteHandlerMethod) =>
    server.post(path, { config: { verb } }, handler)
  const { payout, reversal, status, balance } = refusedToken
  // Version 1 has no idempotency key.
  add(
    '/mpesa/b2c/v1/paymentrequest',
    'payout',
    product(world, payout, PayoutBody, (call) => pay(world, call, false)),
  )
  add(
    '/mpesa/b2c/v3/paymentrequest',
    'payout',
    product(world, payout, NewPayoutBody, (call) => pay(world, call, true)),
  )
  add(
    '/mpesa/reversal/v1/request',
    'refund',
    product(world, reversal, ReversalBody, (call) => reverse(world, call)),
  )
  add(
    '/mpesa/transactionstatus/v1/query',
    'payout status',
    product(world, status, StatusBody, (call) => answerStatus(world, call)),
  )
  add(
    '/mpesa/accountbalance/v1/query',
    'balance',
    product(world, balance, BalanceBody, (call) => answerBalance(world, call)),
  )
}

async function pay(world: DarajaWorld, { body, reply, refuse }: Call<z.output<typeof PayoutBody>>, has_key: boolean) {
  const originator = has_key ? body.OriginatorConversationID : undefined
  const ids = newIds(world.now(), body.ResultURL, body.QueueTimeOutURL, originator)
  const key = ids.OriginatorConversationID
  const duplicate = () => refuse('500.002.1001', 'Duplicate OriginatorConversationID.')
  if (await world.findPayout({ key })) return duplicate()
  const phonenumber = `+${body.PartyB}`
  const outcome = await payoutOutcome(world, body, phonenumber)
  const placed = await world.placePayout({
    key,
    remote_id: ids.ConversationID,
    sender: body.PartyA,
    phonenumber,
    amount: body.Amount,
    currency: 'KES',
    reason: body.Remarks,
    callback_url: phonenumber === QUEUE_TIMEOUT_PHONE ? ids.timeout_url : ids.result_url,
    details: { ...ids },
    ...(outcome && { outcome }),
  })
  if (placed.outcome === 'not_accepted') return refuse('500.003.1001', 'Internal Server Error')
  // Another call with this id was faster.
  if (placed.outcome === 'conflict' || !placed.first) return duplicate()
  if (!placed.answers) return reply.hijack()
  return taken(ids)
}

/** Decide the end of a payout by the call, the balance or a documented number. */
async function payoutOutcome(
  world: DarajaWorld,
  body: z.output<typeof PayoutBody>,
  phonenumber: string,
): Promise<Outcome | undefined> {
  const fail = (code: string) => outcomeOf(payoutNumbers, `+25470900${code}`)
  if (!isInitiator(body.InitiatorName, body.SecurityCredential)) return fail('2001')
  if (body.PartyA !== PAYOUT_SHORT_CODE && body.PartyA !== FULL_SHORT_CODE) return fail('2028')
  const shillings_wanted = Number(cents(body.Amount))
  if (shillings_wanted < 10) return fail('0002')
  if (shillings_wanted > 250_000) return fail('0003')
  if ((await world.balance(body.PartyA, 'KES')) < body.Amount) return fail('0001')
  if (phonenumber === SILENT_PHONE) return { ends: 'never' }
  return phonenumber === UNKNOWN_CODE_PHONE ? UNKNOWN_CODE : outcomeOf(payoutNumbers, phonenumber)
}

const isInitiator = (name: string, credential: string) =>
  name === INITIATOR && decryptCredential(credential) === INITIATOR_PASSWORD

/** M-Pesa's codes for a refused reversal. */
const reversalRefusals: Readonly<Record<RefundRefusal, [code: string, words: string]>> = {
  payment_not_found: ['R000002', 'The original transaction ID is invalid or does not exist.'],
  payment_reversed: ['R000001', 'The transaction has already been reversed.'],
  amount_too_large: ['R000001', 'The transaction has already been reversed.'],
  wrong_currency: ['25', 'Invalid request parameters.'],
}

async function reverse(world: DarajaWorld, { body, reply, switches, refuse }: Call<z.output<typeof ReversalBody>>) {
  const now = world.now()
  const ids = newIds(now, body.ResultURL, body.QueueTimeOutURL)
  const list = switches.reference_items === 'list'
  const fail = async ([code, words]: [string, string]) => {
    await world.sendCallback({
      url: ids.result_url,
      body: resultBody(ids, { now, code, words, code_as_text: true, list }),
      after_s: 1,
    })
    return taken(ids)
  }
  if (!isInitiator(body.Initiator, body.SecurityCredential)) return fail(WRONG_INITIATOR)
  const payment = await world.findPayment(body.TransactionID)
  const receiver = body.ReceiverParty === STORE ? TILL : body.ReceiverParty
  if (payment?.receiver !== receiver) return fail(reversalRefusals.payment_not_found)
  // M-Pesa reverses only whole payments.
  if (payment.amount !== body.Amount) return fail(['25', 'Invalid request parameters.'])
  const placed = await world.placeRefund({
    key: ids.OriginatorConversationID,
    remote_id: ids.ConversationID,
    payment: body.TransactionID,
    amount: body.Amount,
    reason: body.Remarks,
    callback_url: ids.result_url,
    details: { ...ids },
  })
  if (placed.outcome === 'impossible') return fail(reversalRefusals[placed.reason])
  if (placed.outcome !== 'accepted') return refuse('500.003.1001', 'Internal Server Error')
  if (!placed.answers) return reply.hijack()
  return taken(ids)
}

const WRONG_INITIATOR: [string, string] = ['2001', 'The initiator information is invalid.']

async function answerStatus(world: DarajaWorld, { body, switches }: Call<z.output<typeof StatusBody>>) {
  const now = world.now()
  const ids = newIds(now, body.ResultURL, body.QueueTimeOutURL)
  const list = switches.reference_items === 'list'
  const answer = (options: Partial<Parameters<typeof resultBody>[1]>) =>
    world.sendCallback({ url: ids.result_url, body: resultBody(ids, { now, list, ...options }), after_s: 1 })
  const found = isInitiator(body.Initiator, body.SecurityCredential) ? await findState(world, body, now) : 'refused'
  if (found === 'refused') await answer({ code: WRONG_INITIATOR[0], words: WRONG_INITIATOR[1] })
  else if (!found) await answer({ code: '25', words: 'The transaction does not exist.' })
  else await answer(found)
  return taken(ids)
}

async function findState(world: DarajaWorld, body: z.output<typeof StatusBody>, now: Date) {
  const { TransactionID: receipt } = body
  const originator = body.OriginatorConversationID || body.OriginalConversationID
  const payment = receipt === '' ? undefined : await world.findPayment(receipt)
  if (payment) return { receipt, parameters: paymentState(payment) }
  const name = receipt === '' ? { key: originator } : { transaction: receipt }
  if (originator === '' && receipt === '') return undefined
  const payout: Payout | undefined = (await world.findPayout(name)) ?? (await world.findRefund(name))
  if (!payout) return undefined
  return { receipt: payout.transaction, parameters: payoutState(payout, payout.details as unknown as Ids, now) }
}

async function answerBalance(world: DarajaWorld, { body, switches }: Call<z.output<typeof BalanceBody>>) {
  const now = world.now()
  const ids = newIds(now, body.ResultURL, body.QueueTimeOutURL)
  const list = switches.reference_items === 'list'
  const good = isInitiator(body.Initiator, body.SecurityCredential)
  const sum = cents(await world.balance(body.PartyA, 'KES'))
  const AccountBalance = [
    'Working Account|KES|0.00|0.00|0.00|0.00',
    `Utility Account|KES|${sum}|${sum}|0.00|0.00`,
    'Charges Paid Account|KES|0.00|0.00|0.00|0.00',
  ].join('&')
  const options = good
    ? {
        now,
        list,
        parameters: { AccountBalance, BOCompletedTime: Number(compactDate(now)) },
      }
    : { now, list, code: WRONG_INITIATOR[0], words: WRONG_INITIATOR[1] }
  await world.sendCallback({ url: ids.result_url, body: resultBody(ids, options), after_s: 1 })
  return taken(ids)
}
