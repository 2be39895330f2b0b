import type { openBrowser } from './browser.ts'

type Browser = ReturnType<typeof openBrowser>

/**
 * Send money as the console's pages do: ask for the review, accept it with all that it warns of, and send what was
 * reviewed. A refused review is the answer.
 */
export async function sendReviewed(person: Browser, path: string, body: object = {}, headers = {}) {
  const review = await person.post(reviewOf(path), body)
  if (review.status !== 200) return review
  return person.send('POST', path, reviewedBody(path, body, review.body), { ...acceptedBy(review.body), ...headers })
}

/** The route of the review for a route that sends money. */
export function reviewOf(path: string): string {
  if (path === '/payments') return '/payment-reviews'
  return path.endsWith('/start') ? path.replace(/start$/, 'review') : `${path}-review`
}

/** The body after a review: a refund names the amount that was reviewed. */
function reviewedBody(path: string, body: object, review: { sums: { amount: string }[] }): object {
  return path.endsWith('/refund') ? { ...body, amount: review.sums[0]!.amount } : body
}

/** The headers of a request that sends what was reviewed. */
export function acceptedBy({ token }: { token: string }): Record<string, string> {
  return { 'kusanya-review': token, 'kusanya-not-registered': 'confirmed' }
}
