import { z } from 'zod'
import { getMessage } from '../../lib/messages/message.ts'
import { type ActionContext, action, organizationOf } from '../access/action.ts'
import { requireSingleOrganization } from '../access/organizations.ts'
import { anyAmount, booleanField, choiceError, integer, optional, phonenumber, requiredText, text } from '../fields.ts'
import { currencyCode } from '../ledger/currencies.ts'
import { Invalid } from '../refusals.ts'
import { consentStates, getConsent, removeConsent, setConsents } from './consents.ts'
import { removeCountryRule, setCountryRule } from './country-rules.ts'
import { smsPurposes } from './message.ts'
import { queueSms, retryFailedSms, retrySms } from './outbox.ts'
import { removeSenderId, removeSmsRoute, type SmsRoute, setSenderId, setSmsRoute } from './routes.ts'
import { setSmsLimit } from './usage.ts'
import { countryCode, RouteView, RuleView, SenderView, viewRoute, viewSender } from './views.ts'

const permission = 'manage_organization'
const SETTINGS = '/settings/sms'

/** Choose the connection that carries SMS of a country and a purpose. */
export const setRouteAction = action({
  name: 'set sms route',
  permission,
  is_operators: true,
  input: z.object({
    connection: requiredText(40),
    country: optional(countryCode),
    purpose: optional(z.enum(smsPurposes)),
    sender_id: optional(requiredText(16)),
    priority: optional(integer({ min: 1, max: 1_000_000 })),
    price: optional(anyAmount),
    currency: optional(currencyCode),
    /** True if it counts for the actor's organization only. */
    own: booleanField.default(false),
  }),
  run(tx, context, { own, connection, country, purpose, sender_id, priority, price, currency }) {
    const known = context.service.smsConnections()
    if (!known.includes(connection))
      throw new Invalid({ connection: [getMessage('sms.no_such_connection', { connection, known: known.join(', ') })] })
    return setSmsRoute(tx, context.now, {
      organization: ownerOf(own, context),
      country: country ?? null,
      purpose: purpose ?? null,
      connection,
      sender_id: sender_id ?? null,
      priority: priority ?? 100,
      price: price ?? null,
      currency: currency ?? null,
    })
  },
  audit: ({ id: route, organization, connection, country }) => ({
    organization,
    details: { route, connection, country },
  }),
  wakes: true,
  console: { method: 'PUT', path: `${SETTINGS}/routes`, answer: RouteView, view: viewRoute },
  cli: {
    path: 'sms routes set',
    description: 'send messages over a connection; a second route carries what the first one does not deliver',
    typed: {
      connection: ['<connection>', 'as `connections list` shows it'],
      country: ['--country <code>', 'only to phones of this country, such as UG'],
      purpose: ['--purpose <purpose>', 'only for this purpose'],
      sender_id: ['--sender-id <text>', 'what phones show on this route'],
      priority: ['--priority <number>', 'the smallest is preferred; 100 unless given'],
      price: ['--price <amount>', 'what one part costs: of equal priorities the cheapest is preferred'],
      currency: ['--currency <code>', 'the currency of the price'],
    },
    organization: 'or_all',
    text: (route) => `Route ${route.id}: ${describe(route)}.`,
  },
})

/** Remove a route. SMS that are on their way stay there. */
export const removeRouteAction = action({
  name: 'remove sms route',
  permission,
  is_operators: true,
  input: z.object({ id: integer() }),
  run: (tx, _, { id }) => removeSmsRoute(tx, id),
  audit: ({ id: route, organization, connection, country }) => ({
    organization,
    details: { route, connection, country },
  }),
  console: { method: 'DELETE', path: `${SETTINGS}/routes/:id` },
  cli: {
    path: 'sms routes remove',
    description: 'remove a route; messages that are on their way stay on it',
    typed: { id: ['<id>', 'as `sms routes list` shows it'] },
    text: (route) => `Removed: ${describe(route)}.`,
  },
})

/**
 * Set the sender that phones show. A provider must have registered it, and one organization must not send in the name of
 * another: so the operator sets it.
 */
export const setSenderAction = action({
  name: 'set sms sender',
  permission,
  is_operators: true,
  input: z.object({
    sender_id: requiredText(16).transform((typed) => typed.trim()),
    country: optional(countryCode),
    /** True if it counts for the actor's organization only. */
    own: booleanField.default(true),
  }),
  run: (tx, context, { own, country, sender_id }) =>
    setSenderId(tx, context.now, { organization: ownerOf(own, context), country: country ?? null, sender_id }),
  audit: ({ organization, sender_id, country }) => ({
    organization,
    details: { sender_id, country, own: organization !== null },
  }),
  console: { method: 'PUT', path: `${SETTINGS}/senders`, answer: SenderView, view: viewSender },
  cli: {
    path: 'sms senders set',
    description: 'set what phones show; in most countries the provider must have registered it',
    typed: {
      sender_id: ['<sender-id>', 'up to 11 letters and digits, a number, or a short code'],
      country: ['--country <code>', 'only on phones of this country, such as UG'],
    },
    organization: 'or_all',
    text: ({ country, sender_id }) => `Phones in ${country ?? 'all countries'} show ${sender_id}.`,
  },
})

