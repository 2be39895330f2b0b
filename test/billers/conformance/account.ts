import { expect, it } from 'vitest'
import { billKinds } from '../../../src/billers/contract.ts'
import type { Rig } from './rig.ts'
import { type BillSubject, secretsOf, toOrder } from './subject.ts'

/** The keys of our account at the provider. */
export function testAccount(subject: BillSubject, rig: () => Rig): void {
  const make = () => toOrder(subject.order(), rig().far.now())

  it.each(subject.wrong.map((one) => [String(Object.keys(one.change)), one] as const))(
    'sells nothing with a wrong %s, and says which setting is wrong',
    async (_, { change, says }) => {
      const { operations, tools } = rig().reopen(change)
      const order = make()
      const { outcome } = await operations.vend(order)
      expect(['unknown', 'failed']).toContain(outcome)
      expect(await operations.vendStatus(order)).toMatchObject({ outcome: 'unknown' })
      expect(await rig().far.sold(order)).toBe(0)
      const failed = ((await operations.test?.()) ?? []).filter(({ outcome }) => outcome === 'failed')
      expect(failed.map(({ message }) => message).join(' ')).toMatch(says)
      expect(JSON.stringify([failed, tools.recorded.alarms])).not.toContain(String(Object.values(change)[0]))
    },
  )

  it('tests of the connection find nothing wrong', async () => {
    const results = (await rig().operations.test?.()) ?? []
    expect(results.filter(({ outcome }) => outcome === 'failed' || outcome === 'unknown')).toEqual([])
    for (const { name, message } of results) expect([name, message]).not.toContain('')
  })
}

/** Our money at the provider. */
export function testFloat(subject: BillSubject, rig: () => Rig): void {
  const make = () => toOrder(subject.order(), rig().far.now())

  it('has a float that goes down with a sale', async () => {
    const { balance } = rig().operations
    if (!balance) return
    const before = await balance()
    const order = make()
    await rig().vend(order)
    await rig().ask(order)
    await rig().far.advance(1)
    const after = await balance()
    if (before.outcome !== 'found' || after.outcome !== 'found') throw new Error('The balance was not found.')
    expect(after.balances[0]!.currency).toBe(before.balances[0]!.currency)
    expect(before.balances[0]!.amount).toBeGreaterThan(after.balances[0]!.amount)
  })

  it('refuses while the float is empty, alerts the operator, and sells the same order when it is full again', async () => {
    const { setFloat } = rig().far
    if (!setFloat) return
    const order = make()
    await setFloat('empty')
    expect(await rig().vend(order)).toMatchObject({ outcome: 'failed', reason: 'no_funds_at_biller' })
    expect(rig().tools.recorded.alarms.join(' ')).toMatch(/too little money/)
    await setFloat('full')
    expect(await rig().far.sold(order)).toBe(0)
    await rig().vend(order)
    expect(await rig().ask(order)).toMatchObject({ outcome: 'successful' })
  })
}

/** Test the provider's products, and the checks of their customers. */
export function testLists(subject: BillSubject, rig: () => Rig): void {
  it('has a catalogue with the names that orders use', async () => {
    const { catalogue } = rig().operations
    if (!catalogue) return
    const list = await catalogue()
    if (list.outcome !== 'found') throw new Error(list.message)
    for (const { kind, country, currency, name, price, min, max, remote_service } of list.products) {
      expect(billKinds).toContain(kind)
      expect([country, currency, name, remote_service]).toEqual(
        [/^[A-Z]{2}$/, /^[A-Z]{3}$/, /\S/, /\S/].map((form) => expect.stringMatching(form)),
      )
      expect([price ?? 1n, min ?? 1n, max ?? 1n].every((amount) => amount > 0n)).toBe(true)
    }
    const keys = list.products.map((one) => [one.kind, one.country, one.remote_service, one.remote_product].join(' '))
    expect(new Set(keys).size).toBe(keys.length)
    const { offer, kind } = subject.order()
    expect(list.products.some((one) => one.kind === kind && one.remote_service === offer.remote_service)).toBe(true)
  })

  it('a list that cannot be read makes the whole catalogue unknown', async () => {
    const { operations, tools } = rig().reopen()
    if (!operations.catalogue) return
    await operations.balance?.()
    tools.fault({ verb: 'catalogue', taken: false, answer: { outcome: 'unknown', message: 'time-out' } })
    expect(await operations.catalogue()).toMatchObject({ outcome: 'unknown' })
  })

  it.runIf(subject.holders)('knows whether an account exists', async () => {
    const { known, unknown } = subject.holders!
    const found = await rig().operations.accountHolder!(known)
    expect(found).toMatchObject({ outcome: 'found', holder: { name: expect.stringMatching(/\S/) } })
    expect(await rig().operations.accountHolder!(unknown)).toEqual({
      outcome: 'not_found',
      message: expect.any(String),
    })
  })
}

/** Secrets never appear in what operations return, in alarms, in addresses, or in stored callbacks. */
export function testSecrets(subject: BillSubject, rig: () => Rig): void {
  it('stay out of answers, alarms, addresses, and tests of the connection', async () => {
    const { operations, tools, answers } = rig()
    const secrets = [...secretsOf(subject), ...tokensOf(rig())]
    expect(secrets.length).toBeGreaterThan(0)
    // A provider that repeats what it was sent must not carry it into our messages.
    const echo = JSON.stringify({ code: '011', message: secrets[0], response_description: secrets[0], errorCode: 'X' })
    const { answerOf } = await import('./tools.ts')
    tools.fault({ verb: 'vend', taken: false, answer: answerOf(418, echo) })
    answers.push(await operations.vend(toOrder(subject.order(), rig().far.now())))
    const tested = await operations.test?.()
    const urls = tools.recorded.calls.map(({ call }) => call.url)
    const text = JSON.stringify([answers, tools.recorded.alarms, tested, urls], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })
}

function tokensOf({ tools }: Rig): string[] {
  const headers = tools.recorded.calls.map(({ call }) => call.headers?.authorization ?? '')
  return [...new Set(headers.map((header) => header.replace(/^\S+ /, '')))].filter((token) => token.length >= 8)
}
