import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { formatMoney, formatWord } from '../../format.ts'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { PriceList, Service } from '../../wire.ts'
import { categories } from '../purchases.tsx'

/** The fields of all kinds of purchases, by the names of the bills API, so that its messages stand at them. */
export interface BuyValues extends Record<string, unknown> {
  kind: string
  /** Id of the service in the catalogue. */
  service: string
  phone: string
  account_number: string
  smartcard_number: string
  plan: string
  amount: string
  total_amount: string
  datacode: string
  product_code: string
  product_monthsPaidFor: string
  pinValue: string
  numberOfPins: number | string
  sendToken: boolean
}

type Form = UseFormReturnType<BuyValues>

/** The product code that renews the current subscription of a TV service. */
const RENEWAL = '0'

/** An empty form, or one with the customer of an earlier purchase from the address. */
export function initialValues(search: Record<string, string>): BuyValues {
  const account = search.account ?? ''
  return {
    kind: categories.includes(search.kind ?? '') ? search.kind! : 'airtime',
    service: '',
    phone: search.phone ?? '',
    account_number: account,
    smartcard_number: account,
    plan: 'prepaid',
    amount: search.amount ?? '',
    total_amount: '',
    datacode: '',
    product_code: '',
    product_monthsPaidFor: '1',
    pinValue: '',
    numberOfPins: 1,
    sendToken: true,
  }
}

