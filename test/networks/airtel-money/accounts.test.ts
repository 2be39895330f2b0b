import { afterEach, describe, expect, it } from 'vitest'
import { type StatementLine, WrongStatement } from '../../../src/lib/statements/statement-line.ts'
import { keyLifetime } from '../../../src/networks/airtel-money/client.ts'
import { readPublicKey } from '../../../src/networks/airtel-money/signing.ts'
import { type Answer, envelope, openRecorder, public_key, type Recorder } from './airtel-test.ts'

let recorder: Recorder
afterEach(() => recorder?.close())

const open = async (rows: Record<string, Answer | Answer[]>, given: Record<string, unknown> = {}) => {
  recorder = await openRecorder(rows, given)
  return recorder.operations
}
const data = (data: object, status: object = {}): Answer => ({ body: { data, status: { code: '200', ...status } } })

describe('the holder of an account', () => {
  const HOLDER = 'GET /standard/v1/users/752000001'
  const grace = { first_name: 'Grace', last_name: ' Auma ', msisdn: '752000001', is_barred: false, is_pin_set: true }

  it.each<[string, Answer, object]>([
    ['a name', data(grace), { outcome: 'found', name: 'Grace Auma' }],
    [
      'a number with the calling code',
      data({ ...grace, msisdn: 256752000001 }),
      { outcome: 'found', name: 'Grace Auma' },
    ],
    ['hidden digits', data({ ...grace, msisdn: '75****01' }), { outcome: 'found', name: 'Grace Auma' }],
    ['no name', data({ msisdn: '752000001' }), { outcome: 'found', name: null }],
    [
      'a barred account',
      data({ ...grace, is_barred: true, is_pin_set: false }),
      { outcome: 'found', name: 'Grace Auma' },
    ],
    ['another phone', data({ ...grace, msisdn: '752000002' }), { outcome: 'unknown' }],
    ['an unknown user', envelope(undefined, 'DP02200000002', { success: false }), { outcome: 'not_found' }],
    ['a failure', envelope(undefined, 'DP02200000000', { success: false }), { outcome: 'unknown' }],
    ['404 without a code', { status: 404, body: '{}' }, { outcome: 'unknown' }],
    ['429', { status: 429 }, { outcome: 'unknown' }],
    ['HTML', { body: '<html>' }, { outcome: 'unknown' }],
  ])('is answered with %s', async (_, answer, outcome) => {
    const operations = await open({ [HOLDER]: answer })
    expect(await operations.accountHolder('+256752000001')).toMatchObject(outcome)
  })

  it("of another country's phone is not Airtel's here", async () => {
    const operations = await open({})
    expect(await operations.accountHolder('+254752000001')).toEqual({ outcome: 'not_found' })
    expect(recorder.requests).toEqual([])
  })
})

describe('the balance', () => {
  const BALANCE = 'GET /standard/v1/users/balance'

  it.each<[string, Answer, object]>([
    [
      'commas, beside success:false',
      data(
        { balance: '1,237,600.50', currency: 'UGX', account_status: 'Active' },
        { response_code: 'DP02100000001', success: false },
      ),
      { outcome: 'found', balances: [{ currency: 'UGX', amount: 12_376_005_000n }] },
    ],
    [
      'a number',
      data({ balance: 37600.1 }),
      { outcome: 'found', balances: [{ currency: 'UGX', amount: 376_001_000n }] },
    ],
    [
      'a number that a float would change',
      data({ balance: '9007199254740993.01' }),
      { balances: [{ amount: 90071992547409930100n }] },
    ],
    ['nothing that is a number', data({ balance: 'N/A', currency: 'UGX' }), { outcome: 'unknown' }],
    ['an unknown user', envelope(undefined, 'DP02100000002', { success: false }), { outcome: 'unknown' }],
    ['500', { status: 500, body: data({ balance: '1.00' }).body }, { outcome: 'unknown' }],
  ])('is answered with %s', async (_, answer, outcome) => {
    const operations = await open({ [BALANCE]: answer })
    expect(await operations.balance()).toMatchObject(outcome)
  })

  it('is one for each wallet where they are separate', async () => {
    const operations = await open(
      {
        'GET /standard/v2/users/balance?type=COLL': data({ balance: '10.00', currency: 'UGX' }),
        'GET /standard/v2/users/balance?type=DISB': data({ balance: '20.00', currency: 'UGX' }),
      },
      { wallets: 'separate' },
    )
    expect(await operations.balance()).toEqual({
      outcome: 'found',
      balances: [
        { currency: 'UGX', amount: 100_000n, name: 'collection' },
        { currency: 'UGX', amount: 200_000n, name: 'disbursement' },
      ],
    })
  })
})

