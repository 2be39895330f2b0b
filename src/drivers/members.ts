import { z } from 'zod'

/*
 * How the members of a provider's answer are read. What decides (the state, ids, amounts) is read strictly; anything else must not
 * hide it, whatever the provider writes there.
 */

/** A member that decides nothing. One that is missing, null or of another form is undefined. */
export const spare = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

/** A text that decides nothing. */
export const spareText = spare(z.string())

/** The items of a list that can be read. The others are left out, so that none of them hides the rest. */
export const readableItems = <Schema extends z.ZodType>(schema: Schema) =>
  z.array(z.unknown()).transform((items) =>
    items.flatMap((item) => {
      const read = schema.safeParse(item)
      return read.success ? [read.data] : []
    }),
  )
