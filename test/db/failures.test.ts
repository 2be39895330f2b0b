import { describe, expect, it } from 'vitest'
import {
  CommitUnknown,
  ConnectionLost,
  isConnectionError,
  isTimeLimitError,
  isUnavailable,
  mayRetry,
} from '../../src/db/failures.ts'

const withCode = (code: string) => Object.assign(new Error('It failed.'), { code })
const refused = withCode('ECONNREFUSED')
const bug = new TypeError('x is not a function')

describe('the database is unavailable after', () => {
  it.each<[string, unknown]>([
    ['a refused connection', refused],
    ['a connection that was lost', new ConnectionLost('It is lost.')],
    ['a connection that was lost during a commit', new CommitUnknown(refused)],
    ['a server that shuts down', withCode('57P01')],
    ['a server that starts', withCode('57P03')],
    ['a disk that is full', withCode('53100')],
    ['a transaction in which the process stood still', withCode('25P03')],
    ['a wait for a lock that took too long', withCode('55P03')],
    ['a statement that took too long', withCode('57014')],
    ['several errors that all mean it', new AggregateError([refused, new CommitUnknown(refused)])],
  ])('%s', (_what, error) => {
    expect(isUnavailable(error)).toBe(true)
  })
})

describe('the database is not unavailable after', () => {
  it.each<[string, unknown]>([
    ['a bug', bug],
    ['a statement that PostgreSQL refuses', withCode('42703')],
    ['several errors of which one is a bug', new AggregateError([refused, bug])],
    ['an empty list of errors', new AggregateError([])],
    ['a thrown text', 'ECONNREFUSED'],
  ])('%s', (_what, error) => {
    expect(isUnavailable(error)).toBe(false)
  })
})

describe('the parts of a failed transaction', () => {
  it('may be tried one by one after a wrong statement, or when one of them waited too long for a lock', () => {
    for (const error of [bug, withCode('23505'), withCode('40P01'), withCode('55P03')])
      expect(mayRetry(error)).toBe(true)
  })

  it('may not be tried when the commit may have happened, or when each would wait for the database again', () => {
    for (const error of [new CommitUnknown(refused), refused, withCode('57014')]) expect(mayRetry(error)).toBe(false)
  })
})

describe('an error of a time limit', () => {
  it('is none of the connection: it says nothing about a commit', () => {
    for (const error of [withCode('55P03'), withCode('57014')])
      expect([isTimeLimitError(error), isConnectionError(error)]).toEqual([true, false])
  })
})
