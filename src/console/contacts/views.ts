import { z } from 'zod'
import { ContactLookup } from '../../core/contacts/lookups.ts'
import { ContactTotals } from '../../core/contacts/totals.ts'

/** Facts on the page of a contact beside its details. */
export const ContactOverview = z.object({
  /** The number as people of its country write it; null for an erased contact. */
  local_number: z.string().nullable(),
  lookup: ContactLookup,
  totals: z.array(ContactTotals),
})
