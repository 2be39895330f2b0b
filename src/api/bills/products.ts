import { z } from 'zod'
import type { App } from '../../app.ts'
import { readAccountNumber } from '../../core/bills/account-numbers.ts'
import { findServiceForSale, listAddons, listProducts, type Product } from '../../core/bills/catalogue.ts'
import { invalidField } from '../../core/bills/refusals.ts'
import { documented, fieldMessages, optional, requiredText } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'
import { amountNumber, envelopeOf, success } from './envelope.ts'

/** The products with fixed prices: bundles, bouquets and add-ons, pins, exam pins (interface 4.5). */
export function addProducts(server: Server, app: App): void {
  addBundles(server, app)
  addBouquets(server, app)
  addPins(server, app)
  addExams(server, app)
}

const tags = ['Bill payments']
const serviceType = (example: string) => documented(requiredText(60), 'Service type of the provider.', example)

const Bundle = z
  .object({
    name: documented(z.string(), 'Display name.', '1.5GB 1-Month Mobile - 1000 Naira - Monthly'),
    allowance: documented(z.string().nullable(), 'Amount of data.', '1.5GB'),
    price: documented(amountNumber, 'Price of the bundle.'),
    validity: documented(z.string().nullable(), 'Period of validity.', 'Monthly'),
    datacode: documented(z.string(), 'Code of the bundle in a purchase.', '1000'),
  })
  .meta({ id: 'DataBundle' })

const PricingOption = z.object({
  monthsPaidFor: documented(z.int(), 'Number of months.', 1),
  price: documented(amountNumber, 'Price of all these months together.'),
  invoicePeriod: documented(z.int(), 'Number of months of an invoice of the biller.', 1),
})

/** Interface 2.9, cable TV add-on; bouquets have the same form. */
const Bouquet = z
  .object({
    availablePricingOptions: z.array(PricingOption).meta({ description: 'The prices by number of months.' }),
    code: documented(z.string(), 'Code in a purchase.', 'COMPE36'),
    name: documented(z.string(), 'Display name.', 'DStv Compact'),
    description: documented(z.string(), 'Further description, or a space.', ' '),
  })
  .meta({ id: 'Bouquet' })

/** Interface 2.9. */
const PinBundle = z
  .object({
    amount: documented(amountNumber, 'Value and price of one pin.'),
    available: documented(z.int(), 'Maximum number that can be bought.', 100),
    description: documented(z.string(), 'Display name.', '₦50 Airtime'),
  })
  .meta({ id: 'PinBundle' })

const ExamProduct = z
  .object({
    id: documented(z.int(), 'Id of the product.', 7),
    amount: documented(amountNumber, 'Price of the product.'),
    product_code: documented(z.string(), 'Code in a purchase.', 'DE'),
  })
  .meta({ id: 'ExamProduct' })

function addBundles(server: Server, app: App): void {
  server.post('/services/databundle/bundles', {
    schema: {
      tags,
      operationId: 'listDataBundles',
      summary: 'List the data bundles of a provider',
      description: 'Returns the bundles with their prices. Use `datacode` in the purchase.',
      body: z.object({
        service_type: serviceType('mtn'),
        account_number: documented(
          optional(requiredText(60)),
          'Required for providers that sell to accounts: smile, spectranet.',
          '08031234567',
        ),
      }),
      response: { 200: envelopeOf(z.array(Bundle)) },
    },
    handler: async (request) => {
      const { service_type, account_number } = request.body
      const service = await findServiceForSale(app.db, 'databundle', service_type)
      if (service.needs_account) {
        if (account_number === undefined) throw invalidField('account_number', fieldMessages.required)
        readAccountNumber(service, account_number)
      }
      const bundles = await listProducts(app.db, service.id, 'bundle')
      return success(bundles.map((bundle) => ({ ...bundle, datacode: bundle.code, price: bundle.prices[0]!.price })))
    },
  })
}

function addBouquets(server: Server, app: App): void {
  server.post('/services/cabletv/list', {
    schema: {
      tags,
      operationId: 'listBouquets',
      summary: 'List the bouquets of a TV service, for a change of plan',
      description: 'Returns the bouquets with their prices by number of months.',
      body: z.object({ service_type: serviceType('dstv') }),
      response: { 200: envelopeOf(z.array(Bouquet)) },
    },
    handler: async (request) => {
      const service = await findServiceForSale(app.db, 'cabletv', request.body.service_type)
      return success((await listProducts(app.db, service.id, 'bouquet')).map(showBouquet))
    },
  })

  server.post('/services/cabletv/addons', {
    schema: {
      tags,
      operationId: 'listAddons',
      summary: 'List the add-ons of a bouquet',
      description: 'Returns the add-ons of the bouquet, with their prices.',
      body: z.object({
        service_type: serviceType('dstv'),
        product_code: documented(requiredText(60), 'Code of the bouquet.', 'COMPE36'),
      }),
      response: { 200: envelopeOf(z.array(Bouquet)) },
    },
    handler: async (request) => {
      const { service_type, product_code } = request.body
      const service = await findServiceForSale(app.db, 'cabletv', service_type)
      return success((await listAddons(app.db, service, product_code)).map(showBouquet))
    },
  })
}

function showBouquet({ code, name, description, prices }: Product): z.output<typeof Bouquet> {
  const availablePricingOptions = prices.map(({ months, price, invoice_period }) => ({
    monthsPaidFor: months,
    price,
    invoicePeriod: invoice_period,
  }))
  return { availablePricingOptions, code, name, description }
}

function addPins(server: Server, app: App): void {
  server.post('/services/epin/bundles', {
    schema: {
      tags,
      operationId: 'listPinBundles',
      summary: 'List the pins of a provider and how many are available',
      description: 'Returns the values of pins, each with the maximum number to buy.',
      body: z.object({ service_type: serviceType('glo') }),
      response: { 200: envelopeOf(z.array(PinBundle)) },
    },
    handler: async (request) => {
      const service = await findServiceForSale(app.db, 'epin', request.body.service_type)
      const pins = await listProducts(app.db, service.id, 'pin')
      return success(
        pins.map(({ prices, available, description }) => ({
          amount: prices[0]!.price,
          available: available ?? 0,
          description,
        })),
      )
    },
  })
}

/** GET and POST: the documentation of the original service says POST, its clients use GET. */
function addExams(server: Server, app: App): void {
  const url = '/services/exampin/products'
  const fields = z.object({ service_type: serviceType('jamb') })
  const response = { 200: envelopeOf(z.array(ExamProduct)) }
  const description = 'Returns the products with their prices. `product_code` is for name look-up and purchase.'
  const find = async ({ service_type }: z.output<typeof fields>) => {
    const service = await findServiceForSale(app.db, 'exampin', service_type)
    const products = await listProducts(app.db, service.id, 'exam')
    return success(products.map(({ id, code, prices }) => ({ id, amount: prices[0]!.price, product_code: code })))
  }
  server.get(url, {
    schema: {
      tags,
      operationId: 'listExamProducts',
      summary: 'List the exam pins of a provider',
      description,
      querystring: fields,
      response,
    },
    handler: (request) => find(request.query),
  })
  server.post(url, {
    schema: {
      tags,
      operationId: 'listExamProductsByPost',
      summary: 'List the exam pins of a provider, by POST',
      description,
      body: fields,
      response,
    },
    handler: (request) => find(request.body),
  })
}