export const removeSenderAction = action({
  name: 'remove sms sender',
  permission,
  is_operators: true,
  input: z.object({ id: integer() }),
  run: (tx, _, { id }) => removeSenderId(tx, id),
  audit: ({ organization, sender_id, country }) => ({ organization, details: { sender_id, country } }),
  console: { method: 'DELETE', path: `${SETTINGS}/senders/:id` },
  cli: {
    path: 'sms senders remove',
    description: 'remove a sender id',
    typed: { id: ['<id>', 'as `sms senders list` shows it'] },
    text: ({ sender_id }) => `${sender_id} is no longer shown.`,
  },
})

/** Set an organization's monthly limit, which belongs to the operator, and the SMS that STOP ends. Missing members stay. */
export const setLimitAction = action({
  name: 'set sms limit',
  object_type: 'organization',
  permission,
  is_operators: ({ monthly_parts }) => monthly_parts !== undefined,
  input: z.object({
    /** Parts of SMS in a calendar month in UTC; null or empty for any number. */
    monthly_parts: z
      .preprocess((input) => (input === '' ? null : input), integer({ min: 0, max: 999_999_999 }).nullable())
      .optional(),
    /** True if STOP also ends the SMS that confirm payments. */
    stop_covers_receipts: booleanField.optional(),
  }),
  run(tx, context, { monthly_parts, stop_covers_receipts }) {
    if (monthly_parts === undefined && stop_covers_receipts === undefined)
      throw new Invalid({ monthly_parts: [getMessage('sms.limit')] })
    return setSmsLimit(tx, organizationOf(context), {
      ...(monthly_parts !== undefined && { monthly_parts }),
      ...(stop_covers_receipts !== undefined && { stop_covers_receipts }),
    })
  },
  audit: ({ organization, monthly_parts, stop_covers_receipts }) => ({
    object: organization,
    details: { monthly_parts, stop_covers_receipts },
  }),
  console: {
    method: 'PUT',
    path: `${SETTINGS}/limit`,
    answer: z.object({ monthly_parts: z.int().nullable(), stop_covers_receipts: z.boolean() }),
  },
  cli: {
    path: 'sms limits set',
    description: 'set what an organization may send',
    organization: 'one',
    text({ monthly_parts, stop_covers_receipts }, { organization }) {
      const parts = monthly_parts === null ? 'any number of parts' : `${monthly_parts} parts`
      const stop = stop_covers_receipts
        ? 'STOP also ends confirmations of payments'
        : 'STOP ends what is not transactional'
      return `${organization} may send ${parts} in a month. ${stop}.`
    },
  },
})

const reason = requiredText(200).transform((typed) => typed.trim())

/**
 * Enter what a customer said about SMS that are not transactional. The audit log gets the reason but no phone number,
 * because it is kept when a person is erased.
 */
export const setConsentAction = action({
  name: 'set sms consent',
  permission,
  input: z.object({
    phonenumber,
    state: z.enum(consentStates, { error: choiceError(consentStates) }).default('withdrawn'),
    reason: reason.optional(),
  }),
  async run(tx, { now, actor }, { phonenumber: phone, state }) {
    const said = {
      organization: actor.organization,
      phonenumber: phone.number,
      state,
      word: null,
      connection: null,
      by: actor.name,
      at: now,
    }
    await setConsents(tx, [said])
    return said
  },
  audit: ({ state }, input) => ({ details: { state, reason: input.reason ?? null } }),
  console: { method: 'POST', path: `${SETTINGS}/opt-outs`, requires: ['reason'] },
  cli: {
    path: 'sms opt-outs add',
    description: 'opt a customer out of such messages',
    typed: { phonenumber: ['<phone>', 'such as +256772000001'] },
    organization: 'or_all',
    by: true,
    text: ({ phonenumber, state }) =>
      `${phonenumber} ${state === 'given' ? 'wants' : 'does not want'} messages that are not transactional.`,
  },
})

/** Forget what a customer said. Consent for all organizations is not for one of them to forget. */
export const removeConsentAction = action({
  name: 'remove sms consent',
  permission,
  input: z.object({ id: integer(), reason: reason.optional() }),
  async run(tx, { actor }, { id }) {
    const found = await getConsent(tx, id, actor.organization)
    if (found.organization === null && actor.user !== null) await requireSingleOrganization(tx, actor.organization!)
    await removeConsent(tx, id)
    return found
  },
  audit: ({ id: consent, state, organization }, input) => ({
    organization,
    details: { consent, state, reason: input.reason ?? null },
  }),
  console: { method: 'POST', path: `${SETTINGS}/opt-outs/:id/remove`, requires: ['reason'] },
})

/** Longer texts take more than ten parts, which networks refuse. */
const MAX_CHARACTERS = 1_000

