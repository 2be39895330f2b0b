/** Return true if an Accept header (RFC 9110, section 12.5.1) names a media type and prefers it to JSON. */
export function prefersToJson(accept: string | undefined, media_type: string): boolean {
  const header = accept ?? ''
  return weightOf(header, media_type) > Math.max(weightOf(header, 'application/json'), weightOf(header, '*/*'))
}

/** The weight (`q`) of a media type in an Accept header: 0 to 1; 0 when the header does not name it. */
function weightOf(accept: string, media_type: string): number {
  for (const range of accept.split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (type !== media_type) continue
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2)
    return weight === undefined ? 1 : Number(weight) || 0
  }
  return 0
}
