import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { lookUpInTime } from '../../connections/payouts/account-holders.ts'
import { prepareNewPayment } from '../../connections/payouts/new-payment.ts'
import { prepareRefund } from '../../connections/refunds.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { collectionsById } from '../../core/collections/collections.ts'
import { requestsById } from '../../core/collections/requests.ts'
import type { NewPayment } from '../../core/payments/create.ts'
import { checkRecipientRows, type NewPaymentBody, newPaymentBody } from '../../core/payments/new-payment.ts'
import { newRefundBody } from '../../core/payments/new-refund.ts'
import { planRefund, planReturn } from '../../core/payments/refunds.ts'
import { PaymentReview } from '../../core/payments/review/payment-review.ts'
import { findUnknownHolders, reviewPayment } from '../../core/payments/review/review.ts'
import { Invalid } from '../../core/refusals.ts'
import { digestOf, type ReviewedCosts, readReview, signReview } from '../../core/spending/review-token.ts'
import { withSnapshot } from '../../db/snapshot.ts'
import { idParams } from '../../http/lists.ts'
import type { Server, SignReview } from '../../http/server.ts'
import type { Amount } from '../../lib/money.ts'

/*
 * Money leaves the console after a review only. The review is signed; the request that sends the money has it in the
 * header `kusanya-review`, and `kusanya-not-registered: confirmed` if numbers are not registered.
 */

const permission = 'initiate_payments'
const KEY_PURPOSE = 'payment reviews'

/** Review with the proof that a person has seen it. */
export const SignedReview = PaymentReview.extend({
  /** The signed review, for the request that sends the money. */
  token: z.string(),
})

/** Add the reviews of a payment, of a refund and of a return, before they are sent. */
export function addReviews(server: Server, app: App): void {
  server.post('/console/api/payment-reviews', {
    config: { permission },
    schema: { body: newPaymentBody, response: { 200: SignedReview } },
    preValidation: (request) => checkRecipientRows(request.body),
    handler: async (request) => {
      const { organization, user } = request.caller
      const planned = await prepareNewPayment(app, { organization, user }, request.body)
      return reviewPlanned(app, request, planned, digestPayment(request.body))
    },
  })

  server.post('/console/api/incoming/:id/refund-review', {
    config: { permission },
    schema: { params: idParams, body: newRefundBody, response: { 200: SignedReview } },
    handler: async (request) => {
      const { organization, user: author } = request.caller
      const { id: collection } = request.params
      const { amount } = request.body
      requireOwned(organization, (await collectionsById(app.db, [collection])).get(collection))
      const prepared = await prepareRefund(app, { collection, amount })
      const planned = await planRefund(app.db, { ...prepared, organization, collection, author, amount })
      return reviewPlanned(app, request, planned, digestRefund(collection, planned.amount))
    },
  })

  server.post('/console/api/incoming/:id/return-review', {
    config: { permission },
    schema: { params: idParams, response: { 200: SignedReview } },
    handler: async (request) => {
      const { organization, user: author } = request.caller
      const { id: collection } = request.params
      requireOwned(organization, (await collectionsById(app.db, [collection])).get(collection))
      const prepared = await prepareRefund(app, { collection })
      const planned = await planReturn(app.db, { ...prepared, organization, collection, author })
      return reviewPlanned(app, request, planned, digestReturn(collection))
    },
  })
}

/** The networks are asked for names before the reads begin: no transaction waits for them. */
async function reviewPlanned(app: App, request: FastifyRequest, planned: NewPayment, digest: string) {
  const answers = await lookUpInTime(app, await findUnknownHolders(app.db, planned))
  const review = await withSnapshot(app.db, (tx) => reviewPayment(tx, app.clock.now(), planned, answers))
  return sign(app, request, review, digest)
}

/** Sign a review for the user of a request. */
export function sign(
  app: App,
  request: FastifyRequest,
  review: PaymentReview,
  digest: string,
): z.output<typeof SignedReview> {
  const seen = { ...costsOf(review), not_registered: review.names.not_registered ?? 0 }
  return { ...review, token: signSeen(app, request, digest, seen) }
}

/** Make the signer of the reviews of purchases. */
export function createPurchaseReviewSigner(app: App): SignReview {
  return (request, { amount, fee }) =>
    signSeen(app, request, digestPurchase(request.body), { amount, fee, not_registered: 0 })
}

function signSeen(app: App, request: FastifyRequest, digest: string, seen: Parameters<typeof signReview>[3]): string {
  const { organization, user } = request.caller
  return signReview(app.deriveSecret(KEY_PURPOSE), app.clock.real(), { organization, user, digest }, seen)
}

function costsOf({ sums }: PaymentReview): ReviewedCosts {
  const sum = (key: 'amount' | 'fee') => sums.reduce((total, one) => total + one[key], 0n)
  return { amount: sum('amount'), fee: sum('fee') }
}

/** Return the costs in the review that a request has in its headers, or why it may not send what has this digest. */
function readReviewOf(app: App, request: FastifyRequest, digest: string): ReviewedCosts | Invalid {
  const { organization, user } = request.caller
  const { 'kusanya-review': token, 'kusanya-not-registered': confirmed } = request.headers
  return readReview(
    app.deriveSecret(KEY_PURPOSE),
    app.clock.real(),
    { organization, user, digest },
    { token: typeof token === 'string' ? token : '', confirms_not_registered: confirmed === 'confirmed' },
  )
}

/** Return why a request may not send what has this digest, by the review that it has in its headers. */
export function errorOfReview(app: App, request: FastifyRequest, digest: string): Invalid | undefined {
  const read = readReviewOf(app, request, digest)
  return read instanceof Invalid ? read : undefined
}

/** Require that a request has the review of what it sends, and note its costs in `request.reviewed`. @throws Invalid */
export function requireReview(app: App, request: FastifyRequest, digest: string): void {
  const read = readReviewOf(app, request, digest)
  if (read instanceof Invalid) throw read
  request.reviewed = read
}

/**
 * Require reviews at the routes of the interface that send money, which the console has too. API keys need none: their
 * requests do not come through the console.
 */
export function requireReviews(server: Server, app: App): void {
  server.addHook('preHandler', async (request) => {
    const { url } = request.routeOptions
    if (request.method !== 'POST') return
    if (url === '/console/api/payments') requireReview(app, request, digestPayment(request.body as NewPaymentBody))
    if (url === '/console/api/purchases') requireReview(app, request, digestPurchase(request.body))
    if (url !== '/console/api/collectionrequests/:id/refund') return
    const { id } = request.params as z.output<typeof idParams>
    const collection = (await requestsById(app.db, [id])).get(id)?.collection ?? null
    requireReview(app, request, digestRefund(collection, (request.body as { amount?: Amount }).amount))
  })
}

function digestPayment(body: NewPaymentBody): string {
  return digestOf(['payment', body])
}

function digestPurchase(body: unknown): string {
  return digestOf(['purchase', body])
}

/** Digest of a refund. The amount of a review is never missing, so a refund without one has no review. */
export function digestRefund(collection: number | null, amount: Amount | undefined): string {
  return digestOf(['refund', collection, amount ?? null])
}

/** Digest of a return: the service decides its amount. */
export function digestReturn(collection: number): string {
  return digestOf(['return', collection])
}
