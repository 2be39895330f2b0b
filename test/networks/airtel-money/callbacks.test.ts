import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawCallback } from '../../../src/drivers/raw-callback.ts'
import { airtelMoney } from '../../../src/networks/airtel-money/index.ts'
import { openBound } from '../../drivers/bound.ts'
import { settings, testTools } from './airtel-test.ts'

const KEY = 'the private key of the portal'

const alarms: string[] = []
function open(callback_key?: string) {
  alarms.length = 0
  const parsed = airtelMoney.settings.parse({ ...settings, callback_key })
  const connection = { slug: 'airtel-ug', environment: 'staging', hosts: {}, settings: parsed }
  return openBound(airtelMoney, connection as never, testTools(alarms))
}

const raw = (body: string): RawCallback => ({
  method: 'POST',
  path: '',
  query: '',
  headers: {},
  body,
  address: '127.0.0.1',
})
const hash = (text: string, key = KEY) => createHmac('sha256', key).update(text).digest('base64')

const transaction =
  '{ "id": "KR121", "message": "Paid UGX 1,500 \\/ caf\\u00e9 {\\"x\\": [1]}",\n "status_code": "TS", "airtel_money_id": "MP261122.0930.L06941" }'
const compact = JSON.stringify(JSON.parse(transaction))

const successful = {
  subject: 'order',
  order: { reference: 'KR121' },
  verified: true,
  answer: { outcome: 'successful', remote_id: 'MP261122.0930.L06941' },
}
const question = { subject: 'order', order: { reference: 'KR121' }, verified: false, answer: { outcome: 'unknown' } }

describe('a callback with a right hash', () => {
  it.each([
    ['the transaction as it was sent', `{"transaction": ${transaction} ,"hash":"${hash(transaction)}"}`],
    ['the transaction without blanks', `{"transaction":${transaction},"hash":"${hash(compact)}"}`],
    ['the body without the hash', `{"hash":"${hash(`{"transaction":${transaction}}`)}","transaction":${transaction}}`],
    [
      'the body without hash and blanks',
      `{"transaction":${transaction},"hash":"${hash(`{"transaction":${compact}}`)}"}`,
    ],
    [
      'a body with more members',
      `{"a":[{"b":1},2],"transaction":${transaction},"hash":"${hash(`{"a":[{"b":1},2],"transaction":${transaction},"z":{}}`)}","z":{}}`,
    ],
  ])('over %s ends the order', (_, body) => {
    expect(open(KEY).readCallback!(raw(body))).toEqual(successful)
    expect(alarms).toEqual([])
  })

  it('that reports a failure causes a question, because a success may follow', () => {
    const failed = '{"id":"KR121","message":"Declined","status_code":"TF"}'
    const body = `{"transaction":${failed},"hash":"${hash(failed)}"}`
    expect(open(KEY).readCallback!(raw(body))).toMatchObject(question)
    expect(alarms).toEqual([])
  })

  it.each(['TIP', 'TA', 'TE', 'ts', '', 'SUCCESS'])('and the word %j causes a question', (word) => {
    const text = JSON.stringify({ id: 'KR121', status_code: word })
    expect(open(KEY).readCallback!(raw(`{"transaction":${text},"hash":"${hash(text)}"}`))).toMatchObject(question)
  })

  it('of a success without a receipt ends the order', () => {
    const text = '{"id":"KR121","status_code":"TS"}'
    const read = open(KEY).readCallback!(raw(`{"transaction":${text},"hash":"${hash(text)}"}`))
    expect(read).toEqual({ ...successful, answer: { outcome: 'successful' } })
  })
})

describe('a callback that causes a question', () => {
  it('has no hash', () => {
    const body = `{"transaction":${transaction}}`
    expect(open(KEY).readCallback!(raw(body))).toMatchObject(question)
    expect(open().readCallback!(raw(body))).toMatchObject(question)
    expect(alarms).toEqual([])
  })

  it('has a hash, and we have no key', () => {
    expect(open().readCallback!(raw(`{"transaction":${transaction},"hash":"${hash(transaction)}"}`))).toMatchObject(
      question,
    )
    expect(alarms).toEqual([])
  })

  it.each([
    ['of another key', hash(transaction, 'another key')],
    ['of another transaction', hash(transaction.replace('KR121', 'KR122'))],
    ['of no form', 'not base64 at all'],
    ['with hexadecimal digits', createHmac('sha256', KEY).update(transaction).digest('hex')],
    ['that is empty', ''],
  ])('has a hash %s, and the operator is alerted', (_, wrong) => {
    expect(open(KEY).readCallback!(raw(`{"transaction":${transaction},"hash":"${wrong}"}`))).toMatchObject(question)
    expect(alarms).toEqual(['The hash of a callback of Airtel is wrong. Check callback_key.'])
  })

  it('has one transaction for us and another one for the hash', () => {
    const other = transaction.replace('KR121', 'KR999')
    const body = `{"transaction":${transaction},"transaction":${other},"hash":"${hash(transaction)}"}`
    expect(open(KEY).readCallback!(raw(body))).toMatchObject({ ...question, order: { reference: 'KR999' } })
  })
})

describe('other texts', () => {
  it.each([
    '',
    'null',
    '[]',
    '{}',
    '<xml/>',
    '{"transaction":{}}',
    '{"transaction":{"id":7}}',
    '{"transaction":{"id":""}}',
    '{"transaction":',
  ])('such as %j are not recognized', (body) => {
    expect(open(KEY).readCallback!(raw(body))).toMatchObject({ subject: 'unrecognized' })
  })

  it('with a right hash are kept for a person', () => {
    const text = '{"reference":"KR121","status_code":"TS"}'
    const body = `{"transaction":${text},"hash":"${hash(text)}"}`
    expect(open(KEY).readCallback!(raw(body))).toMatchObject({ subject: 'unrecognized', verified: true })
    const forged = body.replace('KR121', 'KR122')
    expect(open(KEY).readCallback!(raw(forged))).toMatchObject({ subject: 'unrecognized', verified: false })
  })

  it('never end an order', () => {
    const operations = open(KEY)
    const word = fc.oneof(fc.constant('TS'), fc.string())
    const anything = fc.record({
      transaction: fc.record({ id: fc.string(), status_code: word }),
      hash: fc.base64String(),
    })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          anything.map((body) => JSON.stringify(body)),
        ),
        (body) => {
          const read = operations.readCallback!(raw(body))
          expect('verified' in read && read.verified).toBe(false)
        },
      ),
    )
  })

  it('get the answer of the documentation', () => {
    expect(open().callbackReply!(raw(''))).toEqual({
      status: 200,
      content_type: 'application/json',
      body: '{"code":200,"status":"SUCCESS"}',
    })
  })
})
