import type { Reader } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { EXPIRED, type HeldSms, type OwnRefusal } from './attempts.ts'
import type { DueSms } from './claims.ts'
import { readConsents } from './consents.ts'
import { endOfQuietHours, readCountryRules } from './country-rules.ts'
import { readSmsLimits } from './usage.ts'

/** SMS, sorted by the permission to send them now. */
export interface Permission<Sms extends DueSms> {
  allowed: Sms[]
  refused: OwnRefusal[]
  held: HeldSms[]
}

const TOO_LATE_MESSAGE = getMessage('sms.ended')

/**
 * Sorts claimed or locked SMS. A transactional SMS is always sent while it is of use. All others wait for the end of quiet hours
 * in the country, and are not sent after STOP. Where the country's rule demands it, they need START first. An
 * organization may let STOP count for confirmations of payments, too.
 * @param findEnded finds the collection requests among these that have ended
 * @param counted true if their claim was counted as an attempt
 */
export async function permitSms<Sms extends DueSms>(
  db: Reader,
  now: Date,
  claimed: readonly Sms[],
  counted: boolean,
  findEnded: (requests: readonly number[]) => Promise<ReadonlySet<number>>,
): Promise<Permission<Sms>> {
  const requests = claimed.flatMap((sms) => (asksToPay(sms) ? (sms.collection_request ?? []) : []))
  const [ended, strict] = await Promise.all([findEnded(requests), findStrict(db, claimed.filter(isReceipt))])
  const stoppable = (sms: DueSms) => !sms.transactional || (isReceipt(sms) && strict.has(sms.organization))
  const asked = claimed.filter(stoppable)
  const [consentOf, rules] = await Promise.all([
    readConsents(db, asked),
    asked.some(({ transactional }) => !transactional) ? readCountryRules(db) : undefined,
  ])
  const permission: Permission<Sms> = { allowed: [], refused: [], held: [] }
  for (const sms of claimed) {
    const { id, organization } = sms
    const rule = sms.transactional ? undefined : rules?.get(sms.country ?? '')
    const quiet_until = endOfQuietHours(rule, now)
    const refusal = whyNot(sms, {
      now,
      has_ended: ended.has(sms.collection_request ?? 0),
      consent: stoppable(sms) ? consentOf(sms) : undefined,
      needs_consent: rule?.consent_required ?? false,
    })
    if (refusal) permission.refused.push({ id, organization, ...refusal })
    else if (quiet_until) permission.held.push({ id, organization, due_at: quiet_until, counted })
    else permission.allowed.push(sms)
  }
  return permission
}

/** True if an SMS is of use only while its request is open. A payment link is sent after the request has ended. */
function asksToPay({ purpose }: Pick<DueSms, 'purpose'>): boolean {
  return purpose === 'instructions' || purpose === 'reminder'
}

function isReceipt({ purpose }: Pick<DueSms, 'purpose'>): boolean {
  return purpose === 'success'
}

/** The organizations of these SMS where STOP also ends the SMS that confirm payments. */
async function findStrict(db: Reader, receipts: readonly DueSms[]): Promise<Set<number>> {
  if (receipts.length === 0) return new Set()
  const limits = await readSmsLimits(db, [...new Set(receipts.map(({ organization }) => organization))])
  return new Set(limits.flatMap((one) => (one.stop_covers_receipts ? one.organization : [])))
}

interface Circumstances {
  now: Date
  has_ended: boolean
  consent: 'given' | 'withdrawn' | undefined
  needs_consent: boolean
}

function whyNot(sms: DueSms, { now, has_ended, consent, needs_consent }: Circumstances) {
  if (asksToPay(sms) && has_ended) return { reason: 'request_ended', message: TOO_LATE_MESSAGE }
  if (sms.valid_until <= now) return { reason: 'expired', message: EXPIRED }
  if (consent === 'withdrawn') return { reason: 'opted_out', message: getMessage('sms.stop') }
  if (needs_consent && consent !== 'given') return { reason: 'no_consent', message: getMessage('sms.consent') }
  return undefined
}
