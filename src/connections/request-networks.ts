import type { ChooseChargeNetwork } from '../core/collections/batches/check.ts'
import { findNetworkNames } from '../core/contacts/lookups.ts'
import { findConnection, hasSeveralNetworks } from './choose.ts'
import type { Connections } from './registry.ts'

/** Chooses the networks for requests. Which network knows a ported number is read only where several could. */
export function chargeNetworks(connections: Connections): ChooseChargeNetwork {
  return async (db, organization, phones) => {
    const list = connections.list()
    const known = hasSeveralNetworks(list, organization) ? await findNetworkNames(db, organization, phones) : undefined
    return ({ phonenumber, currency, amount, send_instructions, account }) =>
      findConnection(list, {
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
