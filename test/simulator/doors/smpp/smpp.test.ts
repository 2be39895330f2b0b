import smpp from 'smpp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../../src/db/client.ts'
import { writeId } from '../../../../src/simulator/doors/smpp/ids.ts'
import { createSmppDoor } from '../../../../src/simulator/doors/smpp/index.ts'
import type { Simulator } from '../../../../src/simulator/index.ts'
import type { SwitchValues } from '../../../../src/simulator/world/world.ts'
import { until } from '../../../senders/smpp/server.ts'
import { createTestSimulator, openDatabase } from '../../simulator-test.ts'

let db: Database
let drop: () => Promise<void>
let simulator: Simulator
let port: number
let clients: smpp.Session[] = []
let offset_s = 0

beforeAll(async () => {
  ;({ db, drop } = await openDatabase())
  simulator = createTestSimulator(db, {
    now: () => new Date(Date.now() + offset_s * 1_000),
    doors: [createSmppDoor()],
  })
  await simulator.listen()
  simulator.start()
  port = Number(new URL(simulator.hostsOf('smpp').smsc!).port)
})
afterAll(async () => {
  await simulator.stop()
  await drop()
})
beforeEach(() => set({ bind: 'accepted', responses: 'given', message_ids: 'decimal', reports: 'text and parameters' }))
afterEach(() => {
  for (const client of clients) client.socket.destroy()
  clients = []
})

const set = (values: SwitchValues) => simulator.setSwitches('smpp', values)

/** A client of somebody else: the package `smpp`. */
function connect(): Promise<smpp.Session> {
  return new Promise((resolve) => {
    const client = smpp.connect({ host: '127.0.0.1', port }, () => resolve(client))
    client.on('error', () => {})
    clients.push(client)
  })
}
const bind = (client: smpp.Session, fields: Record<string, unknown> = {}) =>
  new Promise<smpp.Pdu>((resolve) => {
    client.bind_transceiver({ system_id: 'simulated', password: 'simulat8', ...fields }, resolve)
  })
async function bound(): Promise<smpp.Session> {
  const client = await connect()
  expect((await bind(client)).command_status).toBe(0)
  return client
}
let phones = 0
const newPhone = () => {
  phones += 1
  return `25677210${String(phones).padStart(4, '0')}`
}
const submit = (client: smpp.Session, fields: Record<string, unknown>) =>
  new Promise<smpp.Pdu>((resolve) => {
    const sent = { source_addr_ton: 5, source_addr: 'SHOP', registered_delivery: 1, short_message: 'Paid', ...fields }
    client.submit_sm(sent, resolve)
  })
/** The next packet about this phone that the centre hands over. All are acknowledged. */
const delivered = (client: smpp.Session, phone: string) =>
  new Promise<smpp.Pdu>((resolve) => {
    client.on('deliver_sm', (pdu) => {
      client.send(pdu.response())
      if (pdu.source_addr === phone) resolve(pdu)
    })
  })
function passTime(seconds: number) {
  offset_s += seconds
  simulator.wake()
}
const textOf = (pdu: smpp.Pdu) => (pdu.short_message as { message: string }).message

