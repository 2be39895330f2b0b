import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Amount, displayAmount } from '../../../lib/money.ts'
import { OPENING_BALANCE, type Payout, type StatementEntry } from '../../world/world.ts'
import { codeOfReason, testCaseOf, wordsOf } from './codes.ts'
import { refundKey } from './collection-routes.ts'
import {
  envelope,
  isForged,
  nationalNumber,
  part,
  phoneOf,
  placeOf,
  readBody,
  refusal,
  routerRefusal,
  switchesOf,
} from './gateway.ts'
import { decrypt, keyOf } from './keys.ts'
import { type AirtelWorld, isReadableId, PIN, walletOf } from './switches.ts'

/** The product Disbursement. */
export function addDisbursementRoutes(server: FastifyInstance, world: AirtelWorld): void {
  for (const version of ['v1', 'v2'] as const) {
    server.post(`/standard/${version}/disbursements/`, { config: { verb: 'payout' } }, (request, reply) =>
      placePayout(request, reply, world, version),
    )
    const status = { config: { verb: 'payout status' } }
    server.get<{ Params: { id: string } }>(`/standard/${version}/disbursements/:id`, status, async (request) => {
      const { id } = request.params
      const payout = isReadableId(switchesOf(request), id) ? await world.findPayout({ key: id }) : undefined
      if (!payout || testCaseOf('disbursement', payout.phonenumber)?.at === 'lost') return refusal('DP00900001015')
      return showPayout(payout)
    })
  }
}

async function placePayout(request: FastifyRequest, reply: FastifyReply, world: AirtelWorld, version: 'v1' | 'v2') {
  if (version === 'v2' && (await isForged(request, world))) return refusal('DP00900001016')
  const body = readBody(request)
  const { country, currency } = placeOf(request)
  const { id, amount, type } = part(body, 'transaction')
  const { msisdn, currency: payee_currency = currency } = part(body, 'payee')
  const is_complete = typeof id === 'string' && /^[\x21-\x7e]{1,100}$/.test(id) && typeof body?.reference === 'string'
  if (!is_complete || (version === 'v2' && type !== 'B2C' && type !== 'B2B') || payee_currency !== currency)
    return refusal('DP00900001000', 'Validation error', 'ESB000008')
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0) return refusal('DP00900001004')
  const pin = decrypt(await keyOf(world), String(body.pin))
  if (pin === undefined) return routerRefusal(reply, 'ROUTER116', 'Incorrect Encrypted Pin')
  if (pin !== PIN) return routerRefusal(reply, 'ROUTER115', 'Incorrect Pin')
  const phone = phoneOf(country, msisdn)
  if ('code' in phone) return refusal('DP00900001012')
  const test = testCaseOf('disbursement', phone.phonenumber)
  if (test?.at === 'call') return refusal(test.code)
  const placed = await world.placePayout({
    key: id,
    phonenumber: phone.phonenumber,
    amount: BigInt(amount) * 10_000n,
    currency,
    sender: walletOf(switchesOf(request), 'DISB'),
    reason: String(body.reference).slice(0, 500),
    ...(test?.outcome && { outcome: test.outcome }),
  })
  if (placed.outcome === 'not_accepted')
    return reply.code(503).send({ status_message: 'Service Unavailable', status_code: '503' })
  if (placed.outcome === 'conflict' || !placed.first) return refusal('DP00900001017')
  if (!placed.answers) return reply.hijack()
  const { payout_answer: status } = switchesOf(request)
  const transaction = { reference_id: `18${'0'.repeat(8)}`, airtel_money_id: `partner-${id}`, id, status }
  return envelope({ transaction }, status === 'TS' ? 'DP00900001001' : 'DP00900001006')
}

function showPayout({ key: id, state, failure, phonenumber }: Payout) {
  const show = (status: string, code: string) => envelope({ transaction: { id, message: wordsOf(code), status } }, code)
  if (state === 'taken_back') return show('TR', 'DP00900001001')
  if (state === 'paid') return show('TS', 'DP00900001001')
  if (failure) return show('TF', failure.code ?? codeOfReason('disbursement', failure.reason))
  const open = testCaseOf('disbursement', phonenumber)
  return show(open?.word ?? 'TIP', open?.word ? open.code : 'DP00900001006')
}

