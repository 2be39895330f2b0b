import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { openSocket } from '../../../src/lib/http/reach.ts'
import { STATUSES, type StatusName } from '../../../src/lib/smpp/statuses.ts'
import { openSmpp } from '../../../src/senders/smpp/index.ts'
import { bindSettings, checkSmppSettings } from '../../../src/senders/smpp/settings.ts'
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

function connect(settings: Record<string, unknown> = {}, waits: Partial<typeof SHORT> = {}) {
  const tools = { alarm: (message: string) => alarms.push(message), openSocket }
  return openSmpp(connectionTo(server.port, settings), tools, { ...SHORT, ...waits })
}
function openSession(operations: ReturnType<typeof connect>) {
  const session = operations.openSession({ reports: async () => {}, incoming: async () => {} })
  closes.push(() => session.close())
  return session
}
function refuseBinds(status: number) {
  server.onPdu = (pdu, session) =>
    pdu.command === 'bind_transceiver' && session.send(pdu.response({ command_status: status }))
}

describe('a session', () => {
  it('binds as a transceiver with the credentials', async () => {
    const session = openSession(connect({ system_type: 'SMPP' }))
    await until(() => session.is_open(), 'the session opens')
    expect(server.of('bind_transceiver')[0]).toMatchObject({
      system_id: 'kusanya',
      password: 'secret',
      system_type: 'SMPP',
      interface_version: 0x34,
    })
  })

  it('opens again when the connection is lost, and when the provider unbinds', async () => {
    const session = openSession(connect())
    await until(() => session.is_open(), 'the session opens')
    server.sessions[0]!.socket.destroy()
    await until(() => server.of('bind_transceiver').length === 2 && session.is_open(), 'the second bind')
    server.sessions[0]!.unbind(() => {})
    await until(() => server.of('bind_transceiver').length === 3 && session.is_open(), 'the third bind')
    expect(server.of('unbind_resp')).toHaveLength(1)
    expect(alarms).toEqual([])
  })

  it('answers enquire_link', async () => {
    const session = openSession(connect())
    await until(() => session.is_open(), 'the session opens')
    const answer = await new Promise<{ command_status: number }>((resolve) => {
      server.sessions[0]!.enquire_link(resolve)
    })
    expect(answer.command_status).toBe(0)
  })

  it('answers a command that it does not know with generic_nack, and stays open', async () => {
    const session = openSession(connect())
    await until(() => session.is_open(), 'the session opens')
    server.sessions[0]!.socket.write(Buffer.from('00000010000001230000000000000007', 'hex'))
    await until(() => server.of('generic_nack').length === 1, 'the nack')
    expect(session.is_open()).toBe(true)
  })

  it.each([
    ['no SMPP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a length that no packet has', Buffer.from('00000003800000040000000000000001', 'hex')],
  ])('ends the connection and opens it again after %s', async (_, octets) => {
    const session = openSession(connect())
    await until(() => session.is_open(), 'the session opens')
    server.sessions[0]!.socket.write(octets)
    await until(() => server.of('bind_transceiver').length === 2 && session.is_open(), 'the second bind')
  })

  it('says goodbye after the answers that are due', async () => {
    const { send, ...operations } = connect()
    const session = openSession({ send, ...operations })
    await until(() => session.is_open(), 'the session opens')
    server.onPdu = (pdu, one) => {
      if (pdu.command !== 'submit_sm') return false
      setTimeout(() => one.send(pdu.response({ message_id: 'X' })), 100)
      return true
    }
    const answer = send({ id: 1, reference: 'a', phonenumber: '+256772123456', body: 'a', sender: null, valid_s: 60 })
    await until(() => server.of('submit_sm').length === 1, 'the SMS')
    await session.close()
    expect(await answer).toMatchObject({ outcome: 'sent', remote_id: 'X' })
    expect(server.received.map(({ command }) => command)).toEqual(['bind_transceiver', 'submit_sm', 'unbind'])
    expect(session.is_open()).toBe(false)
  })
})

test('a provider that is silent is asked, and left when it does not answer', async () => {
  // The setting is in seconds and at least five: the link of the library is tested with less.
  const { createLink } = await import('../../../src/lib/smpp/link.ts')
  const { connect: connectTcp } = await import('node:net')
  const silent = createServer((socket) => socket.on('data', () => {}).on('error', () => {}))
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve)
  })
  const { port } = silent.address() as { port: number }
  const reason = await new Promise((resolve) => {
    const socket = connectTcp(port, '127.0.0.1', () => {
      createLink(socket, { enquire_ms: 30, response_ms: 30, onRequest: () => {}, onClose: resolve })
    })
  })
  expect(reason).toBe('The other side did not answer enquire_link.')
  await new Promise((resolve) => silent.close(resolve))
})

