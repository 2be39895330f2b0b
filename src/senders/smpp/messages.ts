import type { DriverTools } from '../../drivers/contract.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { readSenderPhone } from '../../lib/phone.ts'
import { octetField, type Pdu, textField } from '../../lib/smpp/pdu.ts'
import { isReceipt, readReceipt } from '../../lib/smpp/receipts.ts'
import { statusCode } from '../../lib/smpp/statuses.ts'
import { readText } from '../../lib/smpp/texts.ts'
import type { SmsListener } from '../contract.ts'
import { createCustomerTexts } from './customer-texts.ts'
import { readReport } from './reports.ts'
import type { SentList } from './sent.ts'
import type { SmppSettings, Waits } from './settings.ts'

interface MessagesOptions {
  settings: SmppSettings
  waits: Waits
  tools: Pick<DriverTools, 'alarm'>
  sent: SentList
  listener: SmsListener
  /** Resolve when nothing is being sent to these phones: only then all ids of their SMS are known. */
  settled(phonenumbers: readonly string[]): Promise<unknown>
}

/** Receiver of the provider's messages: reports and inbound SMS. */
export interface Messages {
  /** Resolve with the status that answers the packet: only stored messages are acknowledged. */
  take(pdu: Pdu, bind: number): Promise<number>
  close(): void
}

const ACKNOWLEDGED = statusCode('ESME_ROK')
/** The provider sends it again later. */
const AGAIN = statusCode('ESME_RX_T_APPN')

export function createMessages(options: MessagesOptions): Messages {
  const { settings, waits, tools, sent, listener } = options
  const texts = createCustomerTexts({
    store: (sms) => listener.incoming([sms]),
    part_ms: waits.part,
    incomplete_ms: waits.incomplete,
    onError: () => tools.alarm(getMessage('smpp.sms_customer_not_stored')),
  })

  const takeReport = async (pdu: Pdu) => {
    const receipt = readReceipt(pdu)
    // A report that names no message would come again forever.
    if (!receipt) return ACKNOWLEDGED
    // The phone is the source, at some providers the destination.
    const phonenumbers = [textField(pdu, 'source_addr'), textField(pdu, 'destination_addr')].filter(Boolean)
    // Some providers report before they answer.
    if (!sent.find(receipt.message_id, phonenumbers)) await options.settled(phonenumbers)
    const report = readReport(receipt, phonenumbers, { sent, settings })
    if (report) await listener.reports([report])
    return ACKNOWLEDGED
  }
  const takeText = async (pdu: Pdu, bind: number) => {
    const content = readText(pdu, settings.default_alphabet)
    if (!content) return ACKNOWLEDGED
    const is_name = octetField(pdu, 'source_addr_ton') === ALPHANUMERIC
    const from = is_name ? undefined : readSenderPhone(textField(pdu, 'source_addr'))
    if (from === undefined) {
      tools.alarm(getMessage('smpp.provider_hands_over'))
      return ACKNOWLEDGED
    }
    const is_stored = await texts.take({ from, to: textField(pdu, 'destination_addr'), content, bind })
    return is_stored ? ACKNOWLEDGED : AGAIN
  }
  return {
    async take(pdu, bind) {
      try {
        return await (isReceipt(pdu) ? takeReport(pdu) : takeText(pdu, bind))
      } catch {
        return AGAIN
      }
    },
    close: () => texts.close(),
  }
}

/** The type of a sender that is a name. */
const ALPHANUMERIC = 5
