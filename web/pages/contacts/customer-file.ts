import type { ContactDetails } from '../../wire.ts'

/** Payers as people write them, such as `Grace Nakato +256772000001`. */
export function payerTexts({ payers }: Pick<ContactDetails, 'payers'>): string[] {
  return payers.map(({ name, phone_number }) => `${name} ${phone_number}`.trim())
}

/** A contact as a row of a file, with columns that the import of contacts reads. */
export function contactFileRow({ tags, payers, ...row }: ContactDetails): Record<string, unknown> {
  return { ...row, tags: tags.join(', '), payers: payerTexts({ payers }).join('; ') }
}
