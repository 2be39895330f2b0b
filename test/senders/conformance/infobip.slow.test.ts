import { infobip } from '../../../src/senders/infobip/index.ts'
import { infobipDoor } from '../../../src/simulator/doors/infobip/index.ts'
import { runSmsConformance } from './index.ts'

runSmsConformance({
  driver: infobip,
  door: infobipDoor,
  environment: 'simulated',
  settings: Object.fromEntries(infobipDoor.credentials.map(({ name, value }) => [name, value])),
  wrong_settings: [{ settings: { api_key: 'the key of somebody else' }, names: /api_key/ }],
  sender: 'MAMASHOP',
  gives_id: true,
  receives: '22123',
  register: (url, simulator) => simulator.setSwitches(infobipDoor.code, { incoming_url: `${url}/incoming` }),
})