describe('the simulated message centre, for a client of somebody else,', () => {
  it('takes binds with the documented credentials alone', async () => {
    expect((await bind(await connect(), { password: 'wrong' })).command_status).toBe(0x0e)
    expect((await bind(await connect(), { system_id: 'wrong' })).command_status).toBe(0x0f)
    const client = await connect()
    expect((await submit(client, { destination_addr: newPhone() })).command_status).toBe(0x04)
    expect((await bind(client)).command_status).toBe(0)
    expect((await bind(client)).command_status).toBe(0x05)
    const enquired = await new Promise<smpp.Pdu>((resolve) => {
      client.enquire_link(resolve)
    })
    expect(enquired.command_status).toBe(0)
    const closed = new Promise((resolve) => client.on('close', resolve))
    client.unbind(() => {})
    await closed
  })

  it.each([
    ['wrong password', 0x0e],
    ['wrong system id', 0x0f],
    ['failed', 0x0d],
    ['bound already', 0x05],
  ])('refuses binds if the switch says %s', async (switched, status) => {
    await set({ bind: switched })
    expect((await bind(await connect())).command_status).toBe(status)
  })

  it('delivers an SMS to the phone and reports it', async () => {
    const client = await bound()
    const destination_addr = newPhone()
    const report = delivered(client, destination_addr)
    const answer = await submit(client, { destination_addr, short_message: 'Café: 5 €' })
    expect(answer).toMatchObject({ command_status: 0, message_id: expect.stringMatching(/^\d+$/) })
    passTime(3)
    const pdu = await report
    expect(pdu).toMatchObject({
      esm_class: 4,
      source_addr: destination_addr,
      destination_addr: 'SHOP',
      receipted_message_id: answer.message_id,
      message_state: 2,
    })
    expect(textOf(pdu)).toMatch(new RegExp(`^id:${answer.message_id} sub:001 dlvrd:001 .* stat:DELIVRD err:000 `))
    expect(await simulator.sms({ phonenumber: `+${destination_addr}` })).toMatchObject([
      { body: 'Café: 5 €', sender: 'SHOP', state: 'delivered', parts: 1 },
    ])
  })

  it('puts the parts of a long text together, and reports each', async () => {
    const client = await bound()
    const destination_addr = newPhone()
    const ids = new Set<unknown>()
    client.on('deliver_sm', (pdu) => {
      ids.add(pdu.receipted_message_id)
      client.send(pdu.response())
    })
    const part = (number: number, message: string) => ({
      destination_addr,
      short_message: { udh: Buffer.of(5, 0, 3, 9, 2, number), message },
    })
    const second = await submit(client, part(2, 'world'))
    const first = await submit(client, part(1, 'Hello '))
    passTime(3)
    await until(() => ids.size === 2, 'both reports')
    expect(ids).toEqual(new Set([first.message_id, second.message_id]))
    expect(await simulator.sms({ phonenumber: `+${destination_addr}` })).toMatchObject([{ body: 'Hello world' }])
  })

  it('reports only the parts for which a report was requested', async () => {
    const client = await bound()
    const destination_addr = newPhone()
    const ids: unknown[] = []
    client.on('deliver_sm', (pdu) => {
      if (pdu.source_addr === destination_addr) ids.push(pdu.receipted_message_id)
      client.send(pdu.response())
    })
    const part = (number: number, registered_delivery: number) => ({
      destination_addr,
      registered_delivery,
      short_message: { udh: Buffer.of(5, 0, 3, 10, 2, number), message: 'a' },
    })
    const first = await submit(client, part(1, 1))
    await submit(client, part(2, 0))
    passTime(3)
    await until(() => ids.length > 0, 'the report')
    while ((await simulator.nextDue()) !== null) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(ids).toEqual([first.message_id])
  })

  it('hands over inbound SMS, again and again until they are acknowledged', async () => {
    const sms = { door: 'smpp', phonenumber: '+256772000001', to: '8080', text: `STOP ${'é'.repeat(200)}` }
    // Nobody is bound yet.
    await simulator.text(sms)
    const client = await bound()
    const texts: string[] = []
    client.on('deliver_sm', (pdu) => {
      texts.push(textOf(pdu))
      client.send(pdu.response())
    })
    await until(() => {
      passTime(10)
      return texts.length >= 2
    }, 'both parts')
    expect(texts.slice(0, 2).join('')).toBe(sms.text)
  })

  it.each([
    ['invalid number', { destination_addr: '123' }, 0x0b],
    ['number without an SMS account', { destination_addr: '256772000601' }, 0x0b],
    ['unknown sender', { source_addr: 'NOTMINE' }, 0x0a],
    ['sender that is too long', { source_addr: 'A LONG SENDER' }, 0x0a],
    ['text that is too long', { short_message: 'a'.repeat(161) }, 0x01],
    ['opted-out customer', { destination_addr: '256772000602' }, 0x66],
    ['account without credit', { destination_addr: '256772000603' }, 0x45],
  ])('refuses an SMS: %s', async (_, fields, status) => {
    const client = await bound()
    expect((await submit(client, { destination_addr: newPhone(), ...fields })).command_status).toBe(status)
  })

  it('is too busy, loses answers and connections where switches say so', async () => {
    const client = await bound()
    await set({ throttled: true })
    expect((await submit(client, { destination_addr: newPhone() })).command_status).toBe(0x58)
    await set({ throttled: false, responses: 'lost' })
    const destination_addr = newPhone()
    submit(client, { destination_addr })
    const sms = () => simulator.sms({ phonenumber: `+${destination_addr}` })
    while ((await sms()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    await set({ responses: 'connection lost' })
    const closed = new Promise((resolve) => client.on('close', resolve))
    submit(client, { destination_addr: newPhone() })
    await closed
  })

  it.each([
    ['text', 'answers hexadecimal, reports decimal'],
    ['parameters', 'answers decimal, reports hexadecimal'],
  ])('reports by %s with ids as the switch says: %s', async (reports, message_ids) => {
    await set({ reports, message_ids })
    const client = await bound()
    const destination_addr = newPhone()
    const report = delivered(client, destination_addr)
    const answer = await submit(client, { destination_addr })
    passTime(3)
    const pdu = await report
    const is_hex = message_ids.startsWith('answers hex')
    const number = BigInt(is_hex ? `0x${answer.message_id}` : (answer.message_id as string))
    const expected = writeId(number, 'report', message_ids as 'decimal')
    expect(expected).not.toBe(answer.message_id)
    if (reports === 'text') expect(textOf(pdu)).toContain(`id:${expected} `)
    else expect(pdu).toMatchObject({ receipted_message_id: expected, message_state: 2 })
  })
})
