import { z } from 'zod'
import type { App } from '../../app.ts'
import type { AccountHolder, AccountHolderLookup } from '../../billers/biller.ts'
import { findBillConnection, sellersOf } from '../../connections/bill-sellers.ts'
import { callDriver } from '../../connections/tools/call-driver.ts'
import { readAccountNumber } from '../../core/bills/account-numbers.ts'
import { recordAccountValidation } from '../../core/bills/account-validations.ts'
import { findServiceForSale, findServiceWithAccounts, priceExam, type Service } from '../../core/bills/catalogue.ts'
import { findHolderSellers } from '../../core/bills/choose-seller.ts'
import { BillRefusal, invalidField } from '../../core/bills/refusals.ts'
import { documented, fieldMessages, optional, requiredText } from '../../core/fields.ts'
import { begin } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import type { Amount } from '../../lib/money.ts'
import { amountNumber, envelopeOf, success } from './envelope.ts'

/** Find the holder of an account before a purchase for it (interface 4.5). */
export function addAccountHolders(server: Server, app: App): void {
  addNameFinder(server, app)
  addElectricityVerify(server, app)
}

const account = {
  service_type: documented(requiredText(60), 'Service type, of any category.', 'jamb'),
  account_number: documented(
    requiredText(60),
    'Meter, smartcard, phone or account number; for an exam the confirmation code.',
    '9678528341',
  ),
}
const AccountQuery = z.object({
  ...account,
  product_code: documented(optional(requiredText(60)), 'Code from the list of products; required for exams.', 'DE'),
})

/** Interface 2.9, name-validation user. TV services add members about the current subscription. */
const AccountHolderView = z
  .looseObject({
    name: documented(z.string(), 'Name of the holder.', 'ADA SANDBOX OKAFOR'),
    address: documented(z.string().nullable(), 'Address of the meter.', '12 SANDBOX STREET'),
    outstandingBalance: documented(amountNumber.nullable(), 'What the holder owes the biller.', null),
    dueDate: documented(z.string().nullable(), 'End of the subscription.', '2030-01-31T00:00:00+01:00'),
    district: documented(z.string().nullable(), 'District of the electricity company.', 'IKEJA'),
    accountNumber: documented(z.string().nullable(), 'Account number in the form that the biller uses.', '04042404048'),
    minimumAmount: documented(amountNumber.nullable(), 'The smallest amount that can be paid.', 500),
    rawOutput: documented(z.record(z.string(), z.unknown()), 'Data of the biller, unchanged.', {
      firstName: 'ADA',
      lastName: 'OKAFOR',
      middleName: 'SANDBOX',
      gsmNo: '08000000000',
      error: null,
    }),
    errorMessage: documented(z.string().nullable(), 'Null when a holder was found.', null),
  })
  .meta({ id: 'BillAccountHolder' })
const response = { 200: envelopeOf(z.object({ user: AccountHolderView })) }

/** Add the name finder. An existing client uses GET. */
function addNameFinder(server: Server, app: App): void {
  const url = '/services/namefinder/query'
  const tags = ['Bill payments']
  const description =
    'Asks the biller whose account it is. An unknown one is refused with `BX0025`. Exam pins are sold only after it.'
  const find = async (organization: number, query: z.output<typeof AccountQuery>) =>
    answerHolder(app, organization, await findServiceWithAccounts(app.db, query.service_type), query)

  server.post(url, {
    schema: {
      tags,
      operationId: 'findName',
      summary: 'Find the holder of an account',
      description,
      body: AccountQuery,
      response,
    },
    handler: (request) => find(request.caller.organization, request.body),
  })
  server.get(url, {
    schema: {
      tags,
      operationId: 'findNameByGet',
      summary: 'Find the holder of an account, by GET',
      description,
      querystring: AccountQuery,
      response,
    },
    handler: (request) => find(request.caller.organization, request.query),
  })
}

