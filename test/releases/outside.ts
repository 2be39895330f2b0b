import { join } from 'node:path'
import { openReceiver, type Received } from '../receiver.ts'

/** The programs of others that the service calls: receivers of webhooks, an acceptance URL and an SMS provider. */
export interface Outside {
  url: string
  /** The calls to a path, in the order in which they came. */
  calls(path: string): Received[]
  /** From now on all calls that were answered with 503 are answered with success. */
  recover(): void
  close(): Promise<void>
}

/** Until `recover`, calls about these customers are answered with 503. */
export const BUSY_PHONES = { sms: '+80000000703', acceptance: '+80000000702' }
/** The organization refuses money of this customer. */
export const REFUSED_PHONE = '+80000000701'
/** The SMS provider refuses to send to this customer. */
export const NO_SMS_PHONE = '+80000000704'

/**
 * Open them. `/shop` accepts every notification, `/broken` none, and `/restless` those after `recover`. `/acceptance`
 * says whether money is accepted, and `/sms` sends messages.
 */
export async function openOutside(): Promise<Outside> {
  let busy = true
  const receiver = await openReceiver(({ path, body }, response) => {
    if (path === '/broken') return 500
    if (path === '/restless') return busy ? 503 : 200
    if (path === '/sms' && body.includes(NO_SMS_PHONE)) return 400
    if (path === '/sms') return busy && body.includes(BUSY_PHONES.sms) ? 503 : 200
    if (path !== '/acceptance') return 200
    const { remote_transaction_id: id, phonenumber } = JSON.parse(body) as Record<string, string>
    if (busy && phonenumber === BUSY_PHONES.acceptance) return 503
    response.writeHead(200).end(phonenumber === REFUSED_PHONE ? `REJECT ${id} Unknown customer` : `ACCEPT ${id}`)
  })
  return {
    url: receiver.url,
    calls: (path) => receiver.received.filter((call) => call.path === path),
    recover() {
      busy = false
    },
    close: receiver.close,
  }
}

/** The settings under which a fixture is made and tried: the same, so that the same questions have the same answers. */
export function settingsFor(outside: Outside): Record<string, string> {
  return {
    PUBLIC_URL: 'https://pay.example.com',
    READS_PER_MINUTE: '1000000',
    WRITES_PER_MINUTE: '1000000',
    EXTRA_EVENT_TYPES: 'on',
    CONSOLE: 'on',
    BILL_WAIT_SECONDS: '1',
    LOG_LEVEL: 'warn',
    SMS_URL: `${outside.url}/sms`,
    NODE_EXTRA_CA_CERTS: join(import.meta.dirname, '../fixtures/localhost-cert.pem'),
  }
}
