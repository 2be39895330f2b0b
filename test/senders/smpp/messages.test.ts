import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSocket } from '../../../src/lib/http/reach.ts'
import { MESSAGE_STATES, type MessageState } from '../../../src/lib/smpp/receipts.ts'
import type { IncomingSms, SmsReport } from '../../../src/senders/contract.ts'
import { REPORT_STATES } from '../../../src/senders/smpp/codes.ts'
import { openSmpp } from '../../../src/senders/smpp/index.ts'
import { connectionTo, SHORT, startServer, type TestServer, until } from './server.ts'

let server: TestServer
let closes: (() => Promise<void>)[] = []
let reports: SmsReport[] = []
let incoming: IncomingSms[] = []
/** Storing function; tests replace it. */
let store: () => Promise<void>
const alarms: string[] = []

beforeEach(async () => {
  server = await startServer()
  ;[reports, incoming, alarms.length] = [[], [], 0]
  store = async () => {}
})
afterEach(async () => {
  await Promise.all(closes.map((close) => close()))
  closes = []
  await server.close()
})

async function open(settings: Record<string, unknown> = {}, waits: Partial<typeof SHORT> = {}) {
  const tools = { alarm: (message: string) => alarms.push(message), openSocket }
  const operations = openSmpp(connectionTo(server.port, settings), tools, { ...SHORT, ...waits })
  const session = operations.openSession({
    async reports(list) {
      await store()
      reports.push(...list)
    },
    async incoming(list) {
      await store()
      incoming.push(...list)
    },
  })
  closes.push(() => session.close())
  await until(() => session.is_open(), 'the session opens')
  const send = (body: string, reference = 'ourreference') =>
    operations.send({ id: 1, reference, phonenumber: '+256772123456', body, sender: 'SHOP', valid_s: 60 })
  return { send, session }
}

/** Send a packet to the driver, and resolve with the status that answers it. */
function deliver(fields: Record<string, unknown>): Promise<number> {
  const { sessions } = server
  return new Promise((resolve) => {
    sessions[0]!.deliver_sm(
      { source_addr: '256772123456', destination_addr: '8080', source_addr_ton: 1, ...fields },
      (answer) => resolve(answer.command_status),
    )
  })
}
const receipt = (id: string, stat = 'DELIVRD', err = '000') => ({
  esm_class: 4,
  short_message: `id:${id} sub:001 dlvrd:001 submit date:2611221200 done date:2611221201 stat:${stat} err:${err} text:Paid`,
})
function giveId(message_id: string) {
  server.onPdu = (pdu, session) => pdu.command === 'submit_sm' && session.send(pdu.response({ message_id }))
}

