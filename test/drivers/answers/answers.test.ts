import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { billDrivers } from '../../../src/billers/index.ts'
import { networkDrivers } from '../../../src/networks/index.ts'
import { smsDrivers } from '../../../src/senders/index.ts'
import { recordedDrivers } from './index.ts'
import { hasMember, type Recording, tryRecording } from './rig.ts'

/** Number of tried texts, by the name of the driver. */
const tried = new Map<string, number>()
afterAll(() => {
  const counts = [...tried].map(([name, count]) => `${name} ${count}`).join(', ')
  process.stdout.write(`answers with another member, or broken: ${counts}\n`)
})

describe.each(recordedDrivers)('$name reads member by member', ({ name, recordings }) => {
  it.each(recordings.map((one) => ({ one, title: [one.operation, one.about].filter(Boolean).join(' ') })))(
    '$title',
    async ({ one }) => {
      const { faults, count } = await tryRecording(one)
      tried.set(name, (tried.get(name) ?? 0) + count)
      expect(faults).toEqual([])
    },
  )
})

describe('the recordings', () => {
  it('have all drivers that call over HTTP', () => {
    const all = [...networkDrivers, ...smsDrivers, ...billDrivers].map(({ code }) => code)
    const recorded = recordedDrivers.map(({ code }) => code)
    expect(all.filter((code) => !recorded.includes(code))).toEqual(['smpp'])
  })

  it.each(recordedDrivers)('have all operations of $name that read', ({ offers, recordings }) => {
    const recorded = recordings.map(({ operation }) => operation)
    expect(offers.filter((one) => !recorded.includes(one) && !OTHERS.has(one))).toEqual([])
  })

  it.each(recordedDrivers)('name members of $name that are there', ({ recordings }) => {
    const parts = recordings.flatMap((one) => Object.values(one.parts))
    const named = [...new Set(parts.flatMap(({ decides = [] }) => decides))]
    expect(named.filter((member) => !parts.some(({ body }) => hasMember(body, member.split('.'))))).toEqual([])
  })
})

/** Operations that read nothing of the provider, and those whose result only people read. */
const OTHERS: ReadonlySet<string> = new Set([
  'test',
  'setUp',
  'canRefund',
  'callbackReply',
  'answerValidation',
  'provision',
])

describe('the rig finds', () => {
  const State = z.object({ status: z.string(), id: z.string(), note: z.string().optional() })
  const body = { status: 'paid', id: 'A1', note: 'Thank you' }
  const faultsOf = async (read: (text: string) => unknown, decides: readonly string[]) => {
    const recording: Recording = {
      operation: 'chargeStatus',
      parts: { answer: { body, decides } },
      run: ({ answer }) => ((answer!.status ?? 200) === 200 ? read(answer!.text) : { outcome: 'unknown' }),
    }
    return (await tryRecording(recording)).faults
  }
  const parse = (text: string) => {
    try {
      return State.safeParse(JSON.parse(text)).data
    } catch {
      return undefined
    }
  }
  const meaningOf = (state: z.infer<typeof State> | undefined) =>
    state?.status === 'paid' ? { outcome: 'successful', remote_id: state.id } : { outcome: 'unknown' }

  it('a member that is not needed and hides the state', async () => {
    const faults = await faultsOf((text) => meaningOf(parse(text)), ['status', 'id'])
    expect(faults.length).toBeGreaterThan(0)
    for (const fault of faults) expect(fault).toMatch(/^answer: note .* makes \{"outcome":"unknown"\} of/)
  })

  it('an unknown word that becomes a failure', async () => {
    const faults = await faultsOf(
      (text) => {
        const state = parse(text)
        return state && state.status !== 'paid' ? { outcome: 'failed' } : meaningOf(state)
      },
      ['status', 'id', 'note'],
    )
    expect(faults).toContain(
      'answer: status "~" makes {"outcome":"failed"} of {"outcome":"successful","remote_id":"A1"}',
    )
  })

  it('an error that loses the order', async () => {
    const faults = await faultsOf((text) => meaningOf(State.parse(JSON.parse(text))), ['status', 'id', 'note'])
    expect(faults.filter((fault) => fault.includes('makes the error')).length).toBeGreaterThan(10)
  })
})
