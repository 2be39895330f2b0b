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
import { removeSenderId, removeSmsRoute, setSenderId, setSmsRoute } from './routes.ts'
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
})

export const removeSenderAction = action({
  name: 'remove sms sender',
  permission,
  is_operators: true,
  input: z.object({ id: integer() }),
  run: (tx, _, { id }) => removeSenderId(tx, id),
  audit: ({ organization, sender_id, country }) => ({ organization, details: { sender_id, country } }),
  console: { method: 'DELETE', path: `${SETTINGS}/senders/:id` },
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
