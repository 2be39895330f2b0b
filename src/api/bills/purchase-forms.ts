import { z } from 'zod'
import { createBatchedRead } from '../../actions/batched-calls.ts'
import type { App } from '../../app.ts'
import { readAccountNumber, readCustomerPhone } from '../../core/bills/account-numbers.ts'
import { findAccountValidation } from '../../core/bills/account-validations.ts'
import {
  type Category,
  checkAmount,
  findServicesOfTypes,
  formatPlainAmount,
  pickServiceForSale,
  priceBundle,
  priceExam,
  pricePin,
  priceSubscription,
  type Service,
} from '../../core/bills/catalogue.ts'
import type { NewPurchase } from '../../core/bills/purchases.ts'
import { BillRefusal, invalidField, runChecks } from '../../core/bills/refusals.ts'
import {
  booleanField,
  choiceError,
  documented,
  fieldMessages,
  integer,
  metadata,
  optional,
  positiveAmount,
  requiredText,
} from '../../core/fields.ts'
import type { Reader } from '../../db/client.ts'
import type { Amount } from '../../lib/money.ts'
import { agentReference } from './fields.ts'

/** Kind of purchase: its address, its fields, and its price. */
export interface PurchaseForm {
  kind: Category
  url: string
  operationId: string
  summary: string
  body: z.ZodType<PurchaseBody>
  /** Check the fields against the catalogue and find the price. @throws BillRefusal */
  checkAndPrice(reads: CatalogueReads, organization: number, body: PurchaseBody): Promise<PricedPurchase>
}

/** Parts of the catalogue that the forms read. */
export interface CatalogueReads {
  db: Reader
  /** The active service of this type in the category. @throws BillRefusal BX0026, EXC00103 */
  findServiceForSale(category: Category, service_type: string): Promise<Service>
}

/** Make the reads of the forms. Purchases that arrive at the same time share a statement for their services. */
export function createCatalogueReads(app: App): CatalogueReads {
  const readServices = createBatchedRead(app, (types: string[]) => findServicesOfTypes(app.db, types))
  return {
    db: app.db,
    findServiceForSale: async (category, service_type) =>
      pickServiceForSale(await readServices(service_type), category, service_type),
  }
}

/** The fields that all purchases share. */
export interface PurchaseBody {
  agentReference: string
  agentId?: string
  metadata?: Record<string, unknown>
}

/** Purchase whose fields have passed the checks, with its price. */
export type PricedPurchase = Pick<
  NewPurchase,
  'kind' | 'service_type' | 'account_number' | 'phone' | 'amount' | 'details' | 'pin' | 'send_token'
> &
  Required<Pick<NewPurchase, 'country' | 'currency'>>

const code = (description: string, example: string) => documented(requiredText(60), description, example)
const monthCount = integer({ min: 1, max: 120 })
const amount = documented(positiveAmount, 'Amount in the currency of the service.', '1000')
const price = documented(optional(positiveAmount), 'In the currency of the service; it must equal the price.', '1000')
const phone = documented(
  requiredText(30),
  'Phone number: 11 digits in Nigeria, elsewhere with the country code.',
  '08031234567',
)
const common = {
  agentReference: agentReference.meta({
    id: 'AgentReference',
    description: 'Unique for all time. `agentRefernce` is also accepted.',
    examples: ['order-17'],
  }),
  agentId: documented(optional(requiredText(40)), 'Id of the integrator.', '207'),
  metadata: optional(metadata),
}

const airtime = defineForm({
  kind: 'airtime',
  url: '/services/airtime/request',
  operationId: 'buyAirtime',
  summary: 'Buy airtime',
  body: z.object({
    ...common,
    amount,
    phone,
    service_type: code('Provider.', 'mtn'),
    plan: code('One of the plans of the provider.', 'prepaid'),
  }),
  async checkAndPrice(reads, _organization, body) {
    const service = await reads.findServiceForSale('airtime', body.service_type)
    const plan = body.plan.toLowerCase()
    const [account_number] = await runChecks(
      () => readAccountNumber(service, body.phone, 'phone'),
      () => {
        if (!service.plans.includes(plan)) throw invalidField('plan', fieldMessages.choice(body.plan, service.plans))
      },
      () => checkAmount(service, body.amount),
    )
    return toPricedPurchase(service, { account_number, phone: account_number, amount: body.amount, details: { plan } })
  },
})

