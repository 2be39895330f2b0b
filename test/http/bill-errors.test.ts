import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BillRefusal, billCodes, invalidField } from '../../src/core/bills/refusals.ts'
import { Duplicate, Forbidden, Invalid, NotFound, Throttled, Unavailable } from '../../src/core/refusals.ts'
import { billErrorBody, billStatuses } from '../../src/http/bill-errors.ts'
import { errorAnswerFor } from '../../src/http/errors.ts'

const told = (error: unknown) => {
  const answer = errorAnswerFor(error)
  return [answer.status, billErrorBody(answer, 'request-1')]
}
const body = (code: string, message: string, errors: object = []) => ({ status: 'error', message, code, errors })

const documented = readFileSync(new URL('../../docs/bills.md', import.meta.url), 'utf8')

describe('an error at the bill counter', () => {
  it('has a code that docs/bills.md explains, with its status', () => {
    const rows = documented.split('\n').filter((line) => line.startsWith('| `'))
    for (const [code, status] of Object.entries(billStatuses)) {
      const row = rows.find((line) => line.includes(`\`${code}\``))
      expect([code, row]).toEqual([code, expect.stringContaining('|')])
      // Codes that refusals of all doors share stand for several statuses.
      if (!['BX0018', 'EXC00131', 'UNK0001'].includes(code))
        expect([code, row]).toEqual([code, expect.stringContaining(` ${status} `)])
    }
  })

  it('has a status for every code, and never a good one', () => {
    expect(Object.keys(billStatuses).sort()).toEqual(Object.keys(billCodes).sort())
    for (const [code, status] of Object.entries(billStatuses)) expect([code, status >= 400]).toEqual([code, true])
  })

  it('says why in its envelope', () => {
    expect(told(new BillRefusal('BX0023'))).toEqual([400, body('BX0023', 'Duplicate agent transaction reference.')])
    expect(told(new BillRefusal('BX0025', 'Nobody.'))).toEqual([400, body('BX0025', 'Nobody.')])
    expect(told(invalidField('amount', 'Too little.'))).toEqual([
      400,
      body('BX0003', 'Invalid request parameters.', { amount: { message: 'Too little.' } }),
    ])
  })

  it('puts the refusals that all doors share into the same form', () => {
    expect(told(new Invalid({ a: ['One.', 'Two.'], b: ['Three.'] }))).toEqual([
      400,
      body('BX0003', 'Invalid request parameters.', { a: { message: 'One. Two.' }, b: { message: 'Three.' } }),
    ])
    expect(told(new Forbidden())).toEqual([403, body('BX0009', 'You do not have permission to perform this action.')])
    expect(told(new NotFound())).toEqual([404, body('BX0018', 'Not found.')])
    expect(told(new Throttled(7))).toEqual([429, body('EXC00131', expect.stringContaining('7 seconds') as string)])
    expect(told(new Unavailable('Away.'))).toEqual([503, body('EXC00144', 'Away.')])
    expect(told(new Duplicate('x', 1))[0]).toBe(409)
  })

  it('tells nothing internal of a fault, but the id that finds it in the log', () => {
    expect(told(new TypeError('secret is not a function'))).toEqual([
      500,
      { ...body('UNK0001', 'An unexpected error has occurred.'), request_id: 'request-1' },
    ])
  })
})
