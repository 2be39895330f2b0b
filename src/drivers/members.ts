import { z } from 'zod'

/*
 * Readers for the members of a provider's answer. Deciding members (the state, ids, amounts) are read strictly. Nothing
 * else may hide them, whatever the provider writes there.
 */

/** Member that decides nothing. If missing, null or of another form, it is undefined. */
export const spare = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

/** Text that decides nothing. */
export const spareText = spare(z.string())

/** The items of a list that can be read. The others are left out, so that none of them hides the rest. */
export const readableItems = <Schema extends z.ZodType>(schema: Schema) =>
  z.array(z.unknown()).transform((items) =>
    items.flatMap((item) => {
      const read = schema.safeParse(item)
      return read.success ? [read.data] : []
    }),
  )