function addElectricityVerify(server: Server, app: App): void {
  server.post('/services/electricity/verify', {
    schema: {
      tags: ['Bill payments'],
      operationId: 'verifyMeter',
      summary: 'Find the holder of a meter or an electricity account',
      description: 'Asks the company whose meter or account it is. An unknown one is refused with `BX0025`.',
      body: z.object({
        service_type: documented(requiredText(60), 'Service type of the bill.', 'ikeja_electric_prepaid'),
        account_number: documented(requiredText(60), 'Meter or account number.', '04042404048'),
      }),
      response,
    },
    handler: async (request) => {
      const service = await findServiceForSale(app.db, 'electricity', request.body.service_type)
      return answerHolder(app, request.caller.organization, service, request.body)
    },
  })
}

/** The holder of an account as the biller names it, and the smallest amount that it may pay. */
export type FoundHolder = Pick<AccountHolder, 'name' | 'address' | 'minimum_amount'>

async function answerHolder(
  app: App,
  organization: number,
  service: Service,
  query: { account_number: string; product_code?: string | undefined },
) {
  return success({ user: showAccountHolder(await findAccountHolder(app, organization, service, query), service) })
}

/**
 * Ask the biller outside any transaction and record the answer: an exam pin is sold only to the phone number that the
 * biller named here.
 * @throws BillRefusal BX0003 for an invalid number, BX0024 when the biller does not answer, BX0025 when the biller does
 *   not know the number, EXC00144 when no biller is configured.
 */
export async function findAccountHolder(
  app: App,
  organization: number,
  service: Service,
  query: { account_number: string; product_code?: string | undefined },
): Promise<AccountHolder> {
  const account_number = readAccountNumber(service, query.account_number)
  const product_code = service.category === 'exampin' ? await readProductCode(app, service, query.product_code) : null
  const { service_type } = service
  const found = await askHolder(app, organization, service, { account_number, product_code })
  if (found.outcome === 'unknown') throw new BillRefusal('BX0024')
  if (found.outcome === 'not_found') throw new BillRefusal('BX0025', found.message)
  const { holder } = found
  const { gsmNo } = holder.raw_output
  const phone = typeof gsmNo === 'string' ? gsmNo : null
  const name = holder.name
  const validation = { organization, service_type, account_number, product_code: product_code ?? '', phone, name }
  await begin(app.db, (tx) => recordAccountValidation(tx, app.clock.now(), validation))
  return holder
}

/** Ask the providers of the service, best first, until one knows the account or knows that there is none. */
async function askHolder(
  app: App,
  organization: number,
  service: Service,
  { account_number, product_code }: { account_number: string; product_code: string | null },
): Promise<AccountHolderLookup> {
  const sellers = sellersOf(app)
  if (sellers.length === 0) throw new BillRefusal('EXC00144')
  const { category: kind, service_type, country, prepaid } = service
  const found = await findHolderSellers(app.db, { organization, kind, service_type, country, product_code }, sellers)
  if (found.length === 0) throw new BillRefusal('EXC00103')
  for (const { connection, remote_service, remote_product } of found) {
    const seller = findBillConnection(app, connection)!
    if (!seller.operations.accountHolder) continue
    const offer = { remote_service: remote_service ?? service_type, remote_product: remote_product ?? product_code }
    const answer = await callDriver(app, seller, 'accountHolder', { kind, country, offer, account_number, prepaid })
    if (answer.outcome !== 'unknown') return answer
  }
  return { outcome: 'unknown', message: 'No provider has answered.' }
}

/** @throws BillRefusal BX0003 */
async function readProductCode(app: App, service: Service, code: string | undefined): Promise<string> {
  if (code === undefined) throw invalidField('product_code', fieldMessages.required)
  return (await priceExam(app.db, service, code)).product.code
}

function showAccountHolder(holder: AccountHolder, service: Service): z.output<typeof AccountHolderView> {
  return {
    name: holder.name,
    address: holder.address,
    outstandingBalance: holder.outstanding_balance,
    dueDate: holder.due_date,
    district: holder.district,
    accountNumber: holder.account_number,
    minimumAmount: maxAmount(holder.minimum_amount, service.minimum_amount),
    rawOutput: holder.raw_output,
    errorMessage: null,
    ...holder.more,
  }
}

/** The larger of two minimums: the biller has one for the account, the catalogue one for the service. Both apply. */
function maxAmount(a: Amount | null, b: Amount | null): Amount | null {
  return a === null || (b !== null && b > a) ? b : a
}
