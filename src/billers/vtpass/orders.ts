import { getMessage } from '../../lib/messages/message.ts'
import { shortAmount } from '../../lib/money.ts'
import type { ProviderVend, VendAnswer } from '../contract.ts'
import { toRequestId } from './request-id.ts'
import type { VtpassConnection } from './settings.ts'

/** Body of a purchase, or the reason why VTpass cannot sell it. */
export type OrderBody = { body: string } | { refusal: Extract<VendAnswer, { outcome: 'failed' }> }

/** The code of the catalogue for a TV subscription that goes on as it is. */
const RENEWAL = '0'
/** Services that distinguish a renewal from a change of the bouquet. */
const WITH_SUBSCRIPTION_TYPE: ReadonlySet<string> = new Set(['dstv', 'gotv'])

/** Return the body of a purchase. It is the same text each time. */
export function toOrderBody(order: ProviderVend, connection: VtpassConnection): OrderBody {
  const { kind, offer, account_number, details } = order
  const phone = order.phone || (kind === 'airtime' ? account_number : connection.settings.phone)
  if (!phone) return refuse(getMessage('vtpass.wants_phone_number'))
  if (kind === 'cabletv' && details.addon_code) return refuse(getMessage('vtpass.not_sell_add'))
  const common = { request_id: toRequestId(order), serviceID: offer.remote_service }
  const amount = Number(shortAmount(order.amount))
  const variation_code = offer.remote_product ?? undefined
  const account = { billersCode: account_number }
  switch (kind) {
    case 'airtime':
      return write({ ...common, amount, phone: account_number || phone })
    case 'databundle':
      return write({ ...common, ...account, variation_code, amount, phone })
    case 'electricity': {
      const meter = details.prepaid === false ? 'postpaid' : 'prepaid'
      return write({ ...common, ...account, variation_code: variation_code ?? meter, amount, phone })
    }
    case 'cabletv':
      return write({ ...common, ...account, ...subscription(order), amount, phone })
    case 'epin':
      return write({ ...common, variation_code, quantity: details.pins ?? 1, amount, phone })
    case 'exampin':
      return write({ ...common, variation_code, ...(account_number && account), amount, phone })
  }
}

function subscription({ offer, details }: ProviderVend) {
  const renews = details.product_code === RENEWAL
  const has_type = WITH_SUBSCRIPTION_TYPE.has(offer.remote_service)
  const quantity = details.months ?? 1
  return {
    ...(!renews && offer.remote_product !== null && { variation_code: offer.remote_product }),
    ...(has_type && { subscription_type: renews ? 'renew' : 'change' }),
    ...(has_type && !renews && quantity > 1 && { quantity }),
  }
}

function write(body: object): OrderBody {
  return { body: JSON.stringify(body) }
}

function refuse(message: string): OrderBody {
  return { refusal: { outcome: 'failed', reason: 'rejected', message } }
}
