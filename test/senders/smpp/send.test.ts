import type smpp from 'smpp'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { openSocket } from '../../../src/lib/http/reach.ts'
import { STATUSES, type StatusName } from '../../../src/lib/smpp/statuses.ts'
import type { OutgoingSms } from '../../../src/senders/contract.ts'
import { SUBMIT_REFUSALS } from '../../../src/senders/smpp/codes.ts'
import { openSmpp } from '../../../src/senders/smpp/index.ts'
import { relativeTime } from '../../../src/senders/smpp/submit.ts'
import { connectionTo, SHORT, startServer, type TestServer, until } from './server.ts'

let server: TestServer
let closes: (() => Promise<void>)[] = []
const alarms: string[] = []

beforeEach(async () => {
  server = await startServer()
  alarms.length = 0
})
afterEach(async () => {
  await Promise.all(closes.map((close) => close()))
  closes = []
  await server.close()
})

async function open(settings: Record<string, unknown> = {}, waits: Partial<typeof SHORT> = {}) {
  const tools = { alarm: (message: string) => alarms.push(message), openSocket }
  const operations = openSmpp(connectionTo(server.port, settings), tools, { ...SHORT, ...waits })
  const session = operations.openSession({ reports: async () => {}, incoming: async () => {} })
  closes.push(() => session.close())
  await until(() => session.is_open(), 'the session opens')
  return { ...operations, session }
}

const sms = (change: Partial<OutgoingSms> = {}): OutgoingSms => ({
  id: 1,
  reference: 'abcdefghijklmnopqrstuvwx',
  phonenumber: '+256772123456',
  body: 'Paid: 5 000',
  sender: 'KUSANYA',
  valid_s: 3_600,
  ...change,
})
const textOf = (pdu: smpp.Pdu) => (pdu.short_message as { message: string }).message
/** Answer the n-th submit_sm (from 1) with a status, and accept the others. */
function refuse(status: number, isRefused: (count: number) => boolean = () => true) {
  let count = 0
  server.onPdu = (pdu, session) => {
    if (pdu.command !== 'submit_sm') return false
    count += 1
    if (!isRefused(count)) return false
    session.send(pdu.response({ command_status: status }))
    return true
  }
}

describe('an SMS over SMPP', () => {
  it('is one packet, which another program reads correctly', async () => {
    const { send } = await open()
    const body = 'Été: 5 € for señor [Øre] @ ΔΩ'
    expect(await send(sms({ body }))).toEqual({ outcome: 'sent', remote_id: 'M1', parts: 1 })
    const [pdu] = server.of('submit_sm') as [smpp.Pdu]
    expect(textOf(pdu)).toBe(body)
    expect(pdu).toMatchObject({
      source_addr_ton: 5,
      source_addr_npi: 0,
      source_addr: 'KUSANYA',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '256772123456',
      esm_class: 0,
      data_coding: 0,
      registered_delivery: 1,
    })
    const valid_s = ((pdu.validity_period as Date).getTime() - Date.now()) / 1_000
    expect(Math.abs(valid_s - 3_600)).toBeLessThan(120)
  })

  it('is UCS-2 where GSM lacks a letter', async () => {
    const { send } = await open()
    await send(sms({ body: 'Asante 🙏 ọ' }))
    const [pdu] = server.of('submit_sm') as [smpp.Pdu]
    expect(pdu.data_coding).toBe(8)
    expect(textOf(pdu)).toBe('Asante 🙏 ọ')
  })

  it('is Latin 1 if the provider reads data_coding 0 as that', async () => {
    const { send } = await open({ default_alphabet: 'latin-1' })
    await send(sms({ body: 'é@£' }))
    await send(sms({ body: 'Δ€', reference: 'b' }))
    const [latin, ucs] = server.of('submit_sm') as [smpp.Pdu, smpp.Pdu]
    expect(latin.data_coding).toBe(0)
    expect(ucs.data_coding).toBe(8)
    expect(textOf(ucs)).toBe('Δ€')
  })

  it.each([
    [null, 0, 0, ''],
    ['8080', 3, 0, '8080'],
    ['+256700123456', 1, 1, '256700123456'],
    ['256700123456', 1, 1, '256700123456'],
    ['MY SHOP', 5, 0, 'MY SHOP'],
  ])('comes from %j with the type %i and the plan %i', async (sender, ton, npi, address) => {
    const { send } = await open()
    await send(sms({ sender }))
    expect(server.of('submit_sm')[0]).toMatchObject({
      source_addr_ton: ton,
      source_addr_npi: npi,
      source_addr: address,
    })
  })
})

