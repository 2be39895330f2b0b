import { findNetworkNames } from '../core/contacts/lookups.ts'
import type { ChoosePayoutNetwork } from '../core/payments/bulk/check.ts'
import { findConnection, hasSeveralNetworks } from './choose.ts'
import type { Connections } from './registry.ts'

/**
 * Choose the networks for payouts to many phones. Which network knows a ported number is read only where several could.
 */
export function networksForPayouts(connections: Pick<Connections, 'list'>): ChoosePayoutNetwork {
  return async (db, organization, phones) => {
    const list = connections.list()
    const known = hasSeveralNetworks(list, organization) ? await findNetworkNames(db, organization, phones) : undefined
    return (phonenumber, { id: account, currency }, amount) =>
      findConnection(list, {
        kind: 'payout',
        organization,
        phonenumber,
        currency,
        amount,
        account,
        network_name: known?.get(phonenumber),
      })
  }
}