/** Ways in which a new spectranet bundle replaces the current one. */
const PACKAGES = ['RENEW', 'CHANGE_IMMEDIATE', 'CHANGE_AFTER_EXPIRY'] as const

const databundle = defineForm({
  kind: 'databundle',
  url: '/services/databundle/request',
  operationId: 'buyDataBundle',
  summary: 'Buy a data bundle',
  body: z.object({
    ...common,
    phone,
    amount: price,
    service_type: code('Provider.', 'mtn'),
    datacode: code('Code of the bundle.', '1000'),
    account_number: documented(
      optional(requiredText(60)),
      'Account number; for providers that sell to accounts: smile, spectranet.',
    ),
    package: documented(optional(z.enum(PACKAGES, { error: choiceError(PACKAGES) })), 'Spectranet only.'),
  }),
  async checkAndPrice(reads, _organization, body) {
    const service = await reads.findServiceForSale('databundle', body.service_type)
    const to_account = service.account_kind !== 'phone'
    const field = to_account && body.account_number !== undefined ? 'account_number' : 'phone'
    const [{ product, price }, account_number] = await runChecks(
      async () => {
        const bundle = await priceBundle(reads.db, service, body.datacode)
        checkPrice(bundle.price, body.amount, 'amount')
        return bundle
      },
      () => readAccountNumber(service, body[field]!, field),
    )
    const details = { datacode: product.code, package: body.package }
    const phone = to_account ? body.phone.trim() : account_number
    return toPricedPurchase(service, { account_number, phone, amount: price, details })
  },
})

const electricity = defineForm({
  kind: 'electricity',
  url: '/services/electricity/request',
  operationId: 'buyElectricity',
  summary: 'Buy electricity',
  body: z.object({
    ...common,
    amount,
    phone,
    service_type: code('Service type of the bill.', 'ikeja_electric_prepaid'),
    account_number: code('Meter or account number.', '04042404048'),
    sendToken: documented(
      optional(booleanField),
      'Prepaid: send the token to `phone` by SMS. Default: your setting.',
      true,
    ),
  }),
  async checkAndPrice(reads, _organization, body) {
    const service = await reads.findServiceForSale('electricity', body.service_type)
    const [account_number, phone] = await runChecks(
      () => readAccountNumber(service, body.account_number),
      () => readCustomerPhone(service.country, body.phone),
      () => checkAmount(service, body.amount),
    )
    const details = { prepaid: service.prepaid ?? false, ...(service.tariff !== null && { tariff: service.tariff }) }
    return {
      ...toPricedPurchase(service, { account_number, phone, amount: body.amount, details }),
      send_token: body.sendToken,
    }
  },
})

const cabletv = defineForm({
  kind: 'cabletv',
  url: '/services/cabletv/request',
  operationId: 'buyCableTv',
  summary: 'Renew a TV subscription, or change its plan',
  body: z.object({
    ...common,
    service_type: code('TV service.', 'dstv'),
    smartcard_number: code('Smartcard or IUC number.', '4131953321'),
    total_amount: documented(
      positiveAmount,
      'For a renewal any amount; otherwise the price of bouquet and add-on.',
      '12500',
    ),
    product_code: code('Code of the new bouquet; `0` renews the current subscription.', '0'),
    product_monthsPaidFor: documented(monthCount, 'Number of months to pay.', 1),
    addon_code: documented(optional(requiredText(60)), 'Code of an add-on of the bouquet.'),
    addon_monthsPaidFor: documented(
      optional(monthCount),
      'Number of months of the add-on; default: the same as the bouquet.',
    ),
    isBoxOffice: documented(optional(booleanField), 'Passed to the TV service as it is.', false),
    phone: documented(
      optional(requiredText(30)),
      'Phone number: 11 digits in Nigeria, elsewhere with the country code.',
      '08031234567',
    ),
  }),
  async checkAndPrice(reads, _organization, body) {
    const service = await reads.findServiceForSale('cabletv', body.service_type)
    const { product_code, product_monthsPaidFor: months, addon_code, addon_monthsPaidFor: addon_months } = body
    const [account_number, phone] = await runChecks(
      () => readAccountNumber(service, body.smartcard_number, 'smartcard_number'),
      () => (body.phone === undefined ? '' : readCustomerPhone(service.country, body.phone)),
      async () => {
        if (product_code === RENEWAL) return checkAmount(service, body.total_amount, 'total_amount')
        const subscription = { product_code, months, addon_code, addon_months }
        checkPrice((await priceSubscription(reads.db, service, subscription)).price, body.total_amount, 'total_amount')
      },
    )
    const details = { product_code, months, addon_code, addon_months, box_office: body.isBoxOffice }
    return toPricedPurchase(service, { account_number, phone, amount: body.total_amount, details })
  },
})