/** Send one message in the name of an organization. */
export const sendSmsAction = action({
  name: 'send sms',
  permission,
  input: z.object({ phonenumber, body: requiredText(MAX_CHARACTERS), transactional: z.boolean().default(false) }),
  async run(tx, context, { phonenumber: { number }, body, transactional }) {
    const organization = organizationOf(context)
    const message = { organization, purpose: 'message', phonenumber: number, body, transactional } as const
    const [id] = await queueSms(tx, context.now, [message])
    return { id: id! }
  },
  audit: ({ id: sms }, { transactional }) => ({ details: { sms, transactional } }),
  wakes: true,
  cli: {
    path: 'sms send',
    description: 'send one message in the name of an organization, such as to try a route',
    typed: {
      phonenumber: ['<phone>', 'such as +256772000001'],
      body: ['<text>', ''],
      transactional: [
        '--transactional',
        'it belongs to something that the customer has just done: STOP and quiet hours do not count',
      ],
    },
    organization: 'one',
    text: ({ id }) => `SMS ${id} is on its way. \`npx kusanya sms show ${id}\` shows its state.`,
  },
})

/** Send failed messages again: some, all or none of them, or all of a time. */
export const retrySmsAction = action({
  name: 'retry sms',
  permission,
  is_operators: true,
  input: z.object({ ids: z.array(integer()).default([]), since: z.date().optional() }),
  async run(tx, { now }, { ids, since }) {
    if (since) return { count: await retryFailedSms(tx, now, since) }
    for (const id of ids) await retrySms(tx, now, id)
    return { count: ids.length }
  },
  audit: (details) => ({ organization: null, details }),
  wakes: true,
  cli: {
    path: 'sms retry',
    description: 'send failed messages again; a message that waits for its next try is sent at once',
    typed: { ids: ['[id...]', 'as `sms list` shows them'] },
    text: ({ count }) => `${count} ${count === 1 ? 'message is' : 'messages are'} due again.`,
  },
})

/** Set the rules of a country, which count for all organizations. Missing members stay; both times empty: no quiet hours. */
export const setRuleAction = action({
  name: 'set sms rule',
  permission,
  is_operators: true,
  input: z.object({
    country: countryCode,
    time_zone: optional(requiredText(60)),
    /** `HH:MM` of the country's clock. */
    quiet_from: text(5).optional(),
    quiet_until: text(5).optional(),
    consent_required: booleanField.optional(),
  }),
  run: (tx, _, { country, time_zone, consent_required, ...hours }) =>
    setCountryRule(tx, country, {
      ...readHours(hours),
      ...(time_zone !== undefined && { time_zone }),
      ...(consent_required !== undefined && { consent_required }),
    }),
  audit: (rule) => ({ organization: null, details: { ...rule } }),
  wakes: true,
  console: {
    method: 'PUT',
    path: `${SETTINGS}/rules/:country`,
    answer: RuleView,
    view: (rule) => ({ ...rule, is_set: true }),
  },
  cli: {
    path: 'sms rules set',
    description: 'set the rules of a country for messages that are not transactional',
    typed: { country: ['<country>', 'such as NG'], time_zone: ['--time-zone <name>', 'such as Africa/Lagos'] },
    text({ country, time_zone, quiet_from, quiet_until, consent_required }) {
      const quiet = quiet_from === null ? 'no quiet hours' : `quiet from ${quiet_from} to ${quiet_until}`
      return `${country} (${time_zone}): ${quiet}, consent ${consent_required ? 'required' : 'not required'}.`
    },
  },
})

/** Restore the program's rules of a country. */
export const removeRuleAction = action({
  name: 'remove sms rule',
  permission,
  is_operators: true,
  input: z.object({ country: countryCode }),
  async run(tx, _, { country }) {
    await removeCountryRule(tx, country)
    return country
  },
  audit: (country) => ({ organization: null, details: { country } }),
  wakes: true,
  console: { method: 'DELETE', path: `${SETTINGS}/rules/:country` },
  cli: {
    path: 'sms rules remove',
    description: 'restore the default rules of a country',
    typed: { country: ['<country>', 'such as NG'] },
    text: (country) => `The default rules apply to ${country} again.`,
    view: (country) => ({ country }),
  },
})

/** Return the organization that a setting counts for; null for all. */
function ownerOf(own: boolean, { actor }: ActionContext): number | null {
  return own ? actor.organization : null
}

/** @throws Invalid where only one of the two is given */
function readHours({ quiet_from, quiet_until }: { quiet_from?: string | undefined; quiet_until?: string | undefined }) {
  if (quiet_from === undefined && quiet_until === undefined) return {}
  if (!quiet_from && !quiet_until) return { quiet_from: null, quiet_until: null }
  if (!quiet_from || !quiet_until)
    throw new Invalid({ [quiet_from ? 'quiet_until' : 'quiet_from']: [getMessage('sms.both_times')] })
  return { quiet_from, quiet_until }
}

function describe({ organization, country, purpose, connection, sender_id, priority }: SmsRoute): string {
  const what = purpose ?? 'all messages'
  const whose = organization === null ? 'all organizations' : `organization ${organization}`
  const as = sender_id === null ? '' : ` as ${sender_id}`
  return `${what} of ${whose} to ${country ?? 'all countries'} over ${connection}${as}, priority ${priority}`
}
