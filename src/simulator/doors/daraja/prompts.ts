import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Charge, Outcome } from '../../world/world.ts'
import {
  chargeNumbers,
  chargeResult,
  FULL_SHORT_CODE,
  outcomeOf,
  PASSKEY,
  PAYBILL,
  STORE,
  TILL,
  UNKNOWN_CODE,
  UNKNOWN_CODE_PHONE,
} from './accounts.ts'
import { type Call, type DarajaWorld, product, refusedToken } from './calls.ts'
import {
  cents,
  field,
  isAllowedAddress,
  msisdn,
  newCheckoutId,
  newRequestId,
  optionalField,
  readDate,
  shillings,
} from './wire.ts'

/*
 * M-Pesa Express. It has no idempotency key: each call starts a new prompt, whose id is made here.
 */

const PromptBody = z.object({
  BusinessShortCode: field,
  Password: z.string(),
  Timestamp: field,
  TransactionType: z.enum(['CustomerPayBillOnline', 'CustomerBuyGoodsOnline']),
  Amount: shillings.refine((amount) => Number(cents(amount)) <= 250_000, 'Amount'),
  PartyA: z.union([z.string(), z.number()]),
  PartyB: field,
  PhoneNumber: msisdn,
  CallBackURL: z.string().refine(isAllowedAddress, 'CallBackURL'),
  AccountReference: field.pipe(z.string().max(12)),
  TransactionDesc: optionalField,
})

const QuestionBody = z.object({
  BusinessShortCode: field,
  Password: z.string(),
  Timestamp: field,
  CheckoutRequestID: field,
})

/** The short codes that have the passkey. */
const PROMPTING: readonly string[] = [PAYBILL, STORE, FULL_SHORT_CODE]
/** Seconds until a prompt expires on the phone. */
const PROMPT_S = 60
/** Longer descriptions break the push, although they are taken. */
const MAX_DESCRIPTION = 182

export function addPromptRoutes(server: FastifyInstance, world: DarajaWorld): void {
  server.post(
    '/mpesa/stkpush/v1/processrequest',
    { config: { verb: 'charge' } },
    product(world, refusedToken.prompt, PromptBody, (call) => placePrompt(world, call)),
  )
  server.post(
    '/mpesa/stkpushquery/v1/query',
    { config: { verb: 'charge status' } },
    product(world, refusedToken.prompt, QuestionBody, (call) => answerQuestion(world, call)),
  )
}

async function placePrompt(world: DarajaWorld, call: Call<z.output<typeof PromptBody>>) {
  const { body, reply, switches, refuse } = call
  const fault = faultOf(world, call)
  if (fault) return refuse(...fault)
  if (!msisdn.safeParse(body.PartyA).success) return refuse('400.002.02', 'Bad Request - Invalid PartyA')
  const phonenumber = `+${body.PhoneNumber}`
  if (switches.locks_subscriber && (await isLocked(world, phonenumber)))
    return refuse(
      '500.001.1001',
      'Unable to lock subscriber, a transaction is already in process for the current subscriber',
    )
  const key = newCheckoutId(world.now(), body.PhoneNumber)
  const MerchantRequestID = newRequestId()
  const outcome = outcomeFor(call, phonenumber)
  const placed = await world.placeCharge({
    key,
    reference: body.AccountReference,
    remote_id: key,
    receiver: body.PartyB,
    phonenumber,
    amount: body.Amount,
    currency: 'KES',
    reason: body.TransactionDesc,
    prompt_s: PROMPT_S,
    callback_url: body.CallBackURL,
    details: { MerchantRequestID, kind: body.TransactionType },
    ...(outcome && { outcome }),
  })
  if (placed.outcome !== 'accepted') return refuse('500.001.1001', 'System busy. Please try again after few minutes.')
  if (!placed.answers) return reply.hijack()
  return {
    MerchantRequestID,
    CheckoutRequestID: key,
    ResponseCode: '0',
    ResponseDescription: 'Success. Request accepted for processing',
    CustomerMessage: 'Success. Request accepted for processing',
  }
}

/** Return the reason to refuse the short code, its password or the time. */
function faultOf(
  world: DarajaWorld,
  { body, switches }: Call<{ BusinessShortCode: string; Password: string; Timestamp: string }>,
): [code: string, message: string] | undefined {
  const { BusinessShortCode, Password, Timestamp } = body
  if (!PROMPTING.includes(BusinessShortCode)) return ['500.001.1001', 'Merchant does not exist']
  const date = readDate(Timestamp)
  if (!date || Timestamp.length !== 14) return ['400.002.02', 'Bad Request - Invalid Timestamp']
  const behind_h = (world.real().getTime() - date.getTime()) / 3_600_000
  if (switches.checks_time_zone && behind_h > 2.5 && behind_h < 3.5)
    return ['400.002.02', 'Bad Request - Invalid Timestamp']
  const expected = Buffer.from(BusinessShortCode + PASSKEY + Timestamp).toString('base64')
  return Password === expected ? undefined : ['500.001.1001', 'Wrong credentials']
}

async function isLocked(world: DarajaWorld, phonenumber: string): Promise<boolean> {
  const now_ms = world.now().getTime()
  const open = await world.openPrompts(phonenumber)
  return open.some(({ created }) => now_ms - created.getTime() < PROMPT_S * 1_000)
}

/** Decide the end of a prompt by the call or a documented number. */
function outcomeFor({ body, switches }: Call<z.output<typeof PromptBody>>, phonenumber: string): Outcome | undefined {
  const { BusinessShortCode, TransactionType, PartyA, PartyB, TransactionDesc } = body
  const fits =
    TransactionType === 'CustomerPayBillOnline'
      ? BusinessShortCode !== STORE && PartyB === BusinessShortCode
      : BusinessShortCode === STORE && PartyB === TILL
  if (!fits) return outcomeOf(chargeNumbers, '+254709002028')
  if (TransactionDesc.length > MAX_DESCRIPTION) return outcomeOf(chargeNumbers, '+254709001025')
  if (switches.phone_as_text_fails && typeof PartyA === 'string') return outcomeOf(chargeNumbers, '+254709001037')
  return phonenumber === UNKNOWN_CODE_PHONE ? UNKNOWN_CODE : outcomeOf(chargeNumbers, phonenumber)
}

async function answerQuestion(world: DarajaWorld, call: Call<z.output<typeof QuestionBody>>) {
  const { body, switches, refuse } = call
  const fault = faultOf(world, call)
  if (fault) return refuse(...fault)
  const charge = await world.findCharge({ key: body.CheckoutRequestID })
  // An unknown prompt looks like an open one.
  if (!charge) return refuse('500.001.1001', 'The transaction is being processed')
  const is_open = charge.state === 'pending'
  if (is_open && switches.open_prompt === 'error') return refuse('500.001.1001', 'The transaction is being processed')
  const [code, words] = is_open ? ['4999', 'The transaction is still under processing'] : endOf(charge)
  return {
    ResponseCode: '0',
    ResponseDescription: 'The service request has been accepted successsfully',
    MerchantRequestID: charge.details.MerchantRequestID,
    CheckoutRequestID: charge.key,
    ResultCode: switches.code_as_number && /^\d+$/.test(code) ? Number(code) : code,
    ResultDesc: words,
  }
}

/** Return the result code and text of an ended prompt. */
export function endOf(charge: Charge): [code: string, words: string] {
  return charge.state === 'failed' ? chargeResult(charge) : ['0', 'The service request is processed successfully.']
}
