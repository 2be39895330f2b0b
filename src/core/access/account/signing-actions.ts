import { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { integer } from '../../fields.ts'
import { type ActionEntry, action } from '../action.ts'
import { findKey } from '../api-keys.ts'
import {
  createSigningUser,
  revokeSigningUser,
  rotateSigningSecret,
  SIGNING_KEY_PURPOSE,
  type SigningUser,
} from '../signing-users.ts'

/* Names that sign requests for an API key. The organization of the key sees in its audit log what the operator does. */

const ofKey = { object_type: 'key', permission: 'operator' } as const
const USERNAME = ['<username>', 'the part before the colon in the Authorization header'] as const

export const createSigningUserAction = action({
  ...ofKey,
  name: 'create signing user',
  input: z.object({ username: z.string(), key: integer({ min: 1 }), secret: z.string().optional() }),
  async run(tx, { now, service }, { username, key: api_key, secret }) {
    const input = { username, api_key, ...(secret !== undefined && { secret }) }
    const made = await createSigningUser(tx, now, input, service.sealingKeys(SIGNING_KEY_PURPOSE))
    return withOwner(tx, { ...made, is_own: secret !== undefined })
  },
  audit: (made) => entryOf(made),
  cli: {
    path: 'bills users create',
    description: 'create a name and a secret that sign for an API key; the secret is shown once',
    typed: { username: USERNAME, key: ['--key <id>', 'the API key that it signs for, as `keys list` shows it'] },
  },
})

export const rotateSigningSecretAction = action({
  ...ofKey,
  name: 'rotate signing secret',
  input: z.object({ username: z.string(), secret: z.string().optional() }),
  async run(tx, { service }, { username, secret }) {
    const made = await rotateSigningSecret(tx, username, secret, service.sealingKeys(SIGNING_KEY_PURPOSE))
    return withOwner(tx, { ...made, is_own: secret !== undefined })
  },
  audit: (made) => entryOf(made),
  cli: {
    path: 'bills users rotate',
    description: 'give a name a new secret; the old secret stops working at once',
    typed: { username: ['<username>', ''] },
  },
})

/** Revoke a name permanently. Its API key stays valid. */
export const revokeSigningUserAction = action({
  ...ofKey,
  name: 'revoke signing user',
  input: z.object({ username: z.string() }),
  run: async (tx, { now }, { username }) => withOwner(tx, { row: await revokeSigningUser(tx, now, username) }),
  audit: (made) => entryOf(made),
  cli: {
    path: 'bills users revoke',
    description: 'revoke a name permanently; its API key stays valid',
    typed: { username: ['<username>', ''] },
    text: ({ row }) => `Revoked ${row.username}, which signed for key ${row.api_key}.`,
    view: ({ row }) => row,
  },
})

async function withOwner<Made extends { row: SigningUser }>(db: Reader, made: Made) {
  return { ...made, organization: (await findKey(db, made.row.api_key))?.organization ?? null }
}

function entryOf({ row, organization }: { row: SigningUser; organization: number | null }): ActionEntry {
  return { object: row.api_key, organization, details: { username: row.username } }
}
