import { expect, it } from 'vitest'
import { runEach } from '../../../src/connections/tools/operations.ts'

/** The operations of a driver, and with what `tools.run` ran each. */
function wrap<Operations extends object>(operations: Operations) {
  const runs: unknown[][] = []
  const wrapped = runEach(operations, {
    run(reference, work, collection_request) {
      runs.push([reference, collection_request])
      return work()
    },
  })
  return { wrapped, runs }
}

it('An operation gets all that it was called with', async () => {
  const asked: unknown[][] = []
  const { wrapped, runs } = wrap({
    async transaction(...given: [remote_id: string, account_number?: string]) {
      asked.push(given)
      return { outcome: 'not_found' }
    },
    async charge(order: { reference: string; collection_request: number }) {
      return { outcome: 'accepted', remote_id: `of ${order.reference}` }
    },
  })
  expect(await wrapped.transaction('TX1', 'INV-7')).toEqual({ outcome: 'not_found' })
  expect(asked).toEqual([['TX1', 'INV-7']])
  expect(await wrapped.charge({ reference: 'r1', collection_request: 7 })).toMatchObject({ remote_id: 'of r1' })
  expect(runs).toEqual([
    [null, null],
    ['r1', 7],
  ])
})

it('An id too long for an index has its beginning and a hash, always the same, and a message stays whole', async () => {
  const [long, other] = ['a'.repeat(1_000_000), `${'a'.repeat(999_999)}b`]
  const { wrapped } = wrap({
    async payout(id: string) {
      return { outcome: 'accepted', remote_id: id, message: id, receipts: [{ order_reference: id }] }
    },
  })
  const { remote_id, message, receipts } = await wrapped.payout(long)
  expect(remote_id).toMatch(/^a{128}~[0-9a-f]{64}$/)
  expect([message, receipts]).toEqual([long, [{ order_reference: remote_id }]])
  expect((await wrapped.payout(long)).remote_id).toBe(remote_id)
  expect((await wrapped.payout(other)).remote_id).not.toBe(remote_id)
  for (const usual of ['MP261122.0930.L06941', 'x'.repeat(256), '\u{1f600}'.repeat(128)])
    expect((await wrapped.payout(usual)).remote_id).toBe(usual)
})

it('Any data of a provider can be stored, at any depth, and amounts and dates stay unchanged', async () => {
  const paid_at = new Date(0)
  const { wrapped, runs } = wrap({
    async chargeStatus() {
      return { outcome: 'failed', message: 'No\0money', codes: ['A\0', 5n], receipt: { paid_at, name: 'Grace\ud83d' } }
    },
    readCallback: (body: string) => ({ subject: 'order', order: { reference: body } }),
    traits: { code: 'x' },
  })
  expect(await wrapped.chargeStatus()).toEqual({
    outcome: 'failed',
    message: 'No\ufffdmoney',
    codes: ['A\ufffd', 5n],
    receipt: { paid_at, name: 'Grace\ufffd' },
  })
  expect(wrapped.readCallback('r\u00001')).toEqual({ subject: 'order', order: { reference: 'r\ufffd1' } })
  expect(wrapped.traits).toEqual({ code: 'x' })
  expect(runs).toHaveLength(1)
})
