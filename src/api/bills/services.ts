import { z } from 'zod'
import type { App } from '../../app.ts'
import { type Category, listCategories, listServices, type Service } from '../../core/bills/catalogue.ts'
import { BillRefusal } from '../../core/bills/refusals.ts'
import { DEFAULT_COUNTRY } from '../../core/bills/wallets.ts'
import { documented, optional, requiredText, timestamp } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'
import { envelopeOf, success } from './envelope.ts'

/** Lists of categories, services, and the providers of each category (interface 4.5). */
export function addServices(server: Server, app: App): void {
  addCategories(server, app)
  addServiceLists(server, app)
  addServicesOfCategory(server, app)
  addAirtimeProviders(server, app)
  addProviders(server, app, 'databundle', '/services/databundle/providers')
  addProviders(server, app, 'cabletv', '/services/cabletv/providers')
  addProviders(server, app, 'epin', '/services/epin/providers')
  addElectricityBillers(server, app)
}

const tags = ['Bill payments']

const service_type = documented(z.string(), 'Code of the service.', 'mtn')
const shortname = documented(z.string(), 'Abbreviation.', 'mtn')
const name = documented(z.string(), 'Full name.', 'Mtn Nigeria')

const countryQuery = z.object({
  country: documented(
    optional(requiredText(2)),
    'Only services of this country (ISO 3166-1). Provider lists of one category default to Nigeria.',
    'KE',
  ),
})

const biller_id = documented(z.int(), 'Id of the biller.', 11)

const Provider = z
  .object({ service_type, shortname, biller_id, product_id: documented(z.int(), 'Id of the product.', 28), name })
  .meta({ id: 'BillProvider' })

/** Interface 2.9. */
const AirtimeProvider = z
  .object({
    service_type,
    shortname,
    name,
    plans: documented(z.array(z.enum(['prepaid', 'postpaid'])), 'Plans that can be bought.', ['prepaid']),
  })
  .meta({ id: 'AirtimeProvider' })

const BillService = z
  .object({
    id: documented(z.int(), 'Id of the service.', 34),
    serviceId: documented(z.int(), 'Id of the product.', 42),
    serviceCode: documented(z.string(), 'The service type in capitals.', 'GLO'),
    serviceCategory: documented(z.string(), 'Code of the category.', 'epin'),
    biller_id,
    serviceBiller: documented(z.string(), 'Short name of the biller.', 'glo'),
    serviceType: documented(z.string(), 'The `service_type` of other calls.', 'glo'),
    serviceName: documented(z.string(), 'Full name.', 'Globacom Nigeria ePin'),
    serviceDescription: documented(z.string(), 'The same as the name.', 'Globacom Nigeria ePin'),
    serviceHandler: documented(z.string(), 'Code of the category.', 'epin'),
    serviceProvider: documented(z.string(), 'Short name of the provider.', 'glo'),
    serviceEnabled: documented(z.boolean(), 'Whether it can be bought now.', true),
    serviceStatus: documented(z.string(), 'The same as `serviceEnabled`, as a word.', 'active', 'inactive'),
    serviceCountry: documented(z.string(), 'ISO 3166-1: where it is sold.', 'NG'),
    serviceCurrency: documented(z.string(), 'ISO 4217: of its prices, and of the account that pays.', 'NGN'),
    serviceLogo: documented(z.string().nullable(), 'Always null.', null),
    deployed: documented(z.boolean(), 'Whether it can be bought now.', true),
    b2b_deployed: documented(z.boolean(), 'Whether it can be bought now.', true),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'BillService' })

function addCategories(server: Server, app: App): void {
  server.get('/billers/category/all', {
    schema: {
      tags,
      operationId: 'listBillCategories',
      summary: 'List the categories of bill services',
      description: 'Returns the code and the name of each category.',
      response: { 200: envelopeOf(z.array(z.object({ name, service_type }))) },
    },
    handler: async () =>
      success((await listCategories(app.db)).map((one) => ({ name: one.name, service_type: one.code }))),
  })
}

function addServiceLists(server: Server, app: App): void {
  server.get('/billers/services/list', {
    schema: {
      tags,
      operationId: 'listBillServices',
      summary: 'List all bill services',
      description: 'Returns all services, also those that cannot be bought now.',
      querystring: countryQuery,
      response: { 200: envelopeOf(z.array(BillService)) },
    },
    handler: async ({ query }) => success((await listServices(app.db, undefined, query.country)).map(showService)),
  })

  server.get('/billers/provider/all', {
    schema: {
      tags,
      operationId: 'listBillProviders',
      summary: 'List the providers of all categories',
      description: 'Returns every provider whose service can be bought now.',
      querystring: countryQuery,
      response: { 200: envelopeOf(z.object({ providers: z.array(Provider) })) },
    },
    handler: async ({ query }) =>
      success({ providers: (await listServices(app.db, undefined, query.country)).filter((one) => one.enabled) }),
  })
}

