import { randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Amount, formatAmount, parseAmount } from '../../../lib/money.ts'
import { isObject, type JsonObject } from '../../../lib/structured-input.ts'
import { OPENING_BALANCE, type Outcome } from '../../world/world.ts'
import { type Effect, effectOf } from './codes.ts'
import { readBody, refusal } from './gateway.ts'
import { makeGoods } from './goods.ts'
import { type Service, serviceOf } from './services.ts'
import { DOCUMENTED, type VtpassSwitches, type VtpassWorld, WALLET } from './switches.ts'
import { costOf, type SaleDetails, showTransaction } from './transactions.ts'

/** Add the purchase and its status query. */
export function addPurchaseRoutes(server: FastifyInstance, world: VtpassWorld): void {
  server.post('/pay', { config: { verb: 'vend' } }, (request, reply) => pay(request, reply, world))

  server.post('/requery', { config: { verb: 'vend status' } }, async (request) => {
    const request_id = readBody(request)?.request_id
    const sale = typeof request_id === 'string' ? await world.findPayout({ key: request_id }) : undefined
    return sale ? showTransaction(sale, await world.switches()) : refusal('015')
  })
}

/** The naira in the wallet. */
export async function walletBalance(world: VtpassWorld, { wallet }: VtpassSwitches): Promise<Amount> {
  return (await world.balance(WALLET, 'NGN')) - OPENING_BALANCE + (parseAmount(String(wallet)) ?? 0n)
}

/** Order, parsed from the call. */
interface ParsedOrder {
  request_id: string
  service: Service
  variation: string
  amount: Amount
  quantity: number
  phone: string
  account: string
}

async function pay(request: FastifyRequest, reply: FastifyReply, world: VtpassWorld) {
  const asked = readOrder(readBody(request), world.now())
  if ('code' in asked) return asked
  const switches = await world.switches()
  if (await world.findPayout({ key: asked.request_id })) return refusal('014')
  const effect = decide(asked, switches)
  if (effect.ends === 'refused') return refusal(effect.code!)
  const twice = `${asked.service.id} ${asked.account || asked.phone}`
  // Of two calls at once the later one finds the sale of the first, which is the same and no likely duplicate.
  if (await isTooSoon(world, twice, switches))
    return refusal((await world.findPayout({ key: asked.request_id })) ? '014' : '019')
  const { cost } = costOf(asked.amount, asked.service.commission)
  if (effect.ends === 'delivered' && cost > (await walletBalance(world, switches))) return refusal('018')
  const placed = await world.placePayout({
    key: asked.request_id,
    remote_id: newTransactionId(world.real()),
    kind: 'airtime',
    sender: WALLET,
    phonenumber: `+234${asked.phone.slice(1)}`,
    amount: cost,
    currency: 'NGN',
    reason: asked.service.name,
    details: toDetails(asked, effect) as unknown as Record<string, unknown>,
    outcome: toOutcome(effect, switches),
  })
  if (placed.outcome === 'not_accepted') return reply.code(503).send({})
  if (placed.outcome === 'conflict' || !placed.first) return refusal('014')
  await rememberSale(world, twice, switches)
  if (effect.answer === 'never') return reply.hijack()
  if (effect.answer === 'empty') return reply.send('')
  if (effect.answer === 'unexpected') return { response_description: 'UNEXPECTED RESPONSE', content: [] }
  return showTransaction(placed.order, switches)
}