describe('a delivery report', () => {
  it.each(Object.keys(MESSAGE_STATES) as MessageState[])(
    'with the state %s is read as text and as TLV',
    async (state) => {
      const { send } = await open()
      giveId('AB12')
      await send('Paid')
      expect(await deliver(receipt('AB12', state, '027'))).toBe(0)
      const tlvs = { receipted_message_id: 'AB12', message_state: MESSAGE_STATES[state] }
      expect(await deliver({ esm_class: 4, short_message: '', ...tlvs })).toBe(0)
      const expected = { sms: { reference: 'ourreference' }, ...REPORT_STATES[state] }
      expect(reports).toEqual([
        { ...expected, code: `${state} 027` },
        { ...expected, code: state },
      ])
    },
  )

  it("is uncertain with a word of the provider's own", async () => {
    const { send } = await open()
    giveId('1')
    await send('Paid')
    await deliver(receipt('1', 'PENDING'))
    expect(reports).toMatchObject([{ state: 'sent', code: 'PENDING' }])
  })

  it.each([
    ['automatic', '4D2', '1234'],
    ['automatic', '000004d2', '1234'],
    ['automatic', '1234', '4D2'],
    ['automatic', '0000001234', '1234'],
    ['automatic', 'a1b2-c3', 'a1b2-c3'],
    ['hex-then-decimal', '1234', '4660'],
    ['decimal-then-hex', '4660', '1234'],
    ['same', '1234', '1234'],
  ])('with %s ids finds the SMS %s as %s', async (message_ids, answered, reported) => {
    const { send } = await open({ message_ids })
    giveId(answered)
    await send('Paid')
    await deliver(receipt(reported))
    expect(reports).toMatchObject([{ sms: { reference: 'ourreference' }, state: 'delivered' }])
  })

  it('names all forms of its id, and the phone, for an SMS that this process did not send', async () => {
    await open()
    await deliver(receipt('1234'))
    expect(reports).toMatchObject([
      { sms: { remote_id: '1234', phonenumbers: ['256772123456', '8080'] }, state: 'delivered' },
    ])
    const sms = reports[0]?.sms
    expect(sms && 'other_ids' in sms && sms.other_ids).toEqual(
      expect.arrayContaining(['4d2', '4D2', '000004d2', '000004D2']),
    )
  })

  it('does not match an SMS to another phone with the same number', async () => {
    const { send } = await open()
    giveId('4D2')
    await send('Paid')
    await deliver({ ...receipt('1234'), source_addr: '256700000000' })
    expect(reports).toMatchObject([{ sms: { remote_id: '1234', phonenumbers: ['256700000000', '8080'] } }])
  })

  it('finds the SMS of its destination, where the provider does not swap the addresses', async () => {
    const { send } = await open()
    giveId('4D2')
    await send('Paid')
    await deliver({ ...receipt('1234'), source_addr: '256414000000', destination_addr: '0772123456' })
    expect(reports).toMatchObject([{ sms: { reference: 'ourreference' }, state: 'delivered' }])
  })

  it('that comes before the answer to the SMS finds it', async () => {
    const { send } = await open()
    let delivered: Promise<number> = Promise.resolve(-1)
    server.onPdu = (pdu, session) => {
      if (pdu.command !== 'submit_sm') return false
      delivered = deliver(receipt('FIRST'))
      setTimeout(() => session.send(pdu.response({ message_id: 'FIRST' })), 50)
      return true
    }
    await send('Paid')
    expect(await delivered).toBe(0)
    expect(reports).toMatchObject([{ sms: { reference: 'ourreference' }, state: 'delivered' }])
  })

  it('is acknowledged only when it is stored, and comes again when it is not', async () => {
    await open()
    let storeNow = () => {}
    store = () =>
      new Promise((resolve) => {
        storeNow = resolve
      })
    const answer = deliver(receipt('1'))
    await until(() => server.sessions.length === 1, 'the session')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(server.of('deliver_sm_resp')).toEqual([])
    storeNow()
    expect(await answer).toBe(0)
    store = () => Promise.reject(new Error('The database is away.'))
    expect(await deliver(receipt('2'))).toBe(0x64)
  })

  it('of a long text whose parts have one id counts for all of them', async () => {
    giveId('SHARED')
    const { send } = await open()
    expect(await send('Long. '.repeat(60))).toMatchObject({ outcome: 'sent', parts: 3 })
    await deliver(receipt('SHARED'))
    expect(reports).toMatchObject([{ sms: { reference: 'ourreference' }, state: 'delivered' }])
  })

  it('of a long text counts when all parts are delivered, or one has failed', async () => {
    const { send } = await open()
    await send('a'.repeat(400))
    await send('b'.repeat(400), 'other')
    await deliver(receipt('M1'))
    await deliver(receipt('M3'))
    expect(reports).toEqual([])
    await deliver(receipt('M2'))
    expect(reports).toMatchObject([{ sms: { reference: 'ourreference' }, state: 'delivered' }])
    await deliver(receipt('M5', 'UNDELIV', '001'))
    expect(reports[1]).toMatchObject({
      sms: { reference: 'other' },
      state: 'failed',
      reason: 'undelivered',
      code: 'UNDELIV 001',
      message: 'Part 2 of 3: It could not be delivered.',
    })
  })

  it.each([
    { esm_class: 4, short_message: 'nothing that can be read' },
    { esm_class: 4, short_message: '' },
    { esm_class: 4, short_message: 'stat:DELIVRD text:id:1 stat:DELIVRD' },
  ])('is acknowledged and changes nothing if it names no message (%j)', async (fields) => {
    await open()
    expect(await deliver(fields)).toBe(0)
    expect(reports).toEqual([])
  })

  it('without its class is no SMS of a customer', async () => {
    await open()
    await deliver({ short_message: 'id:1 sub:001 dlvrd:001 stat:DELIVERED err:000 text:STOP' })
    await deliver({ data_coding: 8, short_message: 'id:1 sub:001 dlvrd:000 FAILED' })
    expect(incoming).toEqual([])
    expect(reports).toMatchObject([{ state: 'delivered' }, { state: 'failed' }])
  })
})

