import type { SignedReview } from '../../wire.ts'

/** Review that a person has accepted, with the headers of the request that sends the money. */
export interface AcceptedReview {
  review: SignedReview
  headers: Record<string, string>
}

/** @param confirmed true if the person sends to numbers that are not registered */
export function acceptReview(review: SignedReview, confirmed: boolean): AcceptedReview {
  return {
    review,
    headers: { 'kusanya-review': review.token, ...(confirmed && { 'kusanya-not-registered': 'confirmed' }) },
  }
}
