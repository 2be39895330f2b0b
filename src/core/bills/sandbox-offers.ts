import type { Tx } from '../../db/client.ts'
import { parseAmount } from '../../lib/money.ts'
import type { Category } from './catalogue.ts'
import { addOffer } from './offers.ts'

/** Offer of a simulated provider for a service with a free amount, within the limits of the provider. */
interface SandboxOffer {
  connection: string
  category: Category
  service_type: string
  remote_service: string
  remote_product: string | null
  min: string
  max: string
}

/** Before the simulated biller, which sells everything at the usual priority. */
const PRIORITY = 50

const airtime = (service_type: string, operator: number, min: string, max: string): SandboxOffer => ({
  connection: 'sandbox-reloadly',
  category: 'airtime',
  service_type,
  remote_service: String(operator),
  remote_product: null,
  min,
  max,
})
const light = (service_type: string, service: string): SandboxOffer => ({
  connection: 'sandbox-vtpass',
  category: 'electricity',
  service_type,
  remote_service: service,
  remote_product: 'prepaid',
  min: '500',
  max: '250000',
})

/** Offers of the sandbox's simulated providers, in their words (src/simulator/doors). */
const sandboxOffers: readonly SandboxOffer[] = [
  airtime('safaricom_ke', 265, '10', '5000'),
  airtime('airtel_ke', 266, '10', '5000'),
  airtime('mtn_ug', 482, '500', '150000'),
  airtime('airtel_ug', 483, '500', '150000'),
  light('ibadan_electric_prepaid', 'ibadan-electric'),
  light('jos_electric_prepaid', 'jos-electric'),
  light('portharcourt_electric_prepaid', 'portharcourt-electric'),
]

/**
 * Gives the sandbox a few offers at these simulated providers, of services that its catalogue has. Called once for each
 * provider: offers that people have removed do not come back.
 */
export async function seedSandboxOffers(tx: Tx, now: Date, connections: readonly string[]): Promise<void> {
  for (const { category, service_type, min, max, ...offer } of sandboxOffers) {
    if (!connections.includes(offer.connection)) continue
    const [service] = await tx<{ id: number }[]>`
      select id from catalogue_services where category = ${category} and service_type = ${service_type}`
    if (service)
      await addOffer(tx, now, {
        ...offer,
        service: service.id,
        product: null,
        price: null,
        commission_percent: null,
        min: parseAmount(min)!,
        max: parseAmount(max)!,
        priority: PRIORITY,
      })
  }
}