/** Run VTpass's first checks, in its order. */
function readOrder(body: JsonObject | undefined, now: Date): ParsedOrder | ReturnType<typeof refusal> {
  const { request_id, serviceID, variation_code = '', amount, phone, billersCode = '', quantity = 1 } = body ?? {}
  if (typeof request_id !== 'string' || !/^\d{12}[0-9A-Za-z]*$/.test(request_id))
    return refusal('085', ': FIRST 12 CHARACTERS MUST BE DATE AND TIME')
  if (!request_id.startsWith(dayInLagos(now))) return refusal('085', ": NOT TODAY'S DATE")
  if (!isText(phone) || !isText(billersCode)) return refusal('011')
  const service = serviceOf(serviceID)
  if (!service) return refusal('012')
  const renews = body?.subscription_type === 'renew'
  const variation = service.variations.find(({ code }) => code === variation_code)
  if (service.variations.length > 0 && !variation && !renews) return refusal('010')
  if (service.category !== 'airtime' && service.category !== 'education' && billersCode === '') return refusal('011')
  const pieces = Number(quantity)
  if (!Number.isInteger(pieces) || pieces < 1) return refusal('031')
  if (pieces > 12) return refusal('032')
  // The price of a variation counts, whatever the amount says.
  const price = variation?.amount ? parseAmount(String(variation.amount * pieces)) : parseAmount(String(amount))
  if (price === undefined || price <= 0n) return refusal('011')
  if (price < BigInt(service.min) * 10_000n) return refusal('013')
  if (price > BigInt(service.max) * 10_000n) return refusal('017')
  return {
    request_id,
    service,
    variation: String(variation_code),
    amount: price,
    quantity: pieces,
    phone: String(phone),
    account: String(billersCode),
  }
}

function isText(value: unknown): boolean {
  return (typeof value === 'string' && value.length <= 100) || typeof value === 'number'
}

function decide({ account, phone, service }: ParsedOrder, { numbers }: VtpassSwitches): Effect {
  const special = effectOf(account) ?? effectOf(phone)
  if (special) return special
  // Without an account, the phone number is the recipient, except for pins.
  const number = account || phone
  const sells = numbers === 'any' || DOCUMENTED.has(number) || service.category === 'education'
  return { ends: sells ? 'delivered' : 'failed' }
}

/** Recent sales are kept in so many values, so that they neither grow nor get in each other's way. */
const PLACES = 64

function placeOf(name: string): string {
  const sum = [...Buffer.from(name)].reduce((total, byte) => (total * 31 + byte) % PLACES, 0)
  return `recent sales ${sum}`
}

/** The recent sales in the place of this one: when each was, in milliseconds, by service and account. */
async function recentSales(world: VtpassWorld, name: string, { duplicate_seconds }: VtpassSwitches) {
  const kept = await world.recall(placeOf(name))
  const earliest = world.now().getTime() - duplicate_seconds * 1_000
  return Object.entries(isObject(kept) ? kept : {}).filter(([, at]) => Number(at) > earliest)
}

async function isTooSoon(world: VtpassWorld, name: string, switches: VtpassSwitches): Promise<boolean> {
  return (await recentSales(world, name, switches)).some(([one]) => one === name)
}

async function rememberSale(world: VtpassWorld, name: string, switches: VtpassSwitches): Promise<void> {
  const others = await recentSales(world, name, switches)
  await world.remember(placeOf(name), { ...Object.fromEntries(others), [name]: world.now().getTime() })
}

function toDetails(asked: ParsedOrder, effect: Effect): SaleDetails {
  const { request_id, service, variation, amount, quantity, phone, account } = asked
  return {
    request_id,
    service_id: service.id,
    service_name: service.name,
    category: service.category,
    account,
    phone,
    amount: formatAmount(amount),
    quantity,
    code: effect.code ?? null,
    commission: formatAmount(costOf(amount, service.commission).commission),
    ends: effect.ends === 'refused' ? 'failed' : effect.ends,
    pending: effect.pending === true,
    goods: effect.ends === 'delivered' ? makeGoods(service, variation, amount, quantity) : {},
  }
}

function toOutcome({ ends, pending, code }: Effect, { pending_seconds }: VtpassSwitches): Outcome {
  const after_s = pending ? pending_seconds : 0
  if (ends === 'delivered') return { ends: 'paid', after_s }
  if (ends === 'resolved') return { ends: 'never' }
  return { ends: 'failed', reason: 'rejected', code: code ?? '016', after_s }
}

/** `YYYYMMDD` in Lagos, which has no summer time. */
function dayInLagos(now: Date): string {
  return new Date(now.getTime() + 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')
}

/** Make a transaction id as VTpass does: the time, then digits that cannot be guessed. */
function newTransactionId(now: Date): string {
  return `${now.getTime()}${String(randomInt(10 ** 10)).padStart(10, '0')}`
}
