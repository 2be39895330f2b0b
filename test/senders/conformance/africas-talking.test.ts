import { africasTalking } from '../../../src/senders/africas-talking/index.ts'
import { africasTalkingDoor } from '../../../src/simulator/doors/africas-talking/index.ts'
import { runSmsConformance } from './index.ts'

const credentials = Object.fromEntries(africasTalkingDoor.credentials.map(({ name, value }) => [name, value]))

runSmsConformance({
  driver: africasTalking,
  door: africasTalkingDoor,
  environment: 'simulated',
  settings: credentials,
  wrong_settings: [
    { settings: { api_key: 'atsk_of-somebody-else' }, names: /api_key/ },
    { settings: { username: 'somebody' }, names: /username/ },
  ],
  sender: 'MAMASHOP',
  gives_id: true,
  receives: '22123',
  register: (url, simulator) =>
    simulator.setSwitches(africasTalkingDoor.code, {
      delivery_reports_url: `${url}/report`,
      incoming_url: `${url}/incoming`,
    }),
})
