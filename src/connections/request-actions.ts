import type { CollectionRequest } from '../core/collections/collection-request.ts'
import { findNetworkNames } from '../core/contacts/lookups.ts'
import type { ReminderLimits } from '../core/follow-ups/reminders.ts'
import type { ChooseChargeNetwork } from '../core/request-batches/check.ts'
import { readQuietHours } from '../core/sms/country-rules.ts'
import type { Reader } from '../db/client.ts'
import { findConnection, hasSeveralNetworks } from './choose.ts'
import type { Connection } from './connection.ts'

/** Settings for the number and times of reminders. */
interface ReminderSettings {
  REMINDERS_PER_REQUEST: number
  REMINDER_INTERVAL_MINUTES: number
  REMINDER_QUIET_HOURS: string
}

/** Return the limits on reminders to a customer, by the settings. */
export function reminderLimits(settings: ReminderSettings): ReminderLimits {
  return {
    max_per_request: settings.REMINDERS_PER_REQUEST,
    interval_minutes: settings.REMINDER_INTERVAL_MINUTES,
    quiet_hours: readQuietHours(settings.REMINDER_QUIET_HOURS) ?? null,
  }
}

/** Properties of a request that determine its network. */
type NetworkQuery = Pick<
  CollectionRequest,
  'organization' | 'phonenumber' | 'currency' | 'amount' | 'account' | 'send_instructions'
>

/** The network for a new request with these contents, or why there is none. */
export async function chooseNetworkAgain(db: Reader, connections: readonly Connection[], request: NetworkQuery) {
  const { organization, phonenumber, currency, amount, account, send_instructions } = request
  const networkFor = await chargeNetworks(connections)(db, organization, [phonenumber])
  return networkFor({ phonenumber, currency, amount, account: account ?? undefined, send_instructions })
}

/** Choose the networks for requests. Which network knows a ported number is read only where several could. */
export function chargeNetworks(connections: readonly Connection[]): ChooseChargeNetwork {
  return async (db, organization, phones) => {
    const known = hasSeveralNetworks(connections, organization)
      ? await findNetworkNames(db, organization, phones)
      : undefined
    return ({ phonenumber, currency, amount, send_instructions, account }) =>
      findConnection(connections, {
        kind: 'charge',
        organization,
        phonenumber,
        currency,
        amount,
        network_name: known?.get(phonenumber),
        ...(account ? { account } : {}),
        expects_payment: !send_instructions,
      })
  }
}
