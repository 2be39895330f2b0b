import type { DriverTools } from '../../drivers/contract.ts'
import { comparePhone } from '../../lib/phone.ts'
import { defineSmsProvider, type OutgoingSms, type SmsAnswer, type SmsListener } from '../contract.ts'
import { testSession } from './check.ts'
import { createMessages } from './messages.ts'
import { createPace } from './pace.ts'
import { createSentList } from './sent.ts'
import { openSession, type SmppSession } from './session.ts'
import { bindSettings, checkSmppSettings, type SmppConnection, smppSettings, WAITS, type Waits } from './settings.ts'
import { sendSms } from './submit.ts'

/**
 * Any message centre (SMSC) or aggregator that speaks SMPP 3.4, over a session that stays open. docs/sms/smpp.md has
 * the sources and the doubtful points.
 */
export const smpp = defineSmsProvider({
  code: 'smpp',
  name: 'SMPP',
  settings: smppSettings,
  environments: {
    simulated: {
      title: 'Simulated message centre (kusanya networks simulate)',
      live: false,
      hosts: { smsc: 'smpp://127.0.0.1:2775' },
    },
    test: { title: 'Test account', live: false, hosts: {} },
    production: { title: 'Production', live: true, hosts: {} },
  },
  traits: {
    // The last answer of a call may take `WAITS.response` after `WAITS.send`.
    call_s: 55,
    callbacks: 'none',
    repeat: 'sends-again',
    reports: 'session',
  },
  countries: null,
  checkSettings: checkSmppSettings,
  open: (connection, tools) => openSmpp(connection, tools),
})

/** Open a connection. Nothing is connected before `openSession`. */
export function openSmpp(
  connection: Pick<SmppConnection, 'settings' | 'hosts'>,
  tools: Pick<DriverTools, 'alarm' | 'openSocket'>,
  waits: Waits = WAITS,
) {
  const { settings } = connection
  const sent = createSentList(settings.message_ids)
  const running = new Map<string, { phonenumber: string; answer: Promise<SmsAnswer> }>()
  const newPace = () =>
    createPace({ window: settings.window, per_second: settings.throughput, throttle: waits.throttle })
  let pace = newPace()
  let session: SmppSession | undefined

  const settled = (phonenumbers: readonly string[]) => {
    const same = [...running.values()].filter((one) => comparePhone(one.phonenumber, phonenumbers) !== 'other')
    return Promise.allSettled(same.map(({ answer }) => answer))
  }
  const open = (listener: SmsListener): SmppSession => {
    pace = newPace()
    const of_this_session = pace
    const messages = createMessages({ settings, waits, tools, sent, listener, settled })
    const opened = openSession({
      settings: () => bindSettings(connection),
      waits,
      tools,
      onMessage: messages.take,
      onClosing: () => of_this_session.stop(),
    })
    session = {
      ...opened,
      async close() {
        await opened.close()
        messages.close()
      },
    }
    return session
  }
  return {
    send(sms: OutgoingSms) {
      const earlier = running.get(sms.reference)
      if (earlier) return earlier.answer
      const answer = sendSms({ settings, waits, tools, pace, sent, session: () => session }, sms).finally(() =>
        running.delete(sms.reference),
      )
      running.set(sms.reference, { phonenumber: sms.phonenumber, answer })
      return answer
    },
    openSession: open,
    test: () => testSession(tools, bindSettings(connection), waits, session),
  }
}