describe('the statement', () => {
  const LIST = 'GET /merchant/v1/transactions'
  const period = { from: new Date('2026-11-21T00:00:00Z'), to: new Date('2026-11-22T00:00:00Z') }
  const entry = (transaction: object = {}, type = 'MERCHPAY') => ({
    charges: { service: 45 },
    payee: { currency: 'UGX', msisdn: '700000100', name: 'Shop' },
    payer: { currency: 'UGX', msisdn: '752000001', name: 'Grace Auma' },
    service: { type },
    transaction: {
      airtel_money_id: 'MP1',
      amount: '1,500',
      created_at: '1795305600',
      id: 'KR12x1',
      status: 'TS',
      ...transaction,
    },
  })
  const page = (transactions: unknown[]): Answer => data({ count: transactions.length, transactions })
  const read = async (...pages: Answer[]) => {
    const operations = await open({ [LIST]: pages })
    const lines: StatementLine[] = []
    for await (const line of operations.statement(period)) lines.push(line)
    return lines
  }

  it('has amounts, directions and dates', async () => {
    const lines = await read(
      page([
        entry(),
        entry({ airtel_money_id: 'CI1', amount: 2000.5, created_at: '2026-11-21T10:00:00.5+03:00' }, 'CASHIN'),
        entry({ airtel_money_id: '', status: 'TF' }),
        entry({ airtel_money_id: 'MP2', status: 'TR', created_at: 1795305600123 }),
        entry({ airtel_money_id: 'MP3', status: 'TIP', created_at: '21-11-2026 10:00:00' }),
      ]),
    )
    const payment = {
      receiver: '700000100',
      phonenumber: '+256752000001',
      order_reference: 'KR12x1',
      reference: null,
    }
    const base = { currency: 'UGX', reversal_of: null, fee: 450_000n }
    const midnight = new Date('2026-11-22T00:00:00Z')
    expect(lines).toEqual([
      {
        ...base,
        line: 1,
        remote_id: 'MP1',
        amount: 15_000_000n,
        sent: false,
        status: 'successful',
        paid_at: midnight,
        payment,
      },
      {
        ...base,
        line: 2,
        remote_id: 'CI1',
        amount: 20_005_000n,
        sent: true,
        status: 'successful',
        paid_at: new Date('2026-11-21T07:00:00Z'),
      },
      {
        ...base,
        line: 4,
        remote_id: 'MP2',
        amount: 15_000_000n,
        sent: false,
        status: 'reversed',
        paid_at: midnight,
        payment,
      },
      {
        ...base,
        line: 5,
        remote_id: 'MP3',
        amount: 15_000_000n,
        sent: false,
        status: 'pending',
        paid_at: null,
        payment,
      },
    ])
  })

  it('goes on to the last page', async () => {
    const full = Array.from({ length: 100 }, (_, index) => entry({ airtel_money_id: `MP${index}` }))
    const lines = await read(page(full), page([entry({ airtel_money_id: 'MP100' })]))
    expect(lines.map(({ line, remote_id }) => [line, remote_id]).at(-1)).toEqual([101, 'MP100'])
    expect(recorder.calls().map((call) => /offset=\d+/.exec(call)![0])).toEqual(['offset=0', 'offset=100'])
  })

  it.each<[string, Answer[]]>([
    ['no answer', [{ status: 503 }]],
    ['a refusal', [envelope(undefined, 'DP00800001000')]],
    ['an unreadable line', [page([{ transaction: {} }])]],
    ['an unreadable amount', [page([entry({ amount: '1.5e3' })])]],
    ['an amount of nothing', [page([entry({ amount: 0 })])]],
    ['a new status', [page([entry({ status: 'TX' })])]],
    ['the same page again', [page(Array.from({ length: 100 }, () => entry()))]],
    ['half of the pages', [page(Array.from({ length: 100 }, (_, n) => entry({ id: n }))), { status: 429 }]],
  ])('is not one with %s', async (_, pages) => {
    await expect(read(...pages)).rejects.toThrow(WrongStatement)
  })
})

describe('the key of Airtel', () => {
  it('is read with and without PEM lines, and not when it is too short', () => {
    const pem = `-----BEGIN PUBLIC KEY-----\n${public_key.replaceAll(/(.{64})/g, '$1\n')}\n-----END PUBLIC KEY-----`
    expect(readPublicKey(public_key)?.asymmetricKeyType).toBe('rsa')
    expect(readPublicKey(pem)?.asymmetricKeyType).toBe('rsa')
    for (const text of ['', 'MIG********AB', public_key.slice(0, 100)]) expect(readPublicKey(text)).toBe(undefined)
  })

  it('is kept until it ends, at most a day, and for minutes where that is not known', () => {
    const now = new Date('2026-11-22T10:00:00Z')
    expect(keyLifetime('22-11-2026 12:00:00', now)).toBe(7_200)
    expect(keyLifetime('12-08-2037 21:29:26', now)).toBe(86_400)
    for (const text of [undefined, '', 'tomorrow', '2027-08-12T00:00:00Z', '21-11-2026 12:00:00'])
      expect(keyLifetime(text, now)).toBe(300)
  })
})
