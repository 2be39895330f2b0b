import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSocket } from '../../../src/lib/http/reach.ts'
import { openSmpp } from '../../../src/senders/smpp/index.ts'
import { connectionTo, SHORT, startServer, type TestServer, until } from '../../senders/smpp/server.ts'
import { printFigure } from '../figures.ts'

/*
 * Customers send first parts of SMS that never continue, and an attacker on the way to the provider sends invalid
 * packets. Meanwhile SMS must go out. Waiting parts stay in memory, so there is a limit.
 */

const PARTS = 3_000
const LATER = [0x64, 0x14]

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('parts that never continue and broken packets do not stop the SMS that go out', async () => {
  const operations = openSmpp(
    connectionTo(server.port),
    { alarm: () => {}, openSocket },
    { ...SHORT, incomplete: 600_000 },
  )
  const session = operations.openSession({
    reports: async () => {},
    incoming: async () => {},
  })
  await until(() => session.is_open(), 'the session opens')

  const answers: number[] = []
  for (let part = 0; part < PARTS; part += 1) {
    const udh = Buffer.of(5, 0, 3, part & 0xff, 255, 1)
    const source_addr = String(256_772_000_000 + part)
    server.sessions[0]!.deliver_sm({ source_addr, esm_class: 0x40, short_message: { udh, message: 'a' } }, (answer) =>
      answers.push(answer.command_status),
    )
  }
  await until(() => answers.length === PARTS, 'an answer to each part')
  const later = answers.filter((status) => LATER.includes(status)).length
  expect(later).toBe(PARTS)

  // A length that no packet has, in the middle of the stream.
  server.sessions[0]!.socket.write(Buffer.alloc(64, 0xff))
  await until(() => server.of('bind_transceiver').length === 2 && session.is_open(), 'a new session')
  const sms = { id: 1, phonenumber: '+256772123456', body: 'Paid', sender: null, valid_s: 60 }
  const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => operations.send({ ...sms, reference: `r${n}` })))
  const arrived = sent.filter(({ outcome }) => outcome === 'sent').length
  expect(arrived).toBe(20)
  printFigure('smpp-provider', `${PARTS} parts put off, ${arrived} of 20 SMS sent after them and a broken packet`)
  await session.close()
})
