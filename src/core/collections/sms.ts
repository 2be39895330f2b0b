import type { Reader } from '../../db/client.ts'
import { displayAmount } from '../../lib/money.ts'
import { fillTemplate } from '../../lib/template.ts'
import { type Contact, knownName } from '../contacts/contacts.ts'
import type { NewSmsMessage } from '../sms/outbox.ts'
import { openStatuses, type RequestRow } from './collection-request.ts'

/** Instructions for a customer's payment. */
interface InstructionDetails {
  /** The name of the organization that asks for the money. */
  organization: string
  /** The till or short code to pay to. */
  receiver: string
  /** True if the network shows a prompt on the phone. */
  prompt_sent: boolean
  /** The network's template, with `{amount}`, `{organization}`, `{reason}` and `{receiver}`. */
  template?: string
}

/**
 * The text that tells a customer how to pay (interface 4.3.1): the request's own instructions if it has any, otherwise the
 * network's template, otherwise the default text. Undefined when the request's instructions are `skip`.
 */
export function buildInstructions(request: RequestRow, details: InstructionDetails): string | undefined {
  const own = request.instructions?.trim()
  if (own === 'skip') return undefined
  if (own) return own
  const { organization, receiver, template } = details
  const amount = formatRequestAmount(request)
  const reason = shortenReason(request.reason)
  if (template) return fillTemplate(template, { amount, organization, receiver, reason: reason || organization })
  const purpose = reason && ` for ${reason}`
  return details.prompt_sent
    ? `Approve the request of ${amount} from ${organization}${purpose} on your phone.`
    : `To pay ${amount} to ${organization}${purpose}, send it to ${receiver} from your phone.`
}

/** An organization as its customers know it. */
export interface NamedOrganization {
  name: string
}

/**
 * Returns the SMS that confirms a fulfilled request to its customer (interface 4.3.1). A `success_message` that was given
 * is always sent, with `{amount}` and `{customer}` replaced. Without one the default text is sent, but only if
 * `send_instructions` says that the customer is to be notified.
 */
export function buildSuccessMessage(
  request: RequestRow,
  contact: Contact,
  organization: NamedOrganization,
): NewSmsMessage | undefined {
  const { id: collection_request, phonenumber, send_instructions } = request
  const own = request.success_message.trim()
  if (!send_instructions && !own) return undefined
  const amount = formatRequestAmount(request)
  const reason = shortenReason(request.reason)
  const body = own
    ? fillTemplate(own, { amount, customer: knownName(contact) || contact.phone_number })
    : `Your payment of ${amount} to ${organization.name}${reason && ` for ${reason}`} has arrived. Thank you.`
  return { organization: request.organization, collection_request, purpose: 'success', phonenumber, body }
}

/** Finds the requests among these that have ended. Instructions for them would come too late. */
export async function findEndedRequests(db: Reader, requests: readonly number[]): Promise<Set<number>> {
  if (requests.length === 0) return new Set()
  const open = await db<{ id: number }[]>`
    select id from collection_requests
    where id = any(${[...requests]}::bigint[]) and status = any(${[...openStatuses]}::text[])`
  const ids = new Set(open.map(({ id }) => id))
  return new Set(requests.filter((id) => !ids.has(id)))
}

function formatRequestAmount(request: RequestRow): string {
  return `${request.currency} ${displayAmount(request.amount)}`
}

/** Networks show at most 20 characters of a reason (interface 4.3.1). */
const MAX_REASON_CHARACTERS = 20

/**
 * Cuts a reason to 20 characters. A character as people see it, such as a flag, is kept or dropped as a whole. The text
 * ends with three dots, because the GSM alphabet has no ellipsis character, and an SMS with other characters costs
 * twice as much.
 */
export function shortenReason(reason: string): string {
  const text = reason.trim()
  if ([...text].length <= MAX_REASON_CHARACTERS) return text
  let short = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if ([...short, ...segment].length > MAX_REASON_CHARACTERS - 3) break
    short += segment
  }
  return `${short.trimEnd()}...`
}