describe('a long text', () => {
  const body = `${'€'.repeat(100)}${'a'.repeat(200)}`

  it('is sent in parts with headers', async () => {
    const { send } = await open()
    expect(await send(sms({ body }))).toEqual({ outcome: 'sent', remote_id: 'M3', parts: 3 })
    const pdus = server.of('submit_sm')
    expect(pdus.map(textOf).join('')).toBe(body)
    const headers = pdus.map((pdu) => (pdu.short_message as { udh: Buffer[] }).udh[0]!)
    expect(headers.map((header) => [...header.subarray(0, 2), ...header.subarray(3)])).toEqual([
      [0, 3, 3, 1],
      [0, 3, 3, 2],
      [0, 3, 3, 3],
    ])
    expect(new Set(headers.map((header) => header[2])).size).toBe(1)
    expect(pdus.every((pdu) => pdu.esm_class === 0x40)).toBe(true)
  })

  it('is sent in parts with sar parameters', async () => {
    const { send } = await open({ long_texts: 'sar' })
    await send(sms({ body: 'я'.repeat(100) }))
    const pdus = server.of('submit_sm')
    expect(pdus.map(textOf).join('')).toBe('я'.repeat(100))
    expect(pdus.map((pdu) => [pdu.sar_total_segments, pdu.sar_segment_seqnum])).toEqual([
      [2, 1],
      [2, 2],
    ])
    expect(pdus[0]!.sar_msg_ref_num).toBe(pdus[1]!.sar_msg_ref_num)
  })

  it('is sent as one payload', async () => {
    const { send } = await open({ long_texts: 'payload' })
    expect(await send(sms({ body }))).toEqual({ outcome: 'sent', remote_id: 'M1', parts: 3 })
    const [pdu] = server.of('submit_sm') as [smpp.Pdu]
    expect((pdu.message_payload as { message: string }).message).toBe(body)
  })

  it('ends with the part that is refused', async () => {
    const { send } = await open()
    refuse(STATUSES.ESME_RSUBMITFAIL[0], (count) => count === 2)
    expect(await send(sms({ body }))).toMatchObject({ outcome: 'failed', code: 'ESME_RSUBMITFAIL', retry: false })
    expect(server.of('submit_sm')).toHaveLength(2)
  })

  it('is completed by the next call, which skips accepted parts', async () => {
    const { send } = await open()
    refuse(STATUSES.ESME_RX_T_APPN[0], (count) => count === 2)
    expect(await send(sms({ body }))).toMatchObject({ outcome: 'failed', retry: true })
    expect(await send(sms({ body }))).toMatchObject({ outcome: 'sent', parts: 3 })
    const parts = server.of('submit_sm').map((pdu) => (pdu.short_message as { udh: Buffer[] }).udh[0]![4])
    expect(parts).toEqual([1, 2, 2, 3])
  })
})

