import { describe, expect, it } from 'vitest'
import { callWithToken, readAccessToken } from '../../src/drivers/access-tokens.ts'
import type { UnknownOutcome } from '../../src/lib/adapter-types.ts'
import type { HttpAnswer } from '../../src/lib/http/http-call.ts'

describe('the answer with an access token', () => {
  it.each([
    ['a number', 3600, 3600],
    ['a text', '3599', 3599],
    ['a text with decimals', '3599.9', 3599],
    ['more than a day', 86_400_000, 86_400],
    ['zero', 0, 120],
    ['the text zero', '0', 120],
    ['below zero', -5, 120],
    ['null', null, 120],
    ['nothing', undefined, 120],
    ['a word', 'soon', 120],
    ['an object', { seconds: 3600 }, 120],
    ['endless', 'Infinity', 86_400],
  ])('is read where its life is %s', (_name, expires_in, expires_in_s) => {
    expect(readAccessToken({ access_token: 'abc', expires_in, token_type: 7, scope: null })).toEqual({
      token: 'abc',
      expires_in_s,
    })
  })

  it.each([
    ['no token', {}],
    ['an empty one', { access_token: '' }],
    ['one that is no header', { access_token: 'a\r\nX-Other: 1' }],
    ['a number', { access_token: 7 }],
    ['a list', []],
    ['nothing', undefined],
  ])('is none with %s', (_name, body) => {
    expect(readAccessToken(body)).toBeUndefined()
  })
})

const answer = (status: number, text = '', incomplete: string | null = null): HttpAnswer => ({
  outcome: 'answered',
  status,
  text,
  incomplete,
  headers: new Headers(),
})

/** Make a call whose answers and tokens come in this order, and return its result. */
async function run(answers: (HttpAnswer | UnknownOutcome)[], tokens: (string | UnknownOutcome)[] = ['one', 'two']) {
  const used: string[] = []
  const refused: string[] = []
  const alarms: number[] = []
  const outcome = await callWithToken({
    token: async () => {
      const token = tokens.shift()!
      return typeof token === 'string' ? { outcome: 'token', token } : token
    },
    refuse: (token) => refused.push(token),
    send: async (token) => {
      used.push(token)
      return answers.shift()!
    },
    onRefused({ status }) {
      alarms.push(status)
      return 'It refuses us.'
    },
  })
  return { outcome, used, refused, alarms }
}

describe('a call with a token', () => {
  it.each([
    ['empty', answer(401)],
    ['a page', answer(401, '<html>Unauthorized</html>')],
    ['a code that nobody knows', answer(401, '{"errorCode":"999.9.9"}')],
    ['broken off', answer(401, '{"err', 'The answer breaks off.')],
  ])('is made once more with a new token when the refusal is %s', async (_name, refusal) => {
    const taken = answer(202, '{}')
    expect(await run([refusal, taken])).toEqual({ outcome: taken, used: ['one', 'two'], refused: ['one'], alarms: [] })
  })

  it('is not sent when a new token is refused, too, and the operator is alerted', async () => {
    const refusal = answer(401)
    expect(await run([refusal, refusal, answer(202)])).toEqual({
      outcome: { outcome: 'not_sent', message: 'It refuses us.', refusal },
      used: ['one', 'two'],
      refused: ['one', 'two'],
      alarms: [401],
    })
  })

  it('is not sent when there is no new token', async () => {
    const none: UnknownOutcome = { outcome: 'unknown', message: 'No token.' }
    const { outcome, used } = await run([answer(401)], ['one', none])
    expect(outcome).toEqual({ outcome: 'not_sent', message: 'No token.' })
    expect(used).toEqual(['one'])
  })

  it('stays unknown when the repetition has no answer: that call may have been processed', async () => {
    const lost: UnknownOutcome = { outcome: 'unknown', message: 'The network did not answer.' }
    expect((await run([answer(401), lost])).outcome).toEqual(lost)
  })

  it.each([200, 400, 403, 404, 429, 500, 503])('is made once when the answer is HTTP %i', async (status) => {
    const given = answer(status)
    expect(await run([given])).toMatchObject({ outcome: given, used: ['one'], refused: [] })
  })
})
