import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BillRefusal, billCodes, invalidField } from '../../src/core/bills/refusals.ts'
import { Duplicate, Forbidden, Invalid, NotFound, Throttled, Unavailable } from '../../src/core/refusals.ts'
import { billErrorBody, billStatuses } from '../../src/http/bill-errors.ts'
import { errorAnswerFor } from '../../src/http/errors.ts'

const responseTo = (error: unknown) => {
  const answer = errorAnswerFor(error)
  return [answer.status, billErrorBody(answer, 'request-1')]
}
const body = (code: string, message: string, errors: object = []) => ({ status: 'error', message, code, errors })

const documented = readFileSync(new URL('../../docs/bills.md', import.meta.url), 'utf8')

describe('an error of the bill-payment API', () => {
  it('has a code that docs/bills.md explains, with its status', () => {
    const rows = documented.split('\n').filter((line) => line.startsWith('| `'))
    for (const [code, status] of Object.entries(billStatuses)) {
      const row = rows.find((line) => line.includes(`\`${code}\``))
      expect([code, row]).toEqual([code, expect.stringContaining('|')])
      // These codes belong to refusals of all parts of the interface and have several statuses.
      if (!['BX0018', 'EXC00131', 'UNK0001'].includes(code))
        expect([code, row]).toEqual([code, expect.stringMatching(new RegExp(` ${status}[ ,]`))])
    }
  })

  it('has an error status for every code', () => {
    expect(Object.keys(billStatuses).sort()).toEqual(Object.keys(billCodes).sort())
    for (const [code, status] of Object.entries(billStatuses)) expect([code, status >= 400]).toEqual([code, true])
  })

  it('gives the reason in its envelope', () => {
    expect(responseTo(new BillRefusal('BX0023'))).toEqual([
      400,
      body('BX0023', 'Duplicate agent transaction reference.'),
    ])
    expect(responseTo(new BillRefusal('BX0025', 'No such account.'))).toEqual([400, body('BX0025', 'No such account.')])
    expect(responseTo(invalidField('amount', 'Too little.'))).toEqual([
      400,
      body('BX0003', 'Invalid request parameters.', { amount: { message: 'Too little.' } }),
    ])
  })

  it('has the same form for the refusals of all parts of the interface', () => {
    expect(responseTo(new Invalid({ a: ['One.', 'Two.'], b: ['Three.'] }))).toEqual([
      400,
      body('BX0003', 'Invalid request parameters.', { a: { message: 'One. Two.' }, b: { message: 'Three.' } }),
    ])
    expect(responseTo(new Forbidden())).toEqual([
      403,
      body('BX0009', 'You do not have permission to perform this action.'),
    ])
    expect(responseTo(new NotFound())).toEqual([404, body('BX0018', 'Not found.')])
    expect(responseTo(new Throttled(7))).toEqual([
      429,
      body('EXC00131', expect.stringContaining('7 seconds') as string),
    ])
    expect(responseTo(new Unavailable('Away.'))).toEqual([503, body('EXC00144', 'Away.')])
    expect(responseTo(new Duplicate('x', 1))[0]).toBe(409)
  })

  it('shows nothing internal, only the request id for the log', () => {
    expect(responseTo(new TypeError('secret is not a function'))).toEqual([
      500,
      { ...body('UNK0001', 'An unexpected error has occurred.'), request_id: 'request-1' },
    ])
  })
})