/** The body of the quote and of the purchase. */
export function orderOf(values: BuyValues, service: PriceList): Record<string, unknown> {
  const { phone, amount, plan, account_number, datacode, product_code, smartcard_number, pinValue } = values
  const given = (fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  const common = { kind: service.category, service_type: service.service_type }
  switch (service.category) {
    case 'airtime':
      return { ...common, ...given({ phone, amount, plan }) }
    case 'databundle':
      return { ...common, ...given({ phone, datacode, account_number }) }
    case 'electricity':
      return { ...common, ...given({ phone, amount, account_number }), sendToken: values.sendToken }
    case 'cabletv':
      return { ...common, ...given({ phone, smartcard_number, ...subscriptionOf(values, service) }) }
    case 'epin':
      return { ...common, ...given({ phone, pinValue, numberOfPins: values.numberOfPins }) }
    case 'exampin':
      return { ...common, ...given({ phone, account_number, product_code }) }
  }
}

/**
 * Return the subscription. The price of a bouquet comes from the catalogue; a renewal costs the amount that the
 * customer chooses.
 */
function subscriptionOf(values: BuyValues, service: PriceList) {
  const { product_code, product_monthsPaidFor, total_amount } = values
  if (product_code === RENEWAL) return { product_code, product_monthsPaidFor: '1', total_amount }
  const bouquet = service.products.find((one) => one.kind === 'bouquet' && one.code === product_code)
  const price = bouquet?.prices.find(({ months }) => String(months) === product_monthsPaidFor)?.price ?? ''
  return { product_code, product_monthsPaidFor, total_amount: price }
}

/** The choice of category and service. */
export function ServiceFields(props: { form: Form; services: Service[]; chosen: Service | undefined }) {
  const { form, services, chosen } = props
  return (
    <>
      <Select
        label={t('bills.catalogue.category')}
        data={categories.map((value) => ({ value, label: formatWord(value) }))}
        allowDeselect={false}
        value={form.values.kind}
        onChange={(kind) => form.setValues({ kind: kind ?? 'airtime', service: '', product_code: '', datacode: '' })}
      />
      <Select
        label={t('bills.service')}
        placeholder={t('fields.choose')}
        searchable
        required
        data={services
          .filter(({ enabled }) => enabled)
          .map(({ id, name, country }) => ({ value: String(id), label: t('bills.buy.service_in', { name, country }) }))}
        value={chosen ? String(chosen.id) : null}
        onChange={(service) => form.setValues({ service: service ?? '', product_code: '', datacode: '', pinValue: '' })}
      />
    </>
  )
}

export function PurchaseFields({ form, service }: { form: Form; service: PriceList }) {
  const { category } = service
  return (
    <>
      {['electricity', 'exampin'].includes(category) && <Account form={form} service={service} name="account_number" />}
      {category === 'cabletv' && <Account form={form} service={service} name="smartcard_number" />}
      {category === 'databundle' && service.account_format !== null && !isPhone(service) && (
        <Account form={form} service={service} name="account_number" />
      )}
      <TextInput
        label={t('fields.phone_number')}
        type="tel"
        required={!['cabletv', 'epin'].includes(category)}
        {...form.getInputProps('phone')}
      />
      {category === 'airtime' && (
        <Select
          label={t('bills.buy.plan')}
          data={['prepaid', 'postpaid'].map((value) => ({ value, label: formatWord(value) }))}
          allowDeselect={false}
          {...form.getInputProps('plan')}
        />
      )}
      {['airtime', 'electricity'].includes(category) && <Amount form={form} service={service} name="amount" />}
      {category === 'databundle' && <Products form={form} service={service} name="datacode" kind="bundle" />}
      {category === 'epin' && <Products form={form} service={service} name="pinValue" kind="pin" />}
      {category === 'exampin' && <Products form={form} service={service} name="product_code" kind="exam" />}
      {category === 'cabletv' && <Subscription form={form} service={service} />}
      {category === 'epin' && (
        <NumberInput label={t('bills.buy.pins')} min={1} max={1_000} {...form.getInputProps('numberOfPins')} />
      )}
      {category === 'electricity' && (
        <Checkbox label={t('bills.buy.send_token')} {...form.getInputProps('sendToken', { type: 'checkbox' })} />
      )}
    </>
  )
}

interface FieldProps {
  form: Form
  service: PriceList
  name: keyof BuyValues & string
}

/** Most bundles go to the phone; the catalogue says so in words. */
function isPhone({ account_format }: PriceList): boolean {
  return account_format?.startsWith('phone') ?? true
}

function Account({ form, service, name }: FieldProps) {
  return (
    <TextInput
      label={t('bills.catalogue.account_number')}
      description={service.account_format && translateMessage(service.account_format)}
      required
      {...form.getInputProps(name)}
    />
  )
}

function Amount({ form, service, name }: FieldProps) {
  const { minimum_amount: min, maximum_amount: max, currency } = service
  const limits =
    min !== null && max !== null
      ? t('bills.buy.limits', { min: formatMoney(min, currency), max: formatMoney(max, currency) })
      : min !== null
        ? t('bills.providers.min', { money: formatMoney(min, currency) })
        : max !== null && t('bills.providers.max', { money: formatMoney(max, currency) })
  return (
    <AmountInput
      label={t('bills.buy.amount_in', { currency })}
      description={limits}
      required
      currency={currency}
      {...form.getInputProps(name)}
    />
  )
}

function Products({ form, service, name, kind }: FieldProps & { kind: string }) {
  const products = service.products.filter((one) => one.kind === kind)
  return (
    <Select
      label={t('bills.catalogue.product')}
      placeholder={t('fields.choose')}
      searchable
      required
      data={products.map(({ code, name: label, prices }) => ({
        value: code,
        label: t('bills.buy.product_at', { name: label, price: formatMoney(prices[0]!.price, service.currency) }),
      }))}
      {...form.getInputProps(name)}
    />
  )
}

/** A bouquet for some months, or the renewal of the current one. */
function Subscription({ form, service }: { form: Form; service: PriceList }) {
  const bouquets = service.products.filter(({ kind }) => kind === 'bouquet')
  const chosen = bouquets.find(({ code }) => code === form.values.product_code)
  return (
    <>
      <Select
        label={t('bills.catalogue.product')}
        placeholder={t('fields.choose')}
        searchable
        required
        data={[
          { value: RENEWAL, label: t('bills.buy.renewal') },
          ...bouquets.map(({ code, name }) => ({ value: code, label: name })),
        ]}
        {...form.getInputProps('product_code')}
      />
      {chosen && (
        <Select
          label={t('bills.catalogue.price')}
          allowDeselect={false}
          data={chosen.prices.map(({ months, price }) => ({
            value: String(months),
            label: t('bills.catalogue.price_for', { money: formatMoney(price, service.currency), count: months }),
          }))}
          {...form.getInputProps('product_monthsPaidFor')}
        />
      )}
      {form.values.product_code === RENEWAL && <Amount form={form} service={service} name="total_amount" />}
    </>
  )
}
