import { smpp } from '../../../src/senders/smpp/index.ts'
import { createSmppDoor } from '../../../src/simulator/doors/smpp/index.ts'
import { runSmsConformance } from './index.ts'

const door = createSmppDoor()

runSmsConformance({
  driver: smpp,
  door,
  environment: 'simulated',
  settings: { ...Object.fromEntries(door.credentials.map(({ name, value }) => [name, value])), throughput: 1_000 },
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
})
