import { smpp } from '../../../src/senders/smpp/index.ts'
import { createSmppDoor } from '../../../src/simulator/doors/smpp/index.ts'
import { runSmsConformance } from './index.ts'

const door = createSmppDoor()
const credentials = Object.fromEntries(door.credentials.map(({ name, value }) => [name, value]))
/** The port of the message centre. It is known when the simulator listens, and the driver has it as a setting. */
let port = 1

runSmsConformance({
  driver: {
    ...smpp,
    open: (connection, tools) =>
      smpp.open(
        { ...connection, settings: { ...(connection.settings as object), port } } as unknown as typeof connection,
        tools,
      ),
  },
  door,
  environment: 'test',
  settings: { ...credentials, host: '127.0.0.1', throughput: 1_000 },
  wrong_settings: [
    { settings: { password: 'another' }, names: /password/ },
    { settings: { system_id: 'somebody' }, names: /system_id/ },
  ],
  sender: 'MAMASHOP',
  // SMPP 3.4 has no status for these: they are refused, without a reason that a program can read.
  refusals: { '000602': 'rejected', '000603': 'rejected', '000604': 'rejected', '000605': 'rejected' },
  failures: { '000611': 'undelivered', '000614': 'rejected', '000615': 'undelivered' },
  gives_id: true,
  receives: '8080',
  http: false,
  hosts(simulator) {
    const { smsc = '' } = simulator.hostsOf('smpp')
    port = Number(new URL(smsc).port)
    return {}
  },
})
