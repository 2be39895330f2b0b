import { overpaymentRules } from '../../../src/core/matching/decide.ts'
import { setMatchingSettings } from '../../../src/core/matching/settings.ts'
import { begin } from '../../../src/db/client.ts'
import { pickProcess } from '../choices.ts'
import type { ServiceProcess, Simulation } from '../simulation.ts'
import { invoiceDeeds, makeInvoice } from './deeds.ts'
import { type Desk, unlessRefused } from './desk.ts'
import { payToTill } from './payers.ts'

/** Choose what is done with too much money, and issue the first invoices, before anything can fail. */
export async function openInvoices(world: Simulation): Promise<void> {
  const { random, store, clock, processes } = world
  for (const { organization } of store.shops) {
    const overpayment = random.pick(overpaymentRules)
    await begin(store.observer, (tx) => setMatchingSettings(tx, clock.now(), organization, { overpayment }))
    world.log(`shop ${organization}: ${overpayment}`)
  }
  const desk = deskOf(world, processes[0]!)
  const app = { ...desk.app, db: store.observer }
  for (let count = random.between(2, 5); count > 0; count -= 1) await makeInvoice({ ...desk, app }).run()
}

/** Somebody does something with an invoice, or with money that may be for one. */
export async function workOnInvoices(world: Simulation): Promise<void> {
  const crew = pickProcess(world)
  if (!crew) return
  const deed = await world.random.weighted(invoiceDeeds)(deskOf(world, crew))
  if (!deed) return
  world.log(`somebody asks ${crew.name} for ${deed.name}`)
  world.startTask(crew, deed.name, () => unlessRefused(deed))
}

/** A payer sends money to a till with a typed number, sometimes twice. */
export async function payTypedNumber(world: Simulation): Promise<void> {
  const crew = pickProcess(world)
  if (!crew) return
  const payment = await payToTill(deskOf(world, crew))
  world.log(`${payment.phonenumber} types ${payment.reference}: ${payment.remote_id} of ${payment.amount}`)
  if (!world.random.chance(0.15)) return
  const { network, phonenumber, currency, order_reference, receiver, amount, reference } = payment
  world.networks.send({ network, phonenumber, currency, order_reference, receiver, amount, reference })
  world.log('and again')
}

function deskOf(world: Simulation, { app }: ServiceProcess): Desk {
  const { random, store, networks, few_choices } = world
  const customers = few_choices ? world.customers.slice(0, 2) : world.customers
  return { app, random, customers, networks, observer: store.observer, receivers: store.receivers }
}