/** The product_code that renews the current subscription. */
const RENEWAL = '0'

const epin = defineForm({
  kind: 'epin',
  url: '/services/epin/request',
  operationId: 'buyPins',
  summary: 'Buy pins',
  body: z.object({
    ...common,
    amount: price,
    service_type: code('Provider.', 'glo'),
    pinValue: documented(positiveAmount, 'Value of one pin.', '100'),
    numberOfPins: documented(integer({ min: 1, max: 1_000 }), 'Number of pins.', 2),
    phone: documented(
      optional(requiredText(30)),
      'Phone number: 11 digits in Nigeria, elsewhere with the country code.',
      '08031234567',
    ),
  }),
  async checkAndPrice(reads, _organization, body) {
    const service = await reads.findServiceForSale('epin', body.service_type)
    const [{ product, total }, phone] = await runChecks(
      async () => {
        const { product, price } = await pricePin(reads.db, service, body.pinValue)
        const total = price * BigInt(body.numberOfPins)
        checkPrice(total, body.amount, 'amount')
        return { product, total }
      },
      () => (body.phone === undefined ? '' : readCustomerPhone(service.country, body.phone)),
    )
    const details = { pin_value: body.pinValue, pins: body.numberOfPins }
    return { ...toPricedPurchase(service, { account_number: '', phone, amount: total, details }), pin: product }
  },
})

const exampin = defineForm({
  kind: 'exampin',
  url: '/services/exampin/request',
  operationId: 'buyExamPin',
  summary: 'Buy an exam pin for a candidate after the name look-up',
  body: z.object({
    ...common,
    phone,
    amount: price,
    service_type: code('Exam.', 'jamb'),
    account_number: code('Confirmation code of the candidate.', '9678528341'),
    product_code: code('Code from the list of products.', 'DE'),
  }),
  async checkAndPrice(reads, organization, body) {
    const service = await reads.findServiceForSale('exampin', body.service_type)
    const [account_number, { product, price }, phone] = await runChecks(
      () => readAccountNumber(service, body.account_number),
      async () => {
        const exam = await priceExam(reads.db, service, body.product_code)
        checkPrice(exam.price, body.amount, 'amount')
        return exam
      },
      () => readCustomerPhone(service.country, body.phone),
    )
    const { service_type } = service
    const product_code = product.code
    const validation = await findAccountValidation(reads.db, {
      organization,
      service_type,
      account_number,
      product_code,
    })
    if (!validation)
      throw new BillRefusal('BX0025', 'Find the name of this candidate first, with the same product_code.')
    if (validation.phone !== null && readCustomerPhone(service.country, validation.phone) !== phone)
      throw invalidField('phone', 'It must be the gsmNo that the name look-up returned for this candidate.')
    return toPricedPurchase(service, { account_number, phone, amount: price, details: { product_code } })
  },
})

/** Kinds of purchases. */
export const purchaseForms: readonly PurchaseForm[] = [airtime, databundle, electricity, cabletv, epin, exampin]

/** Hide the type of a form's own fields, so that all forms fit in one list. */
function defineForm<Body extends z.ZodType<PurchaseBody>>(
  form: Omit<PurchaseForm, 'body' | 'checkAndPrice'> & {
    body: Body
    checkAndPrice(reads: CatalogueReads, organization: number, body: z.output<Body>): Promise<PricedPurchase>
  },
): PurchaseForm {
  return {
    ...form,
    checkAndPrice: (reads, organization, body) => form.checkAndPrice(reads, organization, body as z.output<Body>),
  }
}

function toPricedPurchase(
  service: Service,
  purchase: Omit<PricedPurchase, 'kind' | 'service_type' | 'country' | 'currency' | 'pin'>,
): PricedPurchase {
  const { category: kind, service_type, country, currency } = service
  return { kind, service_type, country, currency, pin: null, ...purchase }
}

/** Refuse an amount that differs from the price in the catalogue. @throws BillRefusal */
function checkPrice(price: Amount, amount: Amount | undefined, field: string): void {
  if (amount !== undefined && amount !== price) throw invalidField(field, `The price is ${formatPlainAmount(price)}.`)
}
