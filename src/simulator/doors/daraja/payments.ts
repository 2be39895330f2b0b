import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { NotPossible, type StatementEntry } from '../../world/world.ts'
import { RECEIVERS, STORE, TILL } from './accounts.ts'
import { type Call, type DarajaWorld, product, refusedToken } from './calls.ts'
import { cents, field, isAllowedAddress, msisdn, newRequestId, optionalField, readDate, shillings } from './wire.ts'

/*
 * Payments without a prompt (C2B), and the list of payments (Pull Transactions).
 */

/** The addresses that a short code has registered. */
export interface Registration {
  version: 'v1' | 'v2'
  unanswered: 'Completed' | 'Cancelled'
  confirmation: string
  validation: string
}

/** The name under which the world remembers the registration of a short code. */
export const registrationOf = (short_code: string): string => `addresses of ${short_code}`

const shortCode = field.refine((text) => RECEIVERS.includes(text), 'ShortCode')

const RegisterBody = z.object({
  ShortCode: shortCode,
  ResponseType: z.enum(['Completed', 'Cancelled']),
  ConfirmationURL: z.string().refine(isAllowedAddress, 'ConfirmationURL'),
  ValidationURL: z.string().refine(isAllowedAddress, 'ValidationURL'),
})

const SimulateBody = z.object({
  ShortCode: shortCode,
  CommandID: z.enum(['CustomerPayBillOnline', 'CustomerBuyGoodsOnline']),
  Amount: shillings,
  Msisdn: msisdn,
  BillRefNumber: optionalField,
})

const PullRegisterBody = z.object({
  ShortCode: shortCode,
  RequestType: z.literal('Pull'),
  NominatedNumber: msisdn,
  CallBackURL: z.string().refine(isAllowedAddress, 'CallBackURL'),
})

const date = field.transform((text, context): Date => {
  const read = readDate(text)
  if (read && text.includes('-')) return read
  context.addIssue('date')
  return z.NEVER
})

const PullBody = z.object({
  ShortCode: shortCode,
  StartDate: date,
  EndDate: date,
  OffSetValue: field.pipe(z.string().regex(/^\d{1,7}$/)).transform(Number),
})

/** Reach of the list into the past, and payments per page. */
const REACH_MS = 48 * 60 * 60 * 1_000
const PAGE = 100

export function addPaymentRoutes(server: FastifyInstance, world: DarajaWorld): void {
  for (const version of ['v1', 'v2'] as const)
    server.post(
      `/mpesa/c2b/${version}/registerurl`,
      { config: { verb: 'set up' } },
      product(world, refusedToken.c2b, RegisterBody, (call) => register(world, version, call)),
    )
  server.post(
    '/mpesa/c2b/v1/simulate',
    { config: { verb: 'simulate' } },
    product(world, refusedToken.c2b, SimulateBody, (call) => simulate(world, call)),
  )
  server.post(
    '/pulltransactions/v1/register',
    { config: { verb: 'set up' } },
    product(world, refusedToken.pull, PullRegisterBody, (call) => registerPull(world, call)),
  )
  server.post(
    '/pulltransactions/v1/query',
    { config: { verb: 'statement' } },
    product(world, refusedToken.pull, PullBody, (call) => listPayments(world, call)),
  )
}

async function register(
  world: DarajaWorld,
  version: 'v1' | 'v2',
  { body, switches, refuse }: Call<z.output<typeof RegisterBody>>,
) {
  const name = registrationOf(body.ShortCode)
  if (switches.registers_once && (await world.recall(name)) !== undefined)
    return refuse('500.003.1001', 'URLs are already registered')
  const registration: Registration = {
    version,
    unanswered: body.ResponseType,
    confirmation: body.ConfirmationURL,
    validation: body.ValidationURL,
  }
  await world.remember(name, registration)
  // The id is spelled like this.
  return { OriginatorCoversationID: newRequestId(), ResponseCode: '0', ResponseDescription: 'Success' }
}

async function simulate(world: DarajaWorld, { body, refuse }: Call<z.output<typeof SimulateBody>>) {
  try {
    await world.pay({
      phonenumber: `+${body.Msisdn}`,
      amount: body.Amount,
      currency: 'KES',
      receiver: body.ShortCode === STORE ? TILL : body.ShortCode,
      ...(body.CommandID === 'CustomerPayBillOnline' && { reference: body.BillRefNumber }),
    })
  } catch (error) {
    if (error instanceof NotPossible) return refuse('400.002.02', `Bad Request - ${error.message}`)
    throw error
  }
  return {
    OriginatorCoversationID: newRequestId(),
    ResponseCode: '0',
    ResponseDescription: 'Accept the service request successfully.',
  }
}

async function registerPull(world: DarajaWorld, { body, switches }: Call<z.output<typeof PullRegisterBody>>) {
  const name = `pull of ${body.ShortCode}`
  const is_new = (await world.recall(name)) === undefined
  const blank = switches.blank_in_status ? ' ' : ''
  await world.remember(name, body.CallBackURL)
  return {
    ResponseRefID: newRequestId(),
    [`Response${blank}Status`]: is_new ? '1000' : '1001',
    ShortCode: body.ShortCode,
    [`Response${blank}Description`]: is_new ? 'ShortCode registered successfully' : 'ShortCode already registered',
  }
}

/**
 * List the payments of a period with clear phone numbers. An empty list has its own code; the list itself is a
 * text.
 */
async function listPayments(world: DarajaWorld, { body, switches }: Call<z.output<typeof PullBody>>) {
  const { ShortCode, StartDate, EndDate, OffSetValue } = body
  const number = ShortCode === STORE ? TILL : ShortCode
  const oldest = new Date(world.now().getTime() - REACH_MS)
  const lines: object[] = []
  let skipped = 0
  // The last second of the period is a part of it.
  const to = new Date(EndDate.getTime() + 1_000)
  for await (const chunk of world.statement({ number, from: StartDate > oldest ? StartDate : oldest, to }))
    for (const entry of chunk) {
      if (entry.amount <= 0n || entry.reversal_of !== null) continue
      if (skipped < OffSetValue) skipped += 1
      else if (lines.length < PAGE) lines.push(await showLine(world, entry, switches.pull_date === 'EAT'))
    }
  const common = { ResponseRefID: newRequestId() }
  if (lines.length === 0)
    return { ...common, ResponseCode: '1001', ResponseMessage: 'No transactions', Response: '[[]]' }
  return { ...common, ResponseCode: '1000', ResponseMessage: 'Success', Response: [lines] }
}

async function showLine(world: DarajaWorld, entry: StatementEntry, in_eat: boolean): Promise<object> {
  const key = entry.order_reference
  const charge = key === null ? undefined : await world.findCharge({ key })
  const time = new Date(entry.paid_at.getTime() + (in_eat ? 3 * 3_600_000 : 0))
  return {
    transactionId: entry.remote_id,
    trxDate: `${time.toISOString().slice(0, 19)}Z`,
    // Write the national number as a JSON number.
    msisdn: Number(entry.phonenumber.slice(4)),
    sender: 'MPESA',
    transactiontype: 'c2b-pay-bill-debit',
    billreference: charge?.reference ?? entry.reference ?? '',
    amount: cents(entry.amount),
    organizationname: 'Simulated shop',
  }
}
