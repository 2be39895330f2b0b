import { z } from 'zod'
import type { App } from '../../app.ts'
import type { Holder } from '../../billers/biller.ts'
import { readAccountNumber } from '../../core/bills/account-numbers.ts'
import { BillRefusal, wrongField } from '../../core/bills/refusals.ts'
import { recordValidation } from '../../core/bills/account-validations.ts'
import { findServiceForSale, findServiceWithAccounts, priceExam, type Service } from '../../core/bills/catalogue.ts'
import { optional, requiredText, shown, texts } from '../../core/fields.ts'
import { begin } from '../../db/client.ts'
import { closeAddress } from '../../http/methods.ts'
import type { Server } from '../../http/server.ts'
import type { Amount } from '../../lib/money.ts'
import { amountNumber, envelopeOf, success } from './envelope.ts'

/** Whose account it is, before anything is bought for it (interface 4.5). */
export function addNames(counter: Server, app: App): void {
  addNameFinder(counter, app)
  addElectricityVerify(counter, app)
}

const account = {
  service_type: shown(requiredText(60), 'Service type, of any category.', 'jamb'),
  account_number: shown(
    requiredText(60),
    'Meter, smartcard, phone or account number; of an exam the confirmation code.',
    '9678528341',
  ),
}
const Query = z.object({
  ...account,
  product_code: shown(optional(requiredText(60)), 'Required for exams: from the list of products.', 'DE'),
})

/** Interface 2.9, name-validation user. TV services add what is subscribed now. */
const User = z
  .looseObject({
    name: shown(z.string(), 'Name of the holder.', 'ADA SANDBOX OKAFOR'),
    address: shown(z.string().nullable(), 'Where the meter is.', '12 SANDBOX STREET'),
    outstandingBalance: amountNumber.nullable(),
    dueDate: shown(z.string().nullable(), 'When the subscription ends.', '2030-01-31T00:00:00+01:00'),
    district: shown(z.string().nullable(), 'District of the electricity company.', 'IKEJA'),
    accountNumber: shown(z.string().nullable(), 'The number as the biller has it.', '04042404048'),
    minimumAmount: amountNumber.nullable(),
    rawOutput: shown(z.record(z.string(), z.unknown()), 'What the biller itself says.', {
      firstName: 'ADA',
      lastName: 'OKAFOR',
      middleName: 'SANDBOX',
      gsmNo: '08000000000',
      error: null,
    }),
    errorMessage: shown(z.string().nullable(), 'Null when somebody was found.', null),
  })
  .meta({ id: 'BillAccountHolder' })
const response = { 200: envelopeOf(z.object({ user: User })) }

/** One client asks by GET. */
function addNameFinder(counter: Server, app: App): void {
  const url = '/services/namefinder/query'
  const config = { allow: 'GET, POST, HEAD, OPTIONS' }
  const tags = ['Bill payments']
  const find = async (organization: number, query: z.output<typeof Query>) =>
    findUser(app, organization, await findServiceWithAccounts(app.db, query.service_type), query)

  counter.post(url, {
    config,
    schema: { tags, operationId: 'findName', summary: 'Find the holder of an account', body: Query, response },
    handler: (request) => find(request.caller.organization, request.body),
  })
  counter.get(url, {
    config,
    schema: {
      tags,
      operationId: 'findNameByGet',
      summary: 'Find the holder of an account, by GET',
      querystring: Query,
      response,
    },
    handler: (request) => find(request.caller.organization, request.query),
  })
  closeAddress(counter, url, ['GET', 'POST'])
}

function addElectricityVerify(counter: Server, app: App): void {
  counter.post('/services/electricity/verify', {
    config: { allow: 'POST, OPTIONS' },
    schema: {
      tags: ['Bill payments'],
      operationId: 'verifyMeter',
      summary: 'Find the holder of a meter or an electricity account',
      body: z.object({
        service_type: shown(requiredText(60), 'Service type of the bill.', 'ikeja_electric_prepaid'),
        account_number: shown(requiredText(60), 'Meter or account number.', '04042404048'),
      }),
      response,
    },
    handler: async (request) => {
      const service = await findServiceForSale(app.db, 'electricity', request.body.service_type)
      return findUser(app, request.caller.organization, service, request.body)
    },
  })
  closeAddress(counter, '/services/electricity/verify', ['POST'])
}

/**
 * Asks the biller, outside of any transaction, and remembers what it said: an exam pin is sold only to the phone that
 * was told here.
 * @throws BillRefusal BX0003 for a number that cannot be one, BX0024 when the biller does not answer, BX0025 when nobody
 *   has this number, EXC00144 when no biller is configured.
 */
async function findUser(
  app: App,
  organization: number,
  service: Service,
  query: { account_number: string; product_code?: string },
) {
  const account_number = readAccountNumber(service, query.account_number)
  const product_code = service.category === 'exampin' ? await readProductCode(app, service, query.product_code) : null
  const { service_type } = service
  const [biller] = app.billers
  if (!biller) throw new BillRefusal('EXC00144')
  const found = await biller.findAccount({ service_type, account_number, product_code })
  if (found.outcome === 'unknown') throw new BillRefusal('BX0024')
  if (found.outcome === 'not_found') throw new BillRefusal('BX0025', found.message)
  const { holder } = found
  const { gsmNo } = holder.raw_output
  const phone = typeof gsmNo === 'string' ? gsmNo : null
  const name = holder.name
  const validation = { organization, service_type, account_number, product_code: product_code ?? '', phone, name }
  await begin(app.db, (tx) => recordValidation(tx, app.clock.now(), validation))
  return success({ user: showUser(holder, service) })
}

/** @throws BillRefusal BX0003 */
async function readProductCode(app: App, service: Service, code: string | undefined): Promise<string> {
  if (code === undefined) throw wrongField('product_code', texts.required)
  return (await priceExam(app.db, service, code)).product.code
}

function showUser(holder: Holder, service: Service): z.output<typeof User> {
  return {
    name: holder.name,
    address: holder.address,
    outstandingBalance: holder.outstanding_balance,
    dueDate: holder.due_date,
    district: holder.district,
    accountNumber: holder.account_number,
    minimumAmount: higher(holder.minimum_amount, service.minimum_amount),
    rawOutput: holder.raw_output,
    errorMessage: null,
    ...holder.more,
  }
}

/** The biller has a minimum for the account, and the catalogue one for the service; what is below either is refused. */
function higher(one: Amount | null, other: Amount | null): Amount | null {
  return one === null || (other !== null && other > one) ? other : one
}
