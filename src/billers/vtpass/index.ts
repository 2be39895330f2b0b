import type { DriverTools } from '../../drivers/contract.ts'
import { type AnyBillDriver, defineBillProvider } from '../contract.ts'
import { lookUpHolder } from './accounts.ts'
import { callbackReply, readCallback } from './callbacks.ts'
import { readCatalogue } from './catalogue.ts'
import { readBalance, testConnection } from './checks.ts'
import { CALL_S, openClient } from './client.ts'
import { settings } from './settings.ts'
import { IN_FLIGHT_S, openVends } from './vends.ts'

/**
 * VTpass, which sells airtime, data, TV, electricity and exam pins in Nigeria. See docs/bills/vtpass.md for details and
 * sources.
 */
export const vtpass: AnyBillDriver = defineBillProvider({
  code: 'vtpass',
  name: 'VTpass',
  settings,
  environments: {
    sandbox: { title: "VTpass's sandbox", live: false, hosts: { api: 'https://sandbox.vtpass.com/api' } },
    production: { title: 'Production', live: true, hosts: { api: 'https://vtpass.com/api' } },
    simulated: {
      title: 'Simulated provider (kusanya networks simulate)',
      live: false,
      hosts: { api: 'http://127.0.0.1:4400/vtpass' },
    },
  },
  countries: ['NG'],
  traits: {
    // VTpass answers 014. The driver then queries the purchase and returns its state.
    repeat: 'refused',
    unseen: 'certain',
    in_flight_s: IN_FLIGHT_S,
    call_s: CALL_S,
    // The effect of two simultaneous calls is undocumented.
    one_call_at_a_time: true,
    asked_by: 'reference',
    named_by_time: true,
    callbacks: 'unsigned',
  },
  // The goods are worth money: a callback only causes a status query, which returns them.
  secret_fields: [
    'api-key',
    'public-key',
    'secret-key',
    'authorization',
    'purchased_code',
    'mainToken',
    'token',
    'tokens',
    'cards',
    'pin',
    'bonusToken',
    'resetToken',
    'configureToken',
  ],
  open(connection) {
    const client = (tools: DriverTools) => openClient(connection, tools)
    const vends = (tools: DriverTools) => openVends(connection, tools, client(tools))
    return {
      vend: (order, tools) => vends(tools).vend(order),
      vendStatus: (order, tools) => vends(tools).vendStatus(order),
      accountHolder: (query, tools) => lookUpHolder(connection, client(tools), query),
      catalogue: (tools) => readCatalogue(client(tools)),
      balance: (tools) => readBalance(client(tools)),
      test: (tools) => testConnection(client(tools), tools),
      readCallback,
      callbackReply: () => callbackReply,
    }
  },
})
