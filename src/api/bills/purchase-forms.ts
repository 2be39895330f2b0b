import { z } from 'zod'
import { readAccountNumber } from '../../core/bills/account-numbers.ts'
import { findAccountValidation } from '../../core/bills/account-validations.ts'
import {
  checkAmount,
  findServiceForSale,
  formatPlainAmount,
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
import { parseNigerianPhone } from '../../lib/phone.ts'
import { agentReference } from './fields.ts'

/** One kind of purchase: its address, its fields, and what they come to. */
export interface PurchaseForm {
  url: string
  operationId: string
  summary: string
  body: z.ZodType<PurchaseBody>
  /** Checks what the fields alone cannot tell and looks the price up. @throws BillRefusal */
  checkAndPrice(db: Reader, organization: number, body: PurchaseBody): Promise<PricedPurchase>
}

/** What every purchase names. */
interface PurchaseBody {
  agentReference: string
  agentId?: string
  metadata?: Record<string, unknown>
}

type PricedPurchase = Pick<
  NewPurchase,
  'kind' | 'service_type' | 'account_number' | 'phone' | 'amount' | 'details' | 'pin'
>

const code = (description: string, example: string) => documented(requiredText(60), description, example)
const months = integer({ least: 1, most: 120 })
const amount = documented(positiveAmount, 'In naira.', '1000')
const price = documented(optional(positiveAmount), 'In naira. It must be the price.', '1000')
const phone = documented(requiredText(30), 'Phone number of 11 digits.', '08031234567')
const common = {
  agentReference: documented(agentReference, 'Unique for ever; `agentRefernce` is read as well.', 'order-17'),
  agentId: documented(optional(requiredText(40)), 'What the integrator is known by; one client leaves it out.', 207),
  metadata: optional(metadata),
}

const airtime = defineForm({
  url: '/services/airtime/request',
  operationId: 'buyAirtime',
  summary: 'Buy airtime',
  body: z.object({
    ...{ ...common, amount, phone },
    service_type: code('Provider.', 'mtn'),
    plan: code('One of the plans of the provider.', 'prepaid'),
  }),
  async read(db, _organization, body) {
    const service = await findServiceForSale(db, 'airtime', body.service_type)
    const plan = body.plan.toLowerCase()
    const [account_number] = await runChecks(
      () => readAccountNumber(service, body.phone, 'phone'),
      () => {
        if (!service.plans.includes(plan)) throw invalidField('plan', fieldMessages.choice(body.plan))
      },
      () => checkAmount(service, body.amount),
    )
    return toPricedPurchase(service, { account_number, phone: account_number, amount: body.amount, details: { plan } })
  },
})

/** What a customer of spectranet may do with a new bundle. */
const PACKAGES = ['RENEW', 'CHANGE_IMMEDIATE', 'CHANGE_AFTER_EXPIRY'] as const

const databundle = defineForm({
  url: '/services/databundle/request',
  operationId: 'buyDataBundle',
  summary: 'Buy a data bundle',
  body: z.object({
    ...{ ...common, phone },
    amount: price,
    service_type: code('Provider.', 'mtn'),
    datacode: code('Names the bundle.', '1000'),
    account_number: documented(optional(requiredText(60)), 'For providers that sell to accounts: smile, spectranet.'),
    package: documented(
      optional(z.enum(PACKAGES, { error: ({ input }) => fieldMessages.choice(input) })),
      'Spectranet only.',
    ),
  }),
  async read(db, _organization, body) {
    const service = await findServiceForSale(db, 'databundle', body.service_type)
    const to_account = service.account_kind !== 'phone'
    const field = to_account && body.account_number !== undefined ? 'account_number' : 'phone'
    const [{ product, price }, account_number] = await runChecks(
      async () => {
        const bundle = await priceBundle(db, service, body.datacode)
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
  url: '/services/electricity/request',
  operationId: 'buyElectricity',
  summary: 'Buy electricity',
  body: z.object({
    ...{ ...common, amount, phone },
    service_type: code('Service type of the bill.', 'ikeja_electric_prepaid'),
    account_number: code('Meter or account number.', '04042404048'),
  }),
  async read(db, _organization, body) {
    const service = await findServiceForSale(db, 'electricity', body.service_type)
    const [account_number, phone] = await runChecks(
      () => readAccountNumber(service, body.account_number),
      () => readPhone(body.phone),
      () => checkAmount(service, body.amount),
    )
    const details = { prepaid: service.prepaid ?? false, ...(service.tariff !== null && { tariff: service.tariff }) }
    return toPricedPurchase(service, { account_number, phone, amount: body.amount, details })
  },
})

const cabletv = defineForm({
  url: '/services/cabletv/request',
  operationId: 'buyCableTv',
  summary: 'Renew a TV subscription, or change its plan',
  body: z.object({
    ...common,
    service_type: code('TV service.', 'dstv'),
    smartcard_number: code('Smartcard or IUC number.', '4131953321'),
    total_amount: documented(positiveAmount, 'Of a renewal any amount; else the price of bouquet and add-on.', '12500'),
    product_code: code('Bouquet of a change of plan; `0` renews what there is.', '0'),
    product_monthsPaidFor: documented(months, 'How many months are paid.', 1),
    addon_code: documented(optional(requiredText(60)), 'Add-on that goes with the bouquet.'),
    addon_monthsPaidFor: documented(optional(months), 'As long as the bouquet unless given.'),
    isBoxOffice: optional(booleanField),
    phone: documented(optional(requiredText(30)), 'Phone number of 11 digits.', '08031234567'),
  }),
  async read(db, _organization, body) {
    const service = await findServiceForSale(db, 'cabletv', body.service_type)
    const { product_code, product_monthsPaidFor: paid, addon_code, addon_monthsPaidFor: addon_months } = body
    const [account_number, phone] = await runChecks(
      () => readAccountNumber(service, body.smartcard_number, 'smartcard_number'),
      () => (body.phone === undefined ? '' : readPhone(body.phone)),
      async () => {
        if (product_code === RENEWAL) return checkAmount(service, body.total_amount, 'total_amount')
        const chosen = { product_code, months: paid, addon_code, addon_months }
        checkPrice((await priceSubscription(db, service, chosen)).price, body.total_amount, 'total_amount')
      },
    )
    const details = { product_code, months: paid, addon_code, addon_months, box_office: body.isBoxOffice }
    return toPricedPurchase(service, { account_number, phone, amount: body.total_amount, details })
  },
})

/** In the place of a bouquet: renew what is subscribed, whatever that is. */
const RENEWAL = '0'

const epin = defineForm({
  url: '/services/epin/request',
  operationId: 'buyPins',
  summary: 'Buy pins',
  body: z.object({
    ...common,
    amount: price,
    service_type: code('Provider.', 'glo'),
    pinValue: documented(positiveAmount, 'Value of one pin.', '100'),
    numberOfPins: documented(integer({ least: 1, most: 1_000 }), 'How many, of those available.', 2),
    phone: documented(optional(requiredText(30)), 'Phone number of 11 digits.', '08031234567'),
  }),
  async read(db, _organization, body) {
    const service = await findServiceForSale(db, 'epin', body.service_type)
    const [{ product, total }, phone] = await runChecks(
      async () => {
        const { product, price } = await pricePin(db, service, body.pinValue)
        const total = price * BigInt(body.numberOfPins)
        checkPrice(total, body.amount, 'amount')
        return { product, total }
      },
      () => (body.phone === undefined ? '' : readPhone(body.phone)),
    )
    const details = { pin_value: body.pinValue, pins: body.numberOfPins }
    return { ...toPricedPurchase(service, { account_number: '', phone, amount: total, details }), pin: product }
  },
})

const exampin = defineForm({
  url: '/services/exampin/request',
  operationId: 'buyExamPin',
  summary: 'Buy an exam pin for a candidate whose name was found before',
  body: z.object({
    ...{ ...common, phone },
    amount: price,
    service_type: code('Exam.', 'jamb'),
    account_number: code('Confirmation code of the candidate.', '9678528341'),
    product_code: code('From the list of products.', 'DE'),
  }),
  async read(db, organization, body) {
    const service = await findServiceForSale(db, 'exampin', body.service_type)
    const [account_number, { product, price }, phone] = await runChecks(
      () => readAccountNumber(service, body.account_number),
      async () => {
        const exam = await priceExam(db, service, body.product_code)
        checkPrice(exam.price, body.amount, 'amount')
        return exam
      },
      () => readPhone(body.phone),
    )
    const { service_type } = service
    const product_code = product.code
    const validation = await findAccountValidation(db, { organization, service_type, account_number, product_code })
    if (!validation)
      throw new BillRefusal('BX0025', 'Find the name of this candidate first, with the same product_code.')
    if (validation.phone !== null && readPhone(validation.phone) !== phone)
      throw invalidField('phone', 'It must be the gsmNo that the name finder gave for this candidate.')
    return toPricedPurchase(service, { account_number, phone, amount: price, details: { product_code } })
  },
})

/** Every purchase of the counter. */
export const purchaseForms: readonly PurchaseForm[] = [airtime, databundle, electricity, cabletv, epin, exampin]

/** The types of a form's own fields end here; whoever goes through the list sees what all forms have in common. */
function defineForm<Body extends z.ZodType<PurchaseBody>>(
  form: Omit<PurchaseForm, 'body' | 'checkAndPrice'> & {
    body: Body
    read(db: Reader, organization: number, body: z.output<Body>): Promise<PricedPurchase>
  },
): PurchaseForm {
  return { ...form, checkAndPrice: (db, organization, body) => form.read(db, organization, body as z.output<Body>) }
}

function toPricedPurchase(
  service: Service,
  what: Omit<PricedPurchase, 'kind' | 'service_type' | 'pin'>,
): PricedPurchase {
  return { kind: service.category, service_type: service.service_type, pin: null, ...what }
}

/** The price is ours; an amount that is sent along only shows what the caller believes. */
function checkPrice(price: Amount, given: Amount | undefined, field: string): void {
  if (given !== undefined && given !== price) throw invalidField(field, `The price is ${formatPlainAmount(price)}.`)
}

function readPhone(text: string): string {
  const phone = parseNigerianPhone(text)
  if (!phone) throw invalidField('phone', 'Enter a phone number of 11 digits (e.g. 08031234567).')
  return phone
}
