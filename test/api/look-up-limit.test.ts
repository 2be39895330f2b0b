import { describe, expect, it } from 'vitest'
import { createLookUpLimit } from '../../src/api/look-up-limit.ts'

const FREE = 60

/** A limit over credentials that the test creates, with its statements, after its address has used all free look-ups. */
async function setUp() {
  const existing = new Set<string>()
  const statements: string[][] = []
  const failures: Error[] = []
  let release: Promise<void> = Promise.resolve()
  const limit = createLookUpLimit(async (credentials) => {
    statements.push(credentials)
    const failure = failures.shift()
    if (failure) throw failure
    const found = credentials.filter((credential) => existing.has(credential))
    await release
    return found
  })
  const ask = (credential: string, address = 'attacked') => limit.mayLookUp(credential, address)
  const askMany = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => ask(`guess-${index}`)))
  expect(await askMany(FREE)).toEqual(Array.from({ length: FREE }, () => true))
  expect(statements).toEqual([])
  const holdStatements = () => {
    const held = Promise.withResolvers<void>()
    release = held.promise
    return held.resolve
  }
  return { existing, statements, failures, ask, askMany, holdStatements }
}

describe('a limit of look-ups, beyond the free ones of an address', () => {
  it('asks for many credentials in one statement, and for each of them once', async () => {
    const { existing, statements, ask, askMany } = await setUp()
    existing.add('right')
    const [right, again, ...wrong] = await Promise.all([ask('right'), ask('right'), askMany(100)])
    expect([right, again]).toEqual([true, true])
    expect(wrong.flat()).toEqual(Array.from({ length: 100 }, () => false))
    expect(statements.map((credentials) => credentials.length)).toEqual([101])
  })

  it('finds a credential that was created after others were refused', async () => {
    const { existing, ask } = await setUp()
    expect(await ask('new')).toBe(false)
    existing.add('new')
    expect(await ask('new')).toBe(true)
  })

  it('finds a credential that was created while a statement ran', async () => {
    const { existing, statements, ask, holdStatements } = await setUp()
    const release = holdStatements()
    const guess = ask('guess')
    await expect.poll(() => statements.length).toBe(1)
    existing.add('new')
    const answer = ask('new')
    release()
    expect(await Promise.all([guess, answer])).toEqual([false, true])
  })

  it('sends one statement at a time', async () => {
    const { statements, ask, holdStatements } = await setUp()
    const release = holdStatements()
    const first = ask('first')
    await expect.poll(() => statements.length).toBe(1)
    const second = ask('second')
    // Longer than a batch waits for others.
    const is_answered = await Promise.race([second.then(() => true), new Promise((go) => setTimeout(go, 300, false))])
    expect({ is_answered, statements: statements.length }).toEqual({ is_answered: false, statements: 1 })
    release()
    expect(await Promise.all([first, second])).toEqual([false, false])
    expect(statements).toEqual([['first'], ['second']])
  })

  it('fails with its statement, and works again after it', async () => {
    const { existing, failures, ask } = await setUp()
    existing.add('right')
    failures.push(new Error('The database does not answer.'))
    await expect(ask('right')).rejects.toThrow('does not answer')
    expect(await ask('right')).toBe(true)
  })

  it('has free look-ups for other addresses, until all together have used theirs', async () => {
    const { statements, ask } = await setUp()
    for (let index = 0; index < 3_000 - FREE; index += 1) expect(await ask('any', `address ${index}`)).toBe(true)
    expect(statements).toEqual([])
    expect(await ask('any', 'one more')).toBe(false)
    expect(statements).toEqual([['any']])
  })
})
