import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckResult, DriverTools } from '../../drivers/contract.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { statusCode } from '../../lib/smpp/statuses.ts'
import { bindTransceiver } from './bind.ts'
import type { SmppSession } from './session.ts'
import type { BindSettings, Waits } from './settings.ts'

/** Open a test session and end it. A session that is already open is proof enough. */
export async function testSession(
  tools: Pick<DriverTools, 'openSocket'>,
  settings: BindSettings,
  waits: Waits,
  session: SmppSession | undefined,
): Promise<CheckResult[]> {
  const name = 'session'
  if (session?.is_open()) return [{ name, outcome: 'ok', message: getMessage('smpp.session_provider_open') }]
  const answer = await bindTransceiver(tools, settings, waits, {
    // Reports and SMS are for the session that stores them.
    onRequest: (link, pdu) => link.respond(pdu, pdu.command === 'unbind' ? 0 : statusCode('ESME_RX_T_APPN')),
    onClose: () => {},
  })
  if (answer.outcome === 'bound') {
    await Promise.race([answer.link.request('unbind'), sleep(Math.min(waits.response, 3_000))])
    answer.link.end(getMessage('smpp.test_over'))
    return [{ name, outcome: 'ok', message: getMessage('smpp.provider_accepts_system') }]
  }
  if (answer.outcome === 'unreachable') return [{ name, outcome: 'failed', message: answer.message }]
  return [{ name, outcome: answer.is_ours ? 'failed' : 'unknown', message: answer.message }]
}