/** Newer clients use GET. */
function addServicesOfCategory(server: Server, app: App): void {
  const url = '/billers/services/category'
  const fields = z.object({ service_type: documented(requiredText(60), 'Code of the category.', 'epin') })
  const summary = 'List the bill services of one category'
  const description =
    'Returns its services, also those that cannot be bought now. An unknown category is refused with `BX0026`.'
  const response = { 200: envelopeOf(z.array(BillService)) }
  const find = async ({ service_type: category }: z.output<typeof fields>) => {
    const services = await listServices(app.db, category)
    if (services.length === 0)
      throw new BillRefusal('BX0026', `There is no category ${JSON.stringify(category)} with services.`)
    return success(services.map(showService))
  }
  server.post(url, {
    schema: { tags, operationId: 'listBillServicesOfCategory', summary, description, body: fields, response },
    handler: (request) => find(request.body),
  })
  server.get(url, {
    schema: {
      tags,
      operationId: 'listBillServicesOfCategoryByGet',
      summary: `${summary}, by GET`,
      description,
      querystring: fields,
      response,
    },
    handler: (request) => find(request.query),
  })
}

/** Interface 4.5: 404 with a `message` when there is no provider. */
function addAirtimeProviders(server: Server, app: App): void {
  server.get('/services/airtime/providers', {
    schema: {
      tags,
      operationId: 'listAirtimeProviders',
      summary: 'List the providers of airtime',
      description:
        'Returns the providers whose airtime can be bought now, with their plans. Without one it is refused with `BX0026`.',
      querystring: countryQuery,
      response: { 200: envelopeOf(z.object({ providers: z.array(AirtimeProvider) })) },
    },
    handler: async ({ query }) => {
      const providers = await enabledServices(app, 'airtime', query.country)
      return success({
        providers: providers.map((one) => ({ ...one, plans: one.plans as ('prepaid' | 'postpaid')[] })),
      })
    },
  })
}

const providersOf = envelopeOf(z.object({ providers: z.array(Provider) }))

function addProviders(server: Server, app: App, category: Category, url: string): void {
  server.get(url, {
    schema: {
      tags,
      operationId: `list${category[0]!.toUpperCase()}${category.slice(1)}Providers`,
      summary: `List the providers of the category ${category}`,
      description: 'Returns the providers whose services can be bought now. Without one it is refused with `BX0026`.',
      querystring: countryQuery,
      response: { 200: providersOf },
    },
    handler: async ({ query }) => success({ providers: await enabledServices(app, category, query.country) }),
  })
}

/** Some clients use POST. */
function addElectricityBillers(server: Server, app: App): void {
  const url = '/services/electricity/billers'
  const summary = 'List the electricity companies'
  const description = 'Returns the companies whose bills can be paid now. Without one it is refused with `BX0026`.'
  const response = { 200: providersOf }
  const find = async (country?: string) => success({ providers: await enabledServices(app, 'electricity', country) })
  server.get(url, {
    schema: { tags, operationId: 'listElectricityBillers', summary, description, querystring: countryQuery, response },
    handler: ({ query }) => find(query.country),
  })
  server.post(url, {
    schema: {
      tags,
      operationId: 'listElectricityBillersByPost',
      summary: `${summary}, by POST`,
      description,
      response,
    },
    handler: () => find(),
  })
}

/**
 * List the services of a category on sale. Without a country, they are Nigeria's, which clients of the original
 * interface expect, or all if nothing is sold there.
 * @throws BillRefusal BX0026 when there are none
 */
async function enabledServices(app: App, category: Category, country?: string): Promise<Service[]> {
  const all = (await listServices(app.db, category, country)).filter((one) => one.enabled)
  const at_home = country === undefined ? all.filter((one) => one.country === DEFAULT_COUNTRY) : all
  const services = at_home.length > 0 ? at_home : all
  if (services.length === 0) throw new BillRefusal('BX0026', 'No providers were found.')
  return services
}

function showService(service: Service): z.output<typeof BillService> {
  return {
    id: service.id,
    serviceId: service.product_id,
    serviceCode: service.service_type.toUpperCase(),
    serviceCategory: service.category,
    biller_id: service.biller_id,
    serviceBiller: service.shortname,
    serviceType: service.service_type,
    serviceName: service.name,
    serviceDescription: service.name,
    serviceHandler: service.category,
    serviceProvider: service.shortname,
    serviceEnabled: service.enabled,
    serviceStatus: service.enabled ? 'active' : 'inactive',
    serviceCountry: service.country,
    serviceCurrency: service.currency,
    serviceLogo: null,
    deployed: service.enabled,
    b2b_deployed: service.enabled,
    created_at: service.created,
    updated_at: service.modified,
  }
}
