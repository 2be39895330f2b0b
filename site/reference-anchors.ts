/** Return true for an anchor of the API reference, such as `#tag/collection-requests/POST/api/collectionrequests`. */
export function isReferenceAnchor(anchor: string): boolean {
  return /^#(tag|model|models|webhook|webhooks|description|api-1)(\/|$)/.test(anchor)
}
