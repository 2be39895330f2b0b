import { describe, expect, it } from 'vitest'
import { type StatementLine, WrongStatement } from '../../../src/lib/statements/statement-line.ts'
import {
  CHARGE_REFERENCE,
  type GsmaServer,
  openDriver,
  type Responder,
  transaction,
  withProvider,
} from './gsma-test.ts'

const PATH = 'GET /1.2.0/mm/accounts/organisationid/kusanya-demo/transactions'
const period = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-12-01T00:00:00Z') }
const OWN_REFUND = '0c7e4d1a-5b6f-4c3d-8e4f-5a6b7c8d9e0f'

const line = (id: string, more: Record<string, unknown> = {}) =>
  (transaction({ transactionReference: id, ...more }) as { body: object }).body
const ours = [{ key: 'organisationid', value: 'kusanya-demo' }]
const customer = [{ key: 'msisdn', value: '+256772123456' }]
const out = { debitParty: ours, creditParty: customer }
const reversal = (id: string, of: string, reference?: string) =>
  line(id, {
    ...out,
    type: 'reversal',
    originalTransactionReference: of,
    requestingOrganisationTransactionReference: reference,
  })

async function read(
  answer: Responder,
  check: (lines: StatementLine[], server: GsmaServer) => void = () => {},
  given: Record<string, unknown> = {},
) {
  await withProvider({ [PATH]: answer }, async (server) => {
    const lines: StatementLine[] = []
    for await (const one of openDriver(server.url, given).statement(period)) lines.push(one)
    check(lines, server)
  })
}

const page = (lines: unknown[], available?: number) => ({
  status: 200,
  body: lines,
  ...(available !== undefined && { headers: { 'X-Records-Available-Count': String(available) } }),
})

describe('the statement', () => {
  it('has incoming and outgoing money', async () => {
    const lines = [
      line('REF-1', { amount: '5000.00', fees: [{ feeType: 'x', feeAmount: '25' }] }),
      line('REF-2', { ...out, type: 'disbursement', amount: '200.5', currency: 'KES' }),
      line('REF-3', { transactionStatus: 'failed', requestingOrganisationTransactionReference: undefined }),
      line('REF-4', { transactionStatus: 'pending', debitParty: [{ key: 'accountid', value: '1' }] }),
    ]
    await read(page(lines, 4), (found) => {
      expect(found).toEqual([
        {
          line: 1,
          remote_id: 'REF-1',
          amount: 50_000_000n,
          sent: false,
          status: 'successful',
          currency: 'UGX',
          paid_at: new Date('2026-11-22T08:00:05Z'),
          reversal_of: null,
          fee: 250_000n,
          payment: {
            receiver: 'kusanya-demo',
            phonenumber: '+256772123456',
            reference: null,
            order_reference: '3f0c2a4e-8a53-4f0e-9d57-6c1b2a7e9f10',
          },
        },
        {
          line: 2,
          remote_id: 'REF-2',
          amount: 2_005_000n,
          sent: true,
          status: 'successful',
          currency: 'KES',
          paid_at: new Date('2026-11-22T08:00:05Z'),
          reversal_of: null,
          fee: null,
        },
        expect.objectContaining({ remote_id: 'REF-3', status: 'failed' }),
        expect.objectContaining({ remote_id: 'REF-4', status: 'pending' }),
      ])
      expect(found[2]!.payment).toMatchObject({ order_reference: null })
      expect(found[3]).not.toHaveProperty('payment')
    })
  })

  it('is asked for page by page, within the period', async () => {
    const pages = [page([line('REF-1'), line('REF-2')], 3), page([line('REF-3')], 3)]
    await read(pages, (found, { calls }) => {
      expect(found.map(({ remote_id }) => remote_id)).toEqual(['REF-1', 'REF-2', 'REF-3'])
      const query = (offset: number) =>
        `${PATH}?limit=50&offset=${offset}&fromDateTime=2026-11-01T00%3A00%3A00Z&toDateTime=2026-12-01T00%3A00%3A00Z`
      expect(calls().map((call) => call.line)).toEqual([query(0), query(2)])
    })
  })

  it('ends with an empty page if the provider does not count', async () => {
    await read([page([line('REF-1')]), page([line('REF-2')]), page([])], (found) => {
      expect(found).toHaveLength(2)
    })
  })

  it('has a transaction once that has moved to the next page meanwhile', async () => {
    const pages = [page([line('REF-1'), line('REF-2')], 4), page([line('REF-2'), line('REF-3')], 4)]
    await read(pages, (found) => {
      expect(found.map(({ remote_id }) => remote_id)).toEqual(['REF-1', 'REF-2', 'REF-3'])
    })
  })

  it('shows a refund of ours as money that was sent, and its charge as paid', async () => {
    const lines = [line('REF-1', { transactionStatus: 'reversed' }), reversal('REF-2', 'REF-1', OWN_REFUND)]
    await read(page(lines, 2), (found) => {
      expect(found).toMatchObject([
        { remote_id: 'REF-1', status: 'successful', sent: false },
        { remote_id: 'REF-2', status: 'successful', sent: true, reversal_of: null },
      ])
    })
  })

  it('shows reversals of the provider once', async () => {
    const lines = [
      line('REF-1', { transactionStatus: 'reversed' }),
      reversal('REF-2', 'REF-1'),
      line('REF-3'),
      reversal('REF-4', 'REF-3', 'by the help desk'),
    ]
    await read(page(lines, 4), (found) => {
      expect(found).toMatchObject([
        { remote_id: 'REF-1', status: 'reversed' },
        { remote_id: 'REF-3', status: 'successful' },
        { remote_id: 'REF-4', status: 'successful', sent: true, reversal_of: 'REF-3' },
      ])
    })
  })

  it('knows the words of the provider', async () => {
    await read(
      page([line('REF-1', { transactionStatus: 'Settled' })], 1),
      ([found]) => {
        expect(found).toMatchObject({ status: 'successful' })
      },
      { completed_words: 'settled' },
    )
  })

  it.each<[string, Responder]>([
    ['no answer', { status: 500 }],
    ['a page', { status: 200, text: '<html>' }],
    ['an object', { status: 200, body: { transactions: [] } }],
    ['a line that is none', page([line('REF-1'), { transactionReference: 'REF-2' }], 2)],
    ['a word that is not known', page([line('REF-1', { transactionStatus: 'settled' })], 1)],
    ['a line of somebody else', page([line('REF-1', { creditParty: customer })], 1)],
    ['fewer lines than there are', [page([line('REF-1')], 3), page([], 3)]],
    ['the same page again and again', page([line('REF-1')])],
    ['an error on the second page', [page([line('REF-1')], 2), { status: 429 }]],
  ])('is none with %s', async (_what, answer) => {
    await expect(read(answer)).rejects.toThrow(WrongStatement)
  })

  it('may be empty', async () => {
    await read(page([], 0), (found) => expect(found).toEqual([]))
    expect(CHARGE_REFERENCE).not.toBe(OWN_REFUND)
  })
})
