import type { ActionEntry } from '../action.ts'
import type { ApiKey } from '../api-keys.ts'

/** Return the entry about a key that ends with its user. */
export function entryOfKey({ id: object, organization, name }: ApiKey): ActionEntry {
  return { action: 'revoke key', object_type: 'key', object, organization, details: { name } }
}
