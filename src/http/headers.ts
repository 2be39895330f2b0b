import { z } from 'zod'

/** The headers of every POST of the core interface (interface section 7). */
export const writeHeaders = headersWith('Any text. A second request with the same text is refused for 24 hours.')

/** The headers of a POST that makes a batch. */
export const batchHeaders = headersWith(
  'Any text. For 24 hours the same request with the same text continues the batch; another is refused.',
)

function headersWith(description: string) {
  return z.looseObject({ 'duplicate-check-key': z.string().optional().meta({ description }) })
}
