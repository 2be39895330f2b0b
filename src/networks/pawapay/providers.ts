import { z } from 'zod'
import { readableItems, spare, spareText as text } from '../../drivers/members.ts'
import type { Limits, UnknownOutcome } from '../../lib/adapter-types.ts'
import { countDecimals, parseAmount } from '../../lib/money.ts'
import type { DriverTools, LimitedOrder, OrderKind, StatedLimits } from '../contract.ts'
import { type Client, type Failure, noVerdict, type Reply, unknown } from './client.ts'
import { countryCode } from './places.ts'

/** The words of pawaPay for our kinds of orders. */
export const operationTypes: Readonly<Record<OrderKind, string>> = {
  charge: 'DEPOSIT',
  payout: 'PAYOUT',
  refund: 'REFUND',
}

/** The network that carries a phone number. */
export interface Provider {
  outcome: 'found'
  /** pawaPay's code, such as `MTN_MOMO_UGA`. */
  provider: string
  /** Three letters, ISO 3166-1. */
  country: string
  /** The number as pawaPay takes it: digits without a plus sign. */
  phone_number: string
}

/** Availability of a provider. DELAYED: it is down, and pawaPay keeps payouts for it. */
type ProviderStatus = 'OPERATIONAL' | 'DELAYED' | 'CLOSED'

/** pawaPay's data about its providers, cached for a while. */
export interface Providers {
  /** Find the provider of a phone number (E.164). `failed`: none carries it. */
  predict(
    client: Client,
    phonenumber: string,
  ): Promise<Provider | { outcome: 'failed'; failure: Failure } | UnknownOutcome>
  /** Return the provider's availability for orders of this kind; undefined if pawaPay does not state it. */
  status(client: Client, provider: Provider, kind: OrderKind): Promise<ProviderStatus | undefined>
}

/** Numbers are ported, but rarely. */
const PREDICTION_MS = 60 * 60_000
/** Lifetime of an answer, and pause after a failed query. */
const AVAILABILITY_MS = 30_000
/** More phones than this are not remembered. */
const MAX_KEPT = 10_000

export function openProviders(tools: Pick<DriverTools, 'now'>): Providers {
  const now_ms = () => tools.now().getTime()
  const predictions = new Map<string, { found: Provider; at_ms: number }>()
  let availability: { known: Promise<Availability | undefined>; at_ms: number } | undefined

  return {
    async predict(client, phonenumber) {
      const kept = predictions.get(phonenumber)
      if (kept && isFresh(kept.at_ms, now_ms(), PREDICTION_MS)) return kept.found
      const found = await predict(client, phonenumber)
      if (found.outcome !== 'found') return found
      if (predictions.size >= MAX_KEPT) predictions.clear()
      predictions.set(phonenumber, { found, at_ms: now_ms() })
      return found
    },
    async status(client, { country, provider }, kind) {
      // A single query serves all callers, even without an answer: pawaPay itself refuses orders that it cannot carry.
      if (!availability || !isFresh(availability.at_ms, now_ms(), AVAILABILITY_MS))
        availability = { known: askAvailability(client), at_ms: now_ms() }
      const known = await availability.known
      const entry = known?.find((one) => one.country === country)?.providers.find((one) => one.provider === provider)
      return entry?.operationTypes.find(({ operationType }) => operationType === operationTypes[kind])?.status
    },
  }
}

/** Return true if an entry is fresh. A clock that was set back must not keep it forever. */
function isFresh(at_ms: number, now_ms: number, valid_ms: number): boolean {
  return now_ms >= at_ms && now_ms - at_ms < valid_ms
}

const Prediction = z.object({
  country: z.string().regex(/^[A-Z]{3}$/),
  provider: z.string().regex(/^[A-Z0-9_]{3,60}$/),
  phoneNumber: z.string().regex(/^[1-9]\d{6,14}$/),
})

async function predict(client: Client, phonenumber: string): ReturnType<Providers['predict']> {
  const body = JSON.stringify({ phoneNumber: phonenumber })
  const reply = await client.call({ verb: 'provider', method: 'POST', path: '/v2/predict-provider', body })
  if (reply.outcome === 'unknown') return reply
  if (reply.status === 400 && reply.failure?.code === 'INVALID_PHONE_NUMBER')
    return { outcome: 'failed', failure: reply.failure }
  const found = reply.status === 200 ? Prediction.safeParse(reply.body).data : undefined
  if (!found) return noVerdict(reply)
  // pawaPay cleans the number, and must not change it.
  if (found.phoneNumber !== phonenumber.replace(/^\+/, '')) return unknown('pawaPay answered about another phone.')
  return { outcome: 'found', provider: found.provider, country: found.country, phone_number: found.phoneNumber }
}

const status = spare(z.enum(['OPERATIONAL', 'DELAYED', 'CLOSED']))
const Availabilities = readableItems(
  z.object({
    country: z.string(),
    providers: readableItems(
      z.object({ provider: z.string(), operationTypes: listed(z.object({ operationType: z.string(), status })) }),
    ),
  }),
)
type Availability = z.output<typeof Availabilities>