/** The products Account and KYC, and the summary of transactions. */
export function addAccountRoutes(server: FastifyInstance, world: AirtelWorld): void {
  const showBalance = (balance: Amount, currency: string) => {
    const data = { balance: twoDecimals(balance), currency, account_status: 'Active' }
    return envelope(data, 'DP02100000001', { success: false })
  }
  const balance = { config: { verb: 'balance' } }
  server.get('/standard/v1/users/balance', balance, async (request) => {
    const { currency } = placeOf(request)
    const switches = switchesOf(request)
    const numbers = new Set([walletOf(switches, 'COLL'), walletOf(switches, 'DISB')])
    const amounts = await Promise.all([...numbers].map((number) => world.balance(number, currency)))
    const sum = amounts.reduce((one, other) => one + other - OPENING_BALANCE)
    return showBalance(sum, currency)
  })
  server.get<{ Querystring: { type?: string } }>('/standard/v2/users/balance', balance, async (request) => {
    const { currency } = placeOf(request)
    const { type = 'COLL' } = request.query
    if (type !== 'COLL' && type !== 'DISB') return refusal('DP02100000002', 'User Not Found')
    return showBalance(await world.balance(walletOf(switchesOf(request), type), currency), currency)
  })

  const holder = { config: { verb: 'account holder' } }
  server.get<{ Params: { msisdn: string } }>('/standard/v1/users/:msisdn', holder, async (request, reply) => {
    const { msisdn } = request.params
    const phone = phoneOf(placeOf(request).country, msisdn)
    if ('code' in phone) return refusal('DP02200000002', 'User Not Found')
    const found = world.holder(phone.phonenumber)
    if (found === 'network_down')
      return reply.code(503).send({ status_message: 'Service Unavailable', status_code: '503' })
    if (found === 'not_registered') return refusal('DP02200000002', 'User Not Found')
    const [first_name = '', ...rest] = (found.name ?? '').split(' ')
    const names = { first_name, last_name: rest.join(' ') }
    const account = { grade: 'SUBS', is_barred: false, is_pin_set: true, msisdn, registration: { status: 'SUBS' } }
    return envelope({ ...names, ...account }, 'DP02200000001')
  })

  const statement = { config: { verb: 'statement' } }
  server.get<{ Querystring: Record<string, string> }>(
    '/merchant/v1/transactions',
    statement,
    async (request, reply) => {
      const { from, to, limit = '100', offset = '0' } = request.query
      if ([from, to, limit, offset].some((text) => !/^\d{1,12}$/.test(text ?? '')))
        return routerRefusal(reply, 'ROUTER003', 'Missing required headers or body parameters')
      const period = { from: new Date(Number(from) * 1_000), to: new Date(Number(to) * 1_000) }
      const entries = await readPage(world, period, Number(offset), Math.min(500, Number(limit)))
      const transactions = await Promise.all(entries.map((entry) => showEntry(entry, world)))
      return envelope({ count: transactions.length, transactions }, undefined)
    },
  )
}

/** Lines of the statement. The summary has no lines for parts that were taken back. */
async function readPage(world: AirtelWorld, period: { from: Date; to: Date }, offset: number, limit: number) {
  const page: StatementEntry[] = []
  let skipped = 0
  for await (const chunk of world.statement(period))
    for (const entry of chunk) {
      if (entry.reversal_of !== null) continue
      if (skipped < offset) skipped += 1
      else if (page.length < limit) page.push(entry)
    }
  return page
}

async function showEntry(entry: StatementEntry, world: AirtelWorld) {
  const { amount, currency, phonenumber, name, order_reference, paid_at, status } = entry
  const customer = { currency, msisdn: nationalNumber(phonenumber), name: name ?? '' }
  const business = { currency, msisdn: entry.receiver, name: 'Simulated Shop' }
  const came_in = amount > 0n
  // The answer to a refund carried the order id, which is the only one the business knows.
  const refund = order_reference?.startsWith(refundKey('')) && (await world.findRefund({ key: order_reference }))
  return {
    charges: { service: 0 },
    payee: came_in ? business : customer,
    payer: came_in ? customer : business,
    service: { type: came_in ? 'MERCHPAY' : 'CASHIN' },
    transaction: {
      airtel_money_id: refund ? refund.remote_id : entry.remote_id,
      amount: twoDecimals(came_in ? amount : -amount),
      created_at: Math.floor(paid_at.getTime() / 1_000),
      id: order_reference ?? '',
      reference_number: order_reference ?? '',
      status: status === 'reversed' ? 'TR' : 'TS',
    },
  }
}

/** `37,600.00`. */
function twoDecimals(amount: Amount): string {
  const [whole, decimals = ''] = displayAmount(amount).split('.') as [string, string?]
  return `${whole}.${decimals.padEnd(2, '0')}`
}
