import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RawCallback } from '../../../src/drivers/raw-callback.ts'
import { redactCallback } from '../../../src/drivers/redact.ts'
import type { Rig } from './rig.ts'
import { type BillSubject, toOrder } from './subject.ts'

/** Callbacks as they come, and as they should not. */
export function testCallbacks(subject: BillSubject, rig: () => Rig): void {
  const read = (callback: RawCallback) => rig().operations.readCallback!(callback)

  it('names the purchase, and its content does not count', async () => {
    const { order, callback } = await receive(subject, rig())
    expect(read(callback)).toMatchObject({ subject: 'vend', vend: { reference: order.reference }, answer: null })
    // A callback that comes again, or is read again from the database, is the same question.
    expect(read(callback)).toEqual(read(callback))
    const stored = redactCallback(callback, subject.driver.secret_fields)
    expect(read(stored)).toEqual(read(callback))
  })

  it('for a purchase of another connection names no purchase of this one', async () => {
    const { order, callback } = await receive(subject, rig())
    const other = toOrder(subject.pending!(), rig().far.now())
    const parsed = read(callback)
    expect(parsed.subject === 'vend' && 'reference' in parsed.vend && parsed.vend.reference).not.toBe(other.reference)
    expect(parsed).toMatchObject({ vend: { reference: order.reference } })
  })

  it('with a GET, without a body, or with garbage is not recognized, and nothing throws', async () => {
    const { callback } = await receive(subject, rig())
    expect(read({ ...callback, method: 'GET' })).toMatchObject({ subject: 'unrecognized' })
    expect(read({ ...callback, body: '', bytes: null })).toMatchObject({ subject: 'unrecognized' })
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (body) => {
        expect(read({ ...callback, body, bytes: null }).subject).toBe('unrecognized')
      }),
      { numRuns: 100 },
    )
  })

  it.runIf(subject.forge)('rejects a wrong signature', async () => {
    const { callback } = await receive(subject, rig())
    expect(read(callback)).toMatchObject({ verified: true })
    expect(read(subject.forge!(callback))).toMatchObject({ subject: 'unrecognized', verified: false })
  })
}

async function receive(subject: BillSubject, rig: Rig) {
  const order = toOrder(subject.pending!(), rig.far.now())
  const known = rig.far.callbacks.length
  await rig.vend(order)
  await rig.ask(order)
  await rig.far.advance(60)
  const callback = rig.far.callbacks.slice(known).find(({ body }) => body.includes(order.reference))
  if (!callback) throw new Error('No callback came for the purchase.')
  return { order, callback }
}