describe('a bind that is refused', () => {
  it.each([
    ['ESME_RINVPASWD', 'Check password.'],
    ['ESME_RINVSYSID', 'Check system_id.'],
    ['ESME_RBINDFAIL', 'Check system_id, password and system_type'],
    ['ESME_RINVSYSTYP', 'Check system_type.'],
    ['ESME_RINVCMDID', 'ask it to allow transceivers'],
  ] as const)('with %s says which setting is wrong', async (name, advice) => {
    refuseBinds(STATUSES[name][0])
    const operations = connect()
    const session = openSession(operations)
    await until(() => alarms.length > 0, 'the alarm')
    expect(alarms[0]).toContain(name)
    expect(alarms[0]).toContain(advice)
    expect(alarms[0]).not.toContain('secret')
    expect(session.is_open()).toBe(false)
    expect(await operations.test()).toMatchObject([{ name: 'session', outcome: 'failed' }])
  })

  it('because the account is bound says nothing about the credentials', async () => {
    refuseBinds(STATUSES.ESME_RALYBND[0])
    expect(await connect().test()).toMatchObject([{ outcome: 'unknown' }])
    const session = openSession(connect())
    await until(() => server.of('bind_transceiver').length === 3, 'more attempts')
    server.onPdu = () => false
    await until(() => session.is_open(), 'the session opens when the earlier one has ended')
  })

  it('has words for every status', async () => {
    const { readBindStatus } = await import('../../../src/senders/smpp/codes.ts')
    for (const [name, [code]] of Object.entries(STATUSES) as [StatusName, readonly [number, string]][])
      expect(readBindStatus(code).message).toContain(name)
    expect(readBindStatus(0x401).message).toContain("0x00000401, which is the provider's own")
  })
})

describe('the test of a connection', () => {
  it('opens a session and ends it', async () => {
    expect(await connect().test()).toEqual([
      {
        name: 'session',
        outcome: 'ok',
        message: 'The provider accepts system id and password, and opened a session.',
      },
    ])
    await until(() => server.sessions.length === 0, 'the end of the session')
    expect(server.received.map(({ command }) => command)).toEqual(['bind_transceiver', 'unbind'])
  })

  it('sends no query while the session is open', async () => {
    const operations = connect()
    const session = openSession(operations)
    await until(() => session.is_open(), 'the session opens')
    expect(await operations.test()).toMatchObject([{ outcome: 'ok' }])
    expect(server.of('bind_transceiver')).toHaveLength(1)
  })

  it("leaves the session's messages alone", async () => {
    server.onPdu = (pdu, session) => {
      if (pdu.command !== 'unbind') return false
      session.deliver_sm({ source_addr: '256772123456', short_message: 'STOP' })
      return false
    }
    await connect().test()
    await until(() => server.of('deliver_sm_resp').length > 0 || server.sessions.length === 0, 'the answer')
    for (const pdu of server.of('deliver_sm_resp')) expect(pdu.command_status).toBe(0x64)
  })

  it.each([
    [{ host: 'nowhere.invalid' }, 'Check host.'],
    [{ port: 1 }, 'Check host and port.'],
    [{ tls: true }, 'Check host, port and tls'],
  ])('with %j says what to check', async (settings, advice) => {
    const [result] = await connect(settings, { bind: 300 }).test()
    expect(result).toMatchObject({ outcome: 'failed' })
    expect(result?.message).toContain(advice)
  })
})

describe('TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'smpp-tls-'))
  const key_file = join(folder, 'key.pem')
  const certificate_file = join(folder, 'certificate.pem')
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key_file,
      '-out',
      certificate_file,
    ],
    { stdio: 'ignore' },
  )
  const key = readFileSync(key_file, 'utf8')
  const cert = readFileSync(certificate_file, 'utf8')
  rmSync(folder, { recursive: true })

  it('carries the session if the certificate is trusted', async () => {
    await server.close()
    server = await startServer({ key, cert })
    const settings = { tls: true, host: 'localhost', tls_certificate: cert }
    expect(await connect(settings).test()).toMatchObject([{ outcome: 'ok' }])
    const [untrusted] = await connect({ tls: true, host: 'localhost' }).test()
    expect(untrusted?.message).toContain('Check tls_certificate.')
  })
})

test('the address of the environment overrides the settings', () => {
  const connection = connectionTo(1234)
  const at = (smsc: string) => bindSettings({ ...connection, hosts: { smsc } })
  expect(at('smpp://127.0.0.2:2776')).toMatchObject({ host: '127.0.0.2', port: 2776, tls: false })
  expect(at('ssmpp://[::1]:3550')).toMatchObject({ host: '::1', port: 3550, tls: true })
  expect(bindSettings(connection)).toMatchObject({ host: '127.0.0.1', port: 1234 })
})

test.each([
  [{ tls: true, tls_certificate: 'x' }, ['tls_certificate']],
  [{ tls_certificate: '-----BEGIN CERTIFICATE-----' }, ['tls_certificate']],
  [{ password: '' }, ['password']],
  [{ host: undefined }, ['host']],
  [{}, []],
])('the settings %j are wrong in %j', (settings, wrong) => {
  const connection = { ...connectionTo(2775, settings), environment: 'production' }
  expect(Object.keys(checkSmppSettings(connection))).toEqual(wrong)
})
