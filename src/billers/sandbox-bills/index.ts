import { z } from 'zod'
import type { CheckResult, DriverTools } from '../../drivers/contract.ts'
import { secretSetting } from '../../drivers/settings.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type AnyBillDriver, defineBillProvider } from '../contract.ts'
import { callProvider } from '../shared/calls.ts'
import { type CallBiller, checkVend, lookUpAccountHolder, vend } from './protocol.ts'

const settings = z.object({
  secret: secretSetting(z.string().min(1), {
    title: 'Secret',
    help: 'The secret that the service shares with its simulated biller. The sandbox sets it itself.',
  }),
})

/** The simulated biller of the sandbox. It sells everything that the catalogue has, under the catalogue's own names. */
export const sandboxBills: AnyBillDriver = defineBillProvider({
  code: 'sandbox-bills',
  name: 'Sandbox Biller',
  settings,
  environments: {
    sandbox: { title: 'Simulated biller of the sandbox', live: false, hosts: { api: 'http://127.0.0.1:4400/sandbox' } },
  },
  countries: null,
  sells_by_our_names: true,
  traits: {
    repeat: 'same-answer',
    unseen: 'certain',
    in_flight_s: 8,
    call_s: 5,
    one_call_at_a_time: false,
    asked_by: 'reference',
    callbacks: 'none',
  },
  secret_fields: ['authorization'],
  open({ hosts, settings: { secret } }) {
    const callWith =
      (tools: DriverTools): CallBiller =>
      (verb, method, path, body) =>
        callProvider(tools, {
          verb,
          method,
          body,
          secrets: [secret],
          url: (hosts.api ?? '') + path,
          headers: { authorization: `Bearer ${secret}` },
        })
    return {
      vend: (order, tools) => vend(callWith(tools), order),
      vendStatus: (order, tools) => checkVend(callWith(tools), order),
      accountHolder: ({ offer, account_number, kind }, tools) => {
        const product_code = kind === 'exampin' ? offer.remote_product : null
        return lookUpAccountHolder(callWith(tools), {
          service_type: offer.remote_service,
          account_number,
          product_code,
        })
      },
      test: async (tools) => [await testSecret(callWith(tools))],
    }
  },
})

/** Ask for a sale that does not exist. */
async function testSecret(call: CallBiller): Promise<CheckResult> {
  const name = 'secret'
  const reply = await call('vend status', 'GET', '/biller/vends/nobodys-sale')
  if (reply.outcome === 'unknown') return { name, outcome: 'unknown', message: reply.message }
  if (reply.status === 404) return { name, outcome: 'ok', message: getMessage('billers.simulated_biller_answers') }
  if (reply.status === 401) return { name, outcome: 'failed', message: getMessage('billers.simulated_biller_refuses') }
  return { name, outcome: 'unknown', message: getMessage('billers.simulated_biller_answered', { code: reply.status }) }
}
