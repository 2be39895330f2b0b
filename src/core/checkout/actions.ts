import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import {
  type ActionContext,
  type ActionEntry,
  action,
  authorOf,
  makerOf,
  organizationOf,
  requireOwn,
} from '../access/action.ts'
import { integer, requiredText } from '../fields.ts'
import { currencyCountries } from '../ledger/currencies.ts'
import { readColor } from './colors.ts'
import { readLogoUpload } from './logos.ts'
import { linkChanges, newPaymentLinkBody, toNewPaymentLink } from './new-link.ts'
import { PaymentLink, withUrl } from './payment-link.ts'
import { changePaymentLink, createNumberedLink, findPaymentLink } from './payment-links.ts'
import {
  ensureSecret,
  PAGE_KEY_PURPOSE,
  PageDesign,
  readPageDesign,
  readResultSecret,
  rotateResultSecret,
  setPageDesign,
} from './payment-pages.ts'

const resource = { tag: 'Payment links', answer: PaymentLink } as const
const ofLink = { object_type: 'paymentlink', permission: 'initiate_collections' } as const

export const createPaymentLinkAction = action({
  ...ofLink,
  name: 'create payment link',
  input: newPaymentLinkBody(Object.keys(currencyCountries)),
  async run(tx, context, body) {
    const organization = organizationOf(context)
    const { now } = context
    const author = { organization, user: await makerOf(tx, context, organization) }
    const link = await createNumberedLink(tx, now, author, toNewPaymentLink(body, now))
    await ensureSecret(tx, now, organization, pageKeys(context))
    return withUrl(link, context.service.base_url)
  },
  audit: linkEntry,
  creates: { type: 'paymentlink', id: ({ id }) => id },
  api: {
    ...resource,
    method: 'POST',
    path: '/paymentlinks',
    operation: 'createPaymentLink',
    summary: 'Create a payment link',
    description:
      'Creates a page on which customers type their phone number and pay. The amount is fixed, chosen from a list, or typed by the customer.',
    body: newPaymentLinkBody,
    status: 201,
  },
})

/** Change, close or open a link. Missing members stay. */
export const changePaymentLinkAction = action({
  ...ofLink,
  name: 'change payment link',
  input: linkChanges.extend({ id: integer() }),
  run: (tx, context, { id, ...changes }) => changeLink(tx, context, id, changes),
  audit: linkEntry,
  api: {
    ...resource,
    method: 'PATCH',
    path: '/paymentlinks/:id',
    operation: 'changePaymentLink',
    summary: 'Change, close or open a payment link',
    description: 'Changes the fields that the body has. `state` closes the link, or opens it again.',
    body: linkChanges,
  },
})

/** Close a link: it takes no payments. Prompts that are on phones may still be approved. */
export const closePaymentLinkAction = action({
  ...ofLink,
  name: 'close payment link',
  input: z.object({ id: integer() }),
  run: (tx, context, { id }) => changeLink(tx, context, id, { state: 'closed' }),
  audit: linkEntry,
  cli: {
    path: 'links close',
    description: 'close a payment link; prompts that are on phones now may still be approved',
    typed: { id: ['<id>', 'as `links list` shows it'] },
    text: ({ id, state }) => `Payment link ${id} is ${state}: it takes no payments.`,
  },
})

async function changeLink(tx: Tx, context: ActionContext, id: number, changes: z.output<typeof linkChanges>) {
  const { now } = context
  const found = await findPaymentLink(tx, now, id)
  const link = requireOwn(context, found, getMessage('matching.no_link', { link: id }))
  const changed = await changePaymentLink(tx, now, link, authorOf(context), changes)
  await ensureSecret(tx, now, link.organization, pageKeys(context))
  return withUrl(changed, context.service.base_url)
}

/** The return address is in the entry, because customers follow it after they have paid. */
function linkEntry({ id, organization, title, state, return_url }: PaymentLink): ActionEntry {
  const details = { title, state, return_host: return_url === null ? null : new URL(return_url).host }
  return { object: id, organization, details }
}

/** Change the color and the logo of the pages. `logo`: an image as a data URL; null takes it away, without one it stays. */
export const setPageDesignAction = action({
  name: 'change look of payment links',
  permission: 'manage_organization',
  input: z.object({ color: requiredText(20), logo: z.string().max(100_000).nullable().optional() }),
  async run(tx, context, { color: given, logo: upload }) {
    const organization = organizationOf(context)
    const color = readColor(given)
    const logo = upload === undefined ? undefined : upload ? readLogoUpload(upload) : null
    await setPageDesign(tx, context.now, organization, { color, logo }, pageKeys(context))
    const what = logo === undefined ? 'kept' : logo === null ? 'removed' : logo.type
    return { details: { color, logo: what }, design: await readPageDesign(tx, organization) }
  },
  audit: ({ details }) => ({ details }),
  console: { method: 'PUT', path: '/payment-links/look', answer: PageDesign, view: ({ design }) => design },
})

const ofSecret = { permission: 'manage_organization', input: z.object({}), audit: () => ({}) } as const
const Secret = z.object({ secret: z.string() })

/** Show the secret that signs the results on the way back to the shop. Each look is recorded. */
export const showResultSecretAction = action({
  ...ofSecret,
  name: 'show secret of payment links',
  async run(tx, context) {
    await ensureSecret(tx, context.now, organizationOf(context), pageKeys(context))
    return { secret: await readSecret(tx, context) }
  },
  console: { method: 'POST', path: '/payment-links/secret', answer: Secret },
})

export const rotateResultSecretAction = action({
  ...ofSecret,
  name: 'rotate secret of payment links',
  async run(tx, context) {
    await rotateResultSecret(tx, context.now, organizationOf(context), pageKeys(context))
    return { secret: await readSecret(tx, context) }
  },
  console: { method: 'POST', path: '/payment-links/secret/rotate', answer: Secret },
})

function pageKeys({ service }: ActionContext) {
  return service.sealingKeys(PAGE_KEY_PURPOSE)
}

async function readSecret(tx: Tx, context: ActionContext): Promise<string> {
  return (await readResultSecret(tx, organizationOf(context), pageKeys(context)))!
}
