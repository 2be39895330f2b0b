import type { ChooseNetwork } from '../core/invoices/requests.ts'
import { chooseConnection } from './choose.ts'
import type { Connections } from './registry.ts'
import { chooseNetworkAgain } from './request-actions.ts'

/** Choose the network for the money of an invoice. */
export function networksForInvoices(connections: Connections): ChooseNetwork {
  return async (db, { organization, currency, account }, { amount, phonenumber }) => {
    const order = { organization, phonenumber, currency, amount, account, send_instructions: true }
    const network = await chooseNetworkAgain(db, connections.list(), order)
    if (!('slug' in network)) return network
    return { ...network, can_prompt: connections.find(network.slug)?.operations.charge !== undefined }
  }
}

/** The name of the network that serves a phone in a currency; null when none does. */
export function networkName(
  connections: Connections,
  order: { organization: number; currency: string; phonenumber: string },
): string | null {
  return chooseConnection(connections.list(), { kind: 'charge', ...order })?.name ?? null
}
