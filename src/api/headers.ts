import { z } from 'zod'

/** The headers of every POST of the core interface (interface section 7). */
export const writeHeaders = z.looseObject({
  'duplicate-check-key': z
    .string()
    .optional()
    .meta({ description: 'Any text. A second request with the same text is refused for 24 hours.' }),
})