describe('a provider that does not answer as it should', () => {
  it('leaves the SMS unknown when the connection ends after it was sent', async () => {
    const { send, session } = await open()
    server.onPdu = (pdu, { socket }) => pdu.command === 'submit_sm' && Boolean(socket.destroy())
    expect(await send(sms())).toMatchObject({ outcome: 'unknown' })
    await until(() => session.is_open(), 'the session opens again')
  })

  it('leaves the SMS unknown when it does not answer in time, and the late answer counts', async () => {
    const { send } = await open({}, { response: 150 })
    let late = () => {}
    server.onPdu = (pdu, session) => {
      if (pdu.command !== 'submit_sm') return false
      late = () => session.send(pdu.response({ message_id: 'LATE' }))
      return true
    }
    expect(await send(sms())).toMatchObject({ outcome: 'unknown' })
    late()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await send(sms())).toEqual({ outcome: 'sent', remote_id: 'LATE', parts: 1 })
    expect(server.of('submit_sm')).toHaveLength(1)
  })

  it('gets the SMS later, and fewer of them, when it throttles', async () => {
    const { send } = await open()
    refuse(STATUSES.ESME_RTHROTTLED[0], (count) => count <= 3)
    expect(await send(sms())).toEqual({ outcome: 'sent', remote_id: 'M1', parts: 1 })
    expect(server.of('submit_sm')).toHaveLength(4)
  })

  it('is left alone when it goes on saying so', async () => {
    const { send } = await open({}, { send: 150 })
    refuse(STATUSES.ESME_RMSGQFUL[0])
    expect(await send(sms())).toMatchObject({ outcome: 'failed', reason: 'throttled', retry: true, retry_after_s: 1 })
    expect(server.of('submit_sm').length).toBeLessThan(6)
    expect(alarms).toEqual([])
  })

  it('never has more SMS without an answer than the window', async () => {
    const { send } = await open({ window: 3 })
    let most = 0
    const held: (() => void)[] = []
    const answerHeld = () => {
      for (const answer of held.splice(0)) answer()
    }
    // Three are held, with time for a fourth that would be too much.
    server.onPdu = (pdu, session) => {
      if (pdu.command !== 'submit_sm') return false
      most = Math.max(
        most,
        held.push(() => session.send(pdu.response({ message_id: String(pdu.sequence_number) }))),
      )
      if (held.length === 3) setTimeout(answerHeld, 20)
      return true
    }
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => send(sms({ reference: `sms${n}` }))))
    expect(answers.every(({ outcome }) => outcome === 'sent')).toBe(true)
    expect(most).toBe(3)
  })

  it('is given no more SMS than the contract allows, and those without a turn wait', async () => {
    const { send } = await open({ throughput: 5 }, { send: 500 })
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => send(sms({ reference: `sms${n}` }))))
    const late = answers.filter((answer) => answer.outcome === 'failed')
    expect(late.length).toBeGreaterThan(20)
    for (const answer of late) expect(answer).toMatchObject({ reason: 'throttled', retry: true })
    expect(server.of('submit_sm')).toHaveLength(30 - late.length)
  })

  it('sends one reference once, also when it is asked twice at the same time', async () => {
    const { send } = await open()
    expect(await Promise.all([send(sms()), send(sms())])).toHaveLength(2)
    expect(server.of('submit_sm')).toHaveLength(1)
  })
})

test('reports an unsent SMS without a session', async () => {
  const { send, session } = await open()
  await session.close()
  expect(await send(sms())).toMatchObject({ outcome: 'failed', reason: 'no_route', retry: true })
  expect(server.of('submit_sm')).toHaveLength(0)
})

test('every status of the specification has its outcome', async () => {
  const { send } = await open({}, { send: 1 })
  for (const [name, [code]] of Object.entries(STATUSES).slice(1)) {
    server.onPdu = (pdu, session) => pdu.command === 'submit_sm' && session.send(pdu.response({ command_status: code }))
    await until(() => server.sessions.length > 0, 'a session')
    const answer = await sendWhenOpen(send, sms({ reference: name }))
    const expected = SUBMIT_REFUSALS[name as StatusName]
    expect([name, answer.outcome]).toEqual([name, expected ? 'failed' : 'unknown'])
    if (expected) expect(answer).toMatchObject({ reason: expected.reason, retry: expected.retry, code: name })
    const said = alarms.splice(0)
    expect(said.length).toBe(expected?.setting || expected?.reason === 'invalid_sender' ? 1 : 0)
    if (expected?.setting) expect(said[0]).toContain(`Check ${expected.setting}.`)
  }
  server.onPdu = (pdu, session) => pdu.command === 'submit_sm' && session.send(pdu.response({ command_status: 0x400 }))
  expect(await sendWhenOpen(send, sms({ reference: 'own' }))).toEqual({
    outcome: 'unknown',
    message: "The provider answers the status 0x00000400, which is the provider's own.",
  })
})

/** A status may have ended the bind, and a deadline may be over before the turn: then nothing was sent. */
async function sendWhenOpen(send: Awaited<ReturnType<typeof open>>['send'], one: OutgoingSms) {
  for (;;) {
    const answer = await send(one)
    if (answer.outcome !== 'failed' || answer.retry_after_s !== 10) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test.each([
  [1, '000000000001000R'],
  [3_600, '000000010000000R'],
  [90_061, '000001010101000R'],
  [86_400 * 365, '000030000000000R'],
])('%i seconds are %s', (seconds, text) => {
  expect(relativeTime(seconds)).toBe(text)
})