/** The availability of all providers; undefined without an answer. */
async function askAvailability(client: Client): Promise<Availability | undefined> {
  const reply = await client.call({ verb: 'availability', method: 'GET', path: '/v2/availability' })
  return reply.outcome === 'answered' && reply.status === 200 ? Availabilities.safeParse(reply.body).data : undefined
}

/**
 * A list of operation types, or an object of them by their names: pawaPay documents both. In one of its examples the entries of the
 * list are such objects again.
 */
function listed<Entry extends z.ZodType>(entry: Entry) {
  return z.preprocess((value) => {
    const parts = Array.isArray(value) ? value : [value]
    return parts.flatMap((part) => {
      if (typeof part !== 'object' || part === null) return []
      if ('operationType' in part) return [part]
      return Object.entries(part).map(([operationType, rest]) =>
        typeof rest === 'object' && rest !== null ? { operationType, ...rest } : { operationType, status: rest },
      )
    })
  }, readableItems(entry))
}

const Operation = z
  .object({
    operationType: z.string(),
    minAmount: text,
    maxAmount: text,
    minTransactionLimit: text,
    maxTransactionLimit: text,
    decimalsInAmount: text,
    authType: text,
    callbackUrl: text,
    status,
  })
  .transform(({ minTransactionLimit, maxTransactionLimit, minAmount, maxAmount, ...rest }) => ({
    ...rest,
    min: minAmount ?? minTransactionLimit,
    max: maxAmount ?? maxTransactionLimit,
  }))

const Configuration = z.object({
  companyName: text,
  signatureConfiguration: spare(
    z.object({ signedRequestsOnly: spare(z.boolean()), signedCallbacks: spare(z.boolean()) }),
  ),
  countries: readableItems(
    z.object({
      country: z.string(),
      providers: readableItems(
        z.object({
          provider: z.string(),
          currencies: readableItems(z.object({ currency: z.string(), operationTypes: listed(Operation) })),
        }),
      ),
    }),
  ),
})

/** Setup of our account: countries, providers, currencies and operations. */
export type ActiveConfiguration = z.output<typeof Configuration>

/** Operation of the configuration, with its place. */
export type ConfiguredOperation = z.output<typeof Operation> & { country: string; provider: string; currency: string }

/** Fetch the configuration of our account. `query` limits it, as `?country=UGA`. */
export async function askConfiguration(
  client: Client,
  query = '',
): Promise<ActiveConfiguration | Reply | UnknownOutcome> {
  const reply = await client.call({ verb: 'configuration', method: 'GET', path: `/v2/active-conf${query}` })
  if (reply.outcome === 'unknown' || reply.status !== 200) return reply
  return Configuration.safeParse(reply.body).data ?? noVerdict(reply)
}

/** List all operations of a configuration. */
export function operationsOf({ countries }: ActiveConfiguration): ConfiguredOperation[] {
  return countries.flatMap(({ country, providers }) =>
    providers.flatMap(({ provider, currencies }) =>
      currencies.flatMap(({ currency, operationTypes: operations }) =>
        operations.map((operation) => ({ ...operation, country, provider, currency })),
      ),
    ),
  )
}

/**
 * The limits that a provider has today for one kind of orders. Undefined if pawaPay does not state them, or the phone belongs to
 * another country.
 */
export async function statedLimits(
  client: Client,
  providers: Providers,
  order: LimitedOrder,
): Promise<StatedLimits | undefined> {
  const found = await providers.predict(client, order.phonenumber)
  if (found.outcome !== 'found' || countryCode(found.country) !== order.country) return undefined
  const type = operationTypes[order.kind]
  const configuration = await askConfiguration(client, `?country=${found.country}&operationType=${type}`)
  if (!('countries' in configuration)) return undefined
  const own = operationsOf(configuration).find(
    ({ operationType, provider, currency }) =>
      operationType === type && provider === found.provider && currency === order.currency,
  )
  const limits = own && readLimits(own)
  return limits && { ...limits, ...(isDown(own.status) && { is_down: true }) }
}

/** Return true if pawaPay says that a provider is down. */
export function isDown(state: ProviderStatus | undefined): boolean {
  return state === 'DELAYED' || state === 'CLOSED'
}

function readLimits({ min, max, decimalsInAmount }: ConfiguredOperation): Limits | undefined {
  const [smallest, largest] = [min, max].map((amount) =>
    amount === undefined ? undefined : parseAmount(amount.trim()),
  )
  if (smallest === undefined || largest === undefined || smallest < 0n || largest < smallest) return undefined
  const decimals = decimalsInAmount === 'NONE' ? 0 : 2
  const step = 10n ** BigInt(4 - decimals)
  return { decimals, min: smallest > 0n && countDecimals(smallest) <= decimals ? smallest : step, max: largest }
}
