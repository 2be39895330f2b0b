import { BILL_MONEY_FIELDS } from './json.ts'
import type { operations } from './openapi.ts'
import { poll, type WaitOptions } from './poll.ts'
import type { Call, CallOptions, CreateOptions, Query, Transport } from './transport.ts'
import type { BillBody, BillData, PurchaseResult } from './types.ts'

type OperationName = keyof operations

const SERVICES = '/api/gateway/services'
const BILLERS = '/api/gateway/billers'

/** Reference that finds a purchase: one of these. */
export type PurchaseReference =
  | { agentReference: string }
  | { reference: string }
  | { transactionReference: string | number }

/** The country (ISO 3166-1) whose services are listed. Default for the providers of one kind: NG. */
export interface CountryFilter {
  country?: string
}

/**
 * Bill payments: look up, buy, and read the result. Each call gives the `data` of the answer; amounts are strings. A purchase that
 * has failed is a KusanyaError, whose `body.data` has the result.
 */
export class Bills {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  listCategories(options?: CallOptions) {
    return this.#read<'listBillCategories'>(`${BILLERS}/category/all`, {}, options)
  }
  async listProviders(filters: CountryFilter = {}, options?: CallOptions) {
    return (await this.#read<'listBillProviders'>(`${BILLERS}/provider/all`, { ...filters }, options)).providers
  }
  listServices(filters: CountryFilter = {}, options?: CallOptions) {
    return this.#read<'listBillServices'>(`${BILLERS}/services/list`, { ...filters }, options)
  }
  listServicesOfCategory(service_type: string, options?: CallOptions) {
    return this.#read<'listBillServicesOfCategoryByGet'>(`${BILLERS}/services/category`, { service_type }, options)
  }
  async listAirtimeProviders(filters: CountryFilter = {}, options?: CallOptions) {
    return (await this.#read<'listAirtimeProviders'>(`${SERVICES}/airtime/providers`, { ...filters }, options))
      .providers
  }
  async listDataBundleProviders(filters: CountryFilter = {}, options?: CallOptions) {
    return (await this.#read<'listDatabundleProviders'>(`${SERVICES}/databundle/providers`, { ...filters }, options))
      .providers
  }
  async listElectricityBillers(filters: CountryFilter = {}, options?: CallOptions) {
    return (await this.#read<'listElectricityBillers'>(`${SERVICES}/electricity/billers`, { ...filters }, options))
      .providers
  }
  async listCableTvProviders(filters: CountryFilter = {}, options?: CallOptions) {
    return (await this.#read<'listCabletvProviders'>(`${SERVICES}/cabletv/providers`, { ...filters }, options))
      .providers
  }
  async listPinProviders(filters: CountryFilter = {}, options?: CallOptions) {
    return (await this.#read<'listEpinProviders'>(`${SERVICES}/epin/providers`, { ...filters }, options)).providers
  }

  listBouquets(input: BillBody<'listBouquets'>, options?: CallOptions) {
    return this.#ask<'listBouquets'>(`${SERVICES}/cabletv/list`, input, options)
  }
  listAddons(input: BillBody<'listAddons'>, options?: CallOptions) {
    return this.#ask<'listAddons'>(`${SERVICES}/cabletv/addons`, input, options)
  }
  listDataBundles(input: BillBody<'listDataBundles'>, options?: CallOptions) {
    return this.#ask<'listDataBundles'>(`${SERVICES}/databundle/bundles`, input, options)
  }
  listPinBundles(input: BillBody<'listPinBundles'>, options?: CallOptions) {
    return this.#ask<'listPinBundles'>(`${SERVICES}/epin/bundles`, input, options)
  }
  listExamProducts(service_type: string, options?: CallOptions) {
    return this.#read<'listExamProducts'>(`${SERVICES}/exampin/products`, { service_type }, options)
  }
  /** The name of an account's holder, before something is bought for the account. */
  async findName(input: BillBody<'findName'>, options?: CallOptions) {
    return (await this.#ask<'findName'>(`${SERVICES}/namefinder/query`, input, options)).user
  }
  async verifyMeter(input: BillBody<'verifyMeter'>, options?: CallOptions) {
    return (await this.#ask<'verifyMeter'>(`${SERVICES}/electricity/verify`, input, options)).user
  }

  buyAirtime(input: BillBody<'buyAirtime'>, options?: CreateOptions) {
    return this.#buy('airtime', input, options)
  }
  buyDataBundle(input: BillBody<'buyDataBundle'>, options?: CreateOptions) {
    return this.#buy('databundle', input, options)
  }
  buyElectricity(input: BillBody<'buyElectricity'>, options?: CreateOptions) {
    return this.#buy('electricity', input, options)
  }
  buyCableTv(input: BillBody<'buyCableTv'>, options?: CreateOptions) {
    return this.#buy('cabletv', input, options)
  }
  buyPins(input: BillBody<'buyPins'>, options?: CreateOptions) {
    return this.#buy('epin', input, options)
  }
  buyExamPin(input: BillBody<'buyExamPin'>, options?: CreateOptions) {
    return this.#buy('exampin', input, options)
  }

  /** The result of a purchase as it is now. */
  requery(purchase: PurchaseReference, options?: CallOptions): Promise<PurchaseResult> {
    return this.#read<'requeryPurchase'>('/api/gateway/superagent/transaction/requery', { ...purchase }, options)
  }

  /** Read a purchase until it is no longer `pending`. @throws WaitTimeout, or KusanyaError when it has failed */
  wait(purchase: PurchaseReference, options?: WaitOptions): Promise<PurchaseResult> {
    const hasEnded = ({ transactionStatus }: PurchaseResult) => transactionStatus !== 'pending'
    return poll(`Purchase ${Object.values(purchase)}`, () => this.requery(purchase, options), hasEnded, options)
  }

  /** Get the balance of the paying wallet, without the sums that open purchases hold. */
  getBalance(options?: CallOptions) {
    return this.#read<'getBillBalance'>('/api/gateway/superagent/account/balance', {}, options)
  }

  #read<Operation extends OperationName>(path: string, query: Query, options?: CallOptions) {
    return this.#send<Operation>({ method: 'GET', path, query, options })
  }

  /** A look-up that the interface has as a POST. */
  #ask<Operation extends OperationName>(path: string, body: object, options?: CallOptions) {
    return this.#send<Operation>({ method: 'POST', path, body, options })
  }

  async #buy(kind: string, body: object, options?: CreateOptions): Promise<PurchaseResult> {
    const { duplicate_check_key: _, ...read_options } = options ?? {}
    return this.#send<'buyAirtime'>({
      method: 'POST',
      path: `${SERVICES}/${kind}/request`,
      body,
      creates: 'billpayment',
      readCreated: async ({ id }) => ({ data: await this.requery({ transactionReference: id }, read_options) }),
      options,
    })
  }

  /** Send a call, and take the data out of the envelope of its answer. */
  async #send<Operation extends OperationName>(call: Call): Promise<BillData<Operation>> {
    const envelope = await this.#transport.send({ ...call, money_fields: BILL_MONEY_FIELDS })
    return (envelope as { data: BillData<Operation> }).data
  }
}
