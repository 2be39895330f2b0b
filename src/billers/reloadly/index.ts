import type { DriverTools } from '../../drivers/contract.ts'
import { type AnyBillDriver, defineBillProvider } from '../contract.ts'
import { readCallback } from './callbacks.ts'
import { readCatalogue } from './catalogue.ts'
import { readBalance, testConnection } from './checks.ts'
import { CALL_S, openClient } from './client.ts'
import { environments } from './places.ts'
import { settings } from './settings.ts'
import { openVends } from './vends.ts'

/**
 * Reloadly, which sells airtime and data in more than 150 countries, and pays electricity and TV in a few. See
 * docs/bills/reloadly.md for details and sources.
 */
export const reloadly: AnyBillDriver = defineBillProvider({
  code: 'reloadly',
  name: 'Reloadly',
  settings,
  environments,
  countries: null,
  traits: {
    // It refuses an existing reference. Then the driver reads the purchase back.
    repeat: 'refused',
    unseen: 'certain',
    in_flight_s: 240,
    call_s: CALL_S,
    // Five calls at once under one reference were five sales.
    one_call_at_a_time: true,
    asked_by: 'reference',
    callbacks: 'unsigned',
  },
  // The goods are worth money: a callback only causes a status query, which returns them.
  secret_fields: ['authorization', 'pinDetail', 'pinDetails'],
  open(connection) {
    const client = (tools: DriverTools) => openClient(connection, tools)
    const vends = (tools: DriverTools) => openVends(connection, tools, client(tools))
    return {
      vend: (order, tools) => vends(tools).vend(order),
      vendStatus: (order, tools) => vends(tools).vendStatus(order),
      catalogue: (tools) => readCatalogue(connection, client(tools)),
      balance: (tools) => readBalance(client(tools)),
      test: (tools) => testConnection(connection, client(tools), tools),
      readCallback: (callback) => readCallback(connection, callback),
    }
  },
})
