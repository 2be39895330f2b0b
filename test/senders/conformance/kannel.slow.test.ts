import { kannel } from '../../../src/senders/kannel/index.ts'
import { kannelDoor } from '../../../src/simulator/doors/kannel/index.ts'
import { runSmsConformance } from './index.ts'

runSmsConformance({
  driver: kannel,
  door: kannelDoor,
  environment: 'simulated',
  settings: Object.fromEntries(kannelDoor.credentials.map(({ name, value }) => [name, value])),
  wrong_settings: [
    { settings: { password: 'of-somebody-else' }, names: /password/ },
    { settings: { username: 'somebody' }, names: /username/ },
  ],
  sender: 'MAMASHOP',
  // Kannel knows its own lists and routes; what an operator refuses is reported later.
  refusals: { '000601': null, '000602': 'not_allowed', '000603': null },
  failures: { '000611': 'undelivered', '000614': 'undelivered' },
  checks_sender: false,
  gives_id: false,
  receives: '8181',
  register: (url, simulator) => simulator.setSwitches(kannelDoor.code, { incoming_url: `${url}/incoming` }),
})