describe('an SMS of a customer', () => {
  const part = (number: number, text: string, total = 2) => ({
    esm_class: 0x40,
    data_coding: 0,
    short_message: { udh: Buffer.of(5, 0, 3, 77, total, number), message: text },
  })

  it.each([
    ['GSM', { data_coding: 0, short_message: Buffer.from([0x53, 0x54, 0x4f, 0x50, 0x1b, 0x65]) }, 'STOP€'],
    ['UCS-2', { data_coding: 8, short_message: 'Arrêt ọ 🙏' }, 'Arrêt ọ 🙏'],
    ['Latin 1', { data_coding: 3, short_message: Buffer.from('café', 'latin1') }, 'café'],
    ['a payload', { data_coding: 0, short_message: '', message_payload: 'STOP' }, 'STOP'],
  ])('in %s is handed over', async (_, fields, text) => {
    await open()
    expect(await deliver(fields)).toBe(0)
    expect(incoming).toMatchObject([{ from: '+256772123456', to: '8080', text }])
  })

  it('that is no text is acknowledged and not read', async () => {
    await open()
    expect(await deliver({ data_coding: 4, short_message: Buffer.of(1, 2, 3) })).toBe(0)
    expect(incoming).toEqual([])
  })

  it.each(['0772123456', '772123456', '8080', 'MTN'])(
    'from %s cannot be answered, and the operator is told',
    async (source_addr) => {
      await open()
      expect(await deliver({ source_addr, source_addr_ton: 2, short_message: 'STOP' })).toBe(0)
      expect(incoming).toEqual([])
      expect(alarms).toEqual([expect.stringContaining('international numbers')])
    },
  )

  it('in parts is handed over whole, and its parts are acknowledged then', async () => {
    await open({}, { part: 5_000 })
    const answers = Promise.all([deliver(part(2, 'world')), deliver(part(1, 'Hello '))])
    expect(await answers).toEqual([0, 0])
    expect(incoming).toMatchObject([{ text: 'Hello world' }])
    expect(await deliver(part(2, 'world'))).toBe(0)
    expect(incoming).toHaveLength(1)
  })

  it('is complete when its parts come one after the other', async () => {
    await open({}, { part: 500 })
    expect(await deliver(part(1, 'Hello '))).toBe(0x64)
    expect(await deliver(part(2, 'world'))).toBe(0)
    expect(incoming).toMatchObject([{ text: 'Hello world' }])
    expect(await deliver(part(1, 'Hello '))).toBe(0)
    expect(await Promise.all([deliver(part(1, 'Next ')), deliver(part(2, 'text'))])).toEqual([0, 0])
    expect(incoming.map(({ text }) => text)).toEqual(['Hello world', 'Next text'])
  })

  it('is handed over without a part that never comes', async () => {
    await open({}, { part: 20, incomplete: 100 })
    expect(await deliver(part(1, 'STOP', 3))).toBe(0x64)
    await until(() => incoming.length === 1, 'the SMS')
    expect(incoming).toMatchObject([{ text: 'STOP……' }])
    expect(await deliver(part(1, 'STOP', 3))).toBe(0)
  })

  it('is left to the provider if parts are missing when the session closes', async () => {
    const { session } = await open({}, { part: 20, incomplete: 60_000 })
    expect(await deliver(part(1, 'STOP', 2))).toBe(0x64)
    await session.close()
    expect(incoming).toEqual([])
  })

  it('is the same when repeated over a new bind, and another over the same bind', async () => {
    const { session } = await open()
    await deliver({ short_message: 'STOP' })
    await deliver({ short_message: 'STOP' })
    server.sessions[0]!.socket.destroy()
    await until(() => server.of('bind_transceiver').length === 2 && session.is_open(), 'the second bind')
    await deliver({ short_message: 'STOP' })
    const ids = incoming.map(({ remote_id }) => remote_id)
    expect(ids[0]).not.toBe(ids[1])
    expect(ids[2]).toBe(ids[1])
  })
})
