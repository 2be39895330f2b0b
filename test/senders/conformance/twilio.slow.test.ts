import { twilio } from '../../../src/senders/twilio/index.ts'
import { twilioDoor } from '../../../src/simulator/doors/twilio/index.ts'
import { runSmsConformance } from './index.ts'

const { account_sid, auth_token } = Object.fromEntries(twilioDoor.credentials.map(({ name, value }) => [name, value]))

runSmsConformance({
  driver: twilio,
  door: twilioDoor,
  environment: 'simulated',
  settings: { account_sid, auth_token },
  wrong_settings: [
    { settings: { auth_token: 'the token of somebody else' }, names: /auth_token/ },
    { settings: { account_sid: `AC${'6'.repeat(32)}` }, names: /account_sid/ },
    {
      settings: { api_key_sid: `SK${'6'.repeat(32)}`, api_key_secret: 'a key that was deleted' },
      names: /api_key_sid/,
    },
  ],
  sender: '+15005550006',
  failures: { '000614': 'not_allowed' },
  gives_id: true,
  receives: '+15005550006',
  register: (url, simulator) => simulator.setSwitches(twilioDoor.code, { incoming_url: `${url}/incoming` }),
})
