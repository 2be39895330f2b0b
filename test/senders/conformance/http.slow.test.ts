import { httpSms } from '../../../src/senders/http/index.ts'
import { infobipDoor } from '../../../src/simulator/doors/infobip/index.ts'
import { runSmsConformance } from './index.ts'

const key = infobipDoor.credentials[0]!.value
const body = {
  sender: '{sender}',
  destinations: [{ to: '{msisdn}', messageId: '{id}' }],
  content: { text: '{text}' },
  webhooks: { delivery: { url: '{report_url}' } },
}
let base = 'http://127.0.0.1:2'

// Infobip as a person would set it up by hand. What it refuses, it says in a 200.
runSmsConformance({
  driver: httpSms,
  door: infobipDoor,
  environment: 'test',
  settings: {
    get url() {
      return `${base}/sms/3/messages`
    },
    headers: `Authorization: App ${key}`,
    body: JSON.stringify({ messages: [body] }),
    id_field: 'messages.0.messageId',
    report_status_field: 'results.0.status.groupName',
    report_reason_field: 'results.0.error.name',
    failed_words: 'undeliverable, expired, rejected',
    incoming_from_field: 'results.0.from',
    incoming_text_field: 'results.0.text',
  },
  wrong_settings: [],
  sender: 'MAMASHOP',
  refusals: { '000601': null, '000602': null, '000603': null, '000604': null, '000605': null },
  failures: {
    '000611': 'undelivered',
    '000612': 'undelivered',
    '000613': 'undelivered',
    '000614': 'undelivered',
    '000615': 'undelivered',
  },
  checks_sender: false,
  secret_addresses: true,
  gives_id: true,
  receives: '',
  register(url, simulator) {
    base = simulator.hostsOf(infobipDoor.code).api!
    return simulator.setSwitches(infobipDoor.code, { incoming_url: `${url}/incoming` })
  },
})
