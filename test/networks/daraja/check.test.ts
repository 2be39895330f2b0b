import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, openDriver, openRecordedNetwork, refusal, SECRET_ADDRESS } from './recorded-network.ts'

const network = await openRecordedNetwork()
afterAll(() => network.close())
beforeEach(() => {
  Object.assign(network, { requests: [], tokens: 0, answers: [], token_answer: undefined })
})

const unknownPrompt = refusal('500.001.1001', 'The transaction is being processed', 500)
const asked: Answer = { body: { ConversationID: 'AG_1', OriginatorConversationID: '1-2-3', ResponseCode: '0' } }
const empty: Answer = { body: { ResponseCode: '1001', Response: '[[]]' } }
const pull = { pull_transactions: true, nominated_number: '254722000000' }

describe('the test of a connection', () => {
  const outcomes = async (answers: Answer[], changes: object = {}) => {
    network.answers = answers
    const results = await openDriver(network.url, changes).operations.test()
    return Object.fromEntries(results.map(({ name, outcome, message }) => [name, [outcome, message]]))
  }

  it('lists the working parts', async () => {
    expect(await outcomes([unknownPrompt, asked, empty], pull)).toEqual({
      token: ['ok', expect.any(String)],
      'short code and passkey': ['ok', expect.stringContaining('174379')],
      'callback address': ['ok', expect.stringContaining('https://pay.example.com')],
      initiator: ['skipped', expect.stringContaining('2001')],
      'pull transactions': ['ok', expect.any(String)],
      confirmations: ['skipped', expect.stringContaining(`${SECRET_ADDRESS}/confirmation`)],
    })
  })

  it.each<[string, Answer, string]>([
    ['the passkey', refusal('500.001.1001', 'Wrong credentials', 500), 'passkey'],
    ['the short code', refusal('500.001.1001', 'Merchant does not exist', 500), 'short code 174379'],
    ['the product', refusal('401.001.05', 'Invalid API call as no apiproduct match found', 401), 'M-Pesa Express'],
  ])('says that %s is wrong', async (_name, answer, words) => {
    const results = await outcomes([answer, asked], {})
    expect(results['short code and passkey']).toEqual(['failed', expect.stringContaining(words)])
    expect(results.token![0]).toBe('ok')
  })

  it('reports a wrong key and secret, without showing them', async () => {
    network.token_answer = { status: 400, body: '' }
    const results = await outcomes([], pull)
    expect(results.token).toEqual(['failed', expect.stringContaining('consumer_secret')])
    expect([results.initiator![0], results['pull transactions']![0]]).toEqual(['skipped', 'skipped'])
    expect(JSON.stringify(results)).not.toMatch(/the-key|the-secret|the-passkey|p#ss/)
  })

  it('reports an unusable certificate, and a list that is off', async () => {
    const results = await outcomes([unknownPrompt, refusal('400.003.02', 'Bad Request')], { ...pull, certificate: 'x' })
    expect(results.initiator).toEqual(['failed', expect.stringContaining('certificate')])
    expect(results['pull transactions']).toEqual(['failed', expect.stringContaining('switch Pull Transactions on')])
  })

  it('does not know when Daraja is away', async () => {
    expect((await outcomes([null])).token).toEqual(['unknown', expect.any(String)])
  })

  it('skips a missing passkey', async () => {
    const results = await outcomes([unknownPrompt, asked], { passkey: undefined })
    expect(results['short code and passkey']![0]).toBe('skipped')
  })
})

describe('the set-up', () => {
  const run = async (answers: Answer[], changes: object = {}) => {
    network.answers = answers
    return openDriver(network.url, changes).operations.setUp()
  }

  it('registers our addresses, byte for byte', async () => {
    const done: Answer = {
      body: { OriginatorCoversationID: '7619-37765134-1', ResponseCode: '0', ResponseDescription: 'Success' },
    }
    const registered: Answer = { body: { ResponseRefID: '1', ResponseStatus: '1000', ShortCode: '174379' } }
    expect(await run([done, registered], pull)).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok' }])
    expect(network.calls().map(({ method, path, body }) => [method, path, body])).toEqual([
      [
        'POST',
        '/mpesa/c2b/v2/registerurl',
        `{"ShortCode":174379,"ResponseType":"Completed","ConfirmationURL":"${SECRET_ADDRESS}/confirmation","ValidationURL":"${SECRET_ADDRESS}/validation"}`,
      ],
      [
        'POST',
        '/pulltransactions/v1/register',
        `{"ShortCode":"174379","RequestType":"Pull","NominatedNumber":"254722000000","CallBackURL":"${SECRET_ADDRESS}/confirmation"}`,
      ],
    ])
  })

  it('uses version 1 and Cancelled where they are chosen', async () => {
    await run([{ body: { ResponseCode: '00000000' } }], { c2b_version: 'v1', unanswered_validation: 'Cancelled' })
    expect(network.calls()[0]).toMatchObject({ path: '/mpesa/c2b/v1/registerurl' })
    expect(JSON.parse(network.calls()[0]!.body).ResponseType).toBe('Cancelled')
  })

  it.each<[string, Answer, string, string]>([
    ['registered already', refusal('500.003.1001', 'Urls are already registered', 500), 'unknown', 'Manage URLs'],
    ['registered twice', refusal('500.003.1001', 'Duplicate notification info', 500), 'unknown', 'Manage URLs'],
    ['refused', refusal('400.003.02', 'Bad Request - Invalid ValidationURL'), 'failed', 'Invalid ValidationURL'],
    ['not answered', null, 'unknown', ''],
    ['not understood', { body: '<html>' }, 'unknown', ''],
  ])('says that the addresses are %s', async (_name, answer, outcome, words) => {
    expect(await run([answer])).toEqual([{ name: 'confirmations', outcome, message: expect.stringContaining(words) }])
  })

  it('reports the state of the list', async () => {
    const done: Answer = { body: { ResponseCode: '0' } }
    for (const body of [{ ResponseStatus: '1001' }, { 'Response Status': '1001' }, { 'Response Status': 1000 }])
      expect((await run([done, { body }], pull))[1]).toMatchObject({ outcome: 'ok' })
    expect((await run([done, { body: { ResponseStatus: '1002' } }], pull))[1]).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('nominated_number'),
    })
  })
})
