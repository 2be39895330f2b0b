import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { type ActionContext, action } from '../access/action.ts'
import type { LinkRow } from '../checkout/payment-link.ts'
import { findVisit, type NewVisit, startVisit } from '../checkout/visits.ts'
import { findInvoiceOfLink } from './invoices.ts'
import { checkPayLink, joinLinkRequests, openPayLink } from './pay-links.ts'
import { lockSettled } from './states.ts'

/* Actions of customers, who know the code of a page. */

const ofCustomer = { permission: 'anyone', audit: () => undefined } as const
const optionsOf = ({ now, service }: ActionContext) => ({ now, base_url: service.base_url })

/** Send the prompt of the form of a payment link. The same form sends one prompt. */
export const startVisitAction = action({
  ...ofCustomer,
  name: 'start visit',
  input: z.object({ link: z.custom<LinkRow>(), visit: z.custom<NewVisit>() }),
  async run(tx, context, { link, visit }) {
    const invoice = await findInvoiceOfLink(tx, link.id)
    return invoice ? payInvoice(tx, context, invoice.id, link, visit) : startVisit(tx, context.now, visit)
  },
  wakes: true,
})

/**
 * Start a visit of the link of an invoice, and join its request to the invoice. The invoice is locked first, so a
 * prompt of a reminder, a void and a form never pass each other.
 */
async function payInvoice(tx: Tx, context: ActionContext, id: number, link: LinkRow, visit: NewVisit) {
  const { now } = context
  const may = await checkPayLink(tx, await lockSettled(tx, id, optionsOf(context)), link)
  if (may === 'ok') {
    const result = await startVisit(tx, now, visit)
    if (result === 'started') await joinLinkRequests(tx, now, id, link.id)
    return result
  }
  // The same form may have made that prompt.
  return (await findVisit(tx, link.id, visit.token)) ? ('repeated' as const) : { refused: may }
}

const ofInvoice = { ...ofCustomer, input: z.object({ id: z.int() }) }

/** Open the payment link for what is open on an invoice. */
export const openPayLinkAction = action({
  ...ofInvoice,
  name: 'open link of invoice',
  run: async (tx, context, { id }) => openPayLink(tx, context.now, await lockSettled(tx, id, optionsOf(context))),
})

/** Count the money of an invoice that has arrived by now. */
export const settleInvoiceAction = action({
  ...ofInvoice,
  name: 'settle invoice',
  run: (tx, context, { id }) => lockSettled(tx, id, optionsOf(context)),
})
