import type { FastifyInstance } from 'fastify'
import { formatAmount } from '../../../lib/money.ts'
import { readBody, refusal } from './gateway.ts'
import { walletBalance } from './purchases.ts'
import { type Service, serviceOf, servicesOf } from './services.ts'
import { DOCUMENTED, type VtpassSwitches, type VtpassWorld } from './switches.ts'

/** Add the lists, the balance, and the look-up of account holders. */
export function addQueryRoutes(server: FastifyInstance, world: VtpassWorld): void {
  const catalogue = { config: { verb: 'catalogue' } }
  server.get<{ Querystring: { identifier?: string } }>('/services', catalogue, async ({ query }) => ({
    response_description: '000',
    content: servicesOf(query.identifier ?? '').map(showService),
  }))

  server.get<{ Querystring: { serviceID?: string } }>('/service-variations', catalogue, async ({ query }) => {
    const service = serviceOf(query.serviceID)
    if (!service) return refusal('012')
    return { response_description: '000', content: showVariations(service, await world.switches()) }
  })

  server.get('/balance', { config: { verb: 'balance' } }, async () => {
    const balance = formatAmount(await walletBalance(world, await world.switches())).slice(0, -2)
    return { code: 1, contents: { balance } }
  })

  server.post('/merchant-verify', { config: { verb: 'account holder' } }, async (request) => {
    const { billersCode, serviceID, type } = readBody(request) ?? {}
    const service = serviceOf(serviceID)
    if (!service) return refusal('012')
    const number = String(billersCode ?? '')
    if (number === '' || (service.category === 'electricity-bill' && type === undefined)) return refusal('011')
    const { numbers } = await world.switches()
    const known = numbers === 'documented' ? DOCUMENTED.has(number) : !number.startsWith('000')
    return { code: '000', content: known ? showHolder(service, number, String(type ?? '')) : wrongNumber(service) }
  })
}

/** `minimium_amount` and `convinience_fee` are spelt so. */
function showService({ id, name, min, max, variations }: Service) {
  return {
    serviceID: id,
    name,
    minimium_amount: String(min),
    maximum_amount: String(max),
    convinience_fee: 'N0.00',
    product_type: variations.length > 0 ? 'fix' : 'flexible',
    image: `https://sandbox.vtpass.com/resources/products/${id}.jpg`,
  }
}

function showVariations({ id, name, variations }: Service, { variations: spelling }: VtpassSwitches) {
  const list = variations.map(({ code, name: title, amount }) => ({
    variation_code: code,
    name: title,
    variation_amount: amount.toFixed(2),
    fixedPrice: amount > 0 ? 'Yes' : 'No',
  }))
  return {
    ServiceName: name,
    serviceID: id,
    convinience_fee: 'N0.00',
    ...(spelling !== 'varations' && { variations: list }),
    ...(spelling !== 'variations' && { varations: list }),
  }
}

function showHolder({ category, name }: Service, number: string, type: string) {
  const person = { Customer_Name: 'SANDBOX CUSTOMER' }
  if (category === 'electricity-bill')
    return {
      ...person,
      Address: '12 Allen Avenue, Ikeja',
      Meter_Number: number,
      Customer_Arrears: '0.00',
      Min_Purchase_Amount: 500,
      Can_Vend: 'yes',
      Meter_Type: type.toUpperCase(),
      WrongBillersCode: false,
    }
  if (category === 'tv-subscription')
    return {
      ...person,
      Status: 'ACTIVE',
      Due_Date: '2027-02-06T00:00:00',
      Customer_Number: number,
      Customer_Type: 'DSTV',
      Current_Bouquet: name,
      Renewal_Amount: 19_000,
    }
  return person
}

/** A wrong number is no error of the call: its code is 000. */
function wrongNumber({ name }: Service) {
  return { error: `This number is not correct or is not valid for ${name}. Please check again`, WrongBillersCode: true }
}
