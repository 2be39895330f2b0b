import { describe, expect, it } from 'vitest'
import { CommitUnknown } from '../../src/db/client.ts'
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts'

const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
const bug = new TypeError('x is not a function')

describe('the database is unavailable after', () => {
  it.each<[string, unknown]>([
    ['a refused connection', refused],
    ['a connection that was lost during a commit', new CommitUnknown(refused)],
    ['several errors that all mean it', new AggregateError([refused, new CommitUnknown(refused)])],
  ])('%s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true)
  })
})

describe('the database is not unavailable after', () => {
  it.each<[string, unknown]>([
    ['a bug', bug],
    ['several errors of which one is a bug', new AggregateError([refused, bug])],
    ['an empty list of errors', new AggregateError([])],
    ['a thrown text', 'ECONNREFUSED'],
  ])('%s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false)
  })
})
