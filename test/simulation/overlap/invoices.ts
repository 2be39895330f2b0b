import type { App } from '../../../src/app.ts'
import { overpaymentRules } from '../../../src/core/matching/decide.ts'
import { setMatchingSettings } from '../../../src/core/matching/settings.ts'
import { begin } from '../../../src/db/client.ts'
import { openCustomers } from '../invoices/customers.ts'
import { invoiceDeeds, makeInvoice } from '../invoices/deeds.ts'
import { type Desk, unlessRefused } from '../invoices/desk.ts'
import { payToTill } from '../invoices/payers.ts'
import type { SimulatedNetworks } from '../networks.ts'
import type { Random } from '../random.ts'
import type { Store } from '../store.ts'

const DEEDS = 60
/** At once: few customers, so that all of it is about the same invoices and the same money. */
const AT_ONCE = 6

interface Parties {
  apps: readonly App[]
  store: Store
  random: Random
  networks: SimulatedNetworks
  violations: string[]
}

/** The customers of the first shop of whom networks take orders, each with an invoice. */
export async function openInvoiceDesks({
  apps,
  store,
  random,
  networks,
}: Omit<Parties, 'violations'>): Promise<Desk[]> {
  const now = apps[0]!.clock.now()
  const shops = store.shops.slice(0, 1)
  const { organization } = shops[0]!
  const all = await openCustomers(store.observer, now, shops)
  const customers = all.filter(({ phones }) => phones.every((phone) => !phone.startsWith('+8003')))
  const overpayment = random.pick(overpaymentRules)
  await begin(store.observer, (tx) => setMatchingSettings(tx, now, organization, { overpayment }))
  const desks = apps.map((app) => ({ app, random, customers, networks, ...store }))
  for (let count = 0; count < 4; count += 1) await makeInvoice(desks[0]!).run()
  return desks
}

/** People and payers do things with the same invoices at the same time. */
export async function workAtDesks(desks: readonly Desk[], random: Random, violations: string[]): Promise<void> {
  let left = DEEDS
  const person = async () => {
    while (left > 0) {
      left -= 1
      const desk = random.pick(desks)
      if (random.chance(0.35)) await payToTill(desk)
      const deed = await random.weighted(invoiceDeeds)(desk)
      if (deed)
        await unlessRefused(deed).catch((error: unknown) => violations.push(`${deed.name} has failed: ${error}`))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, person))
}
