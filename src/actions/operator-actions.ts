import { z } from 'zod'
import { action } from '../core/access/action.ts'
import { type EncryptedColumn, resealBatch } from '../core/access/sealed-values.ts'
import { acceptLostKeys, addSecretKey, secretKeyIds } from '../core/access/secret-key.ts'
import { recordArchiveRun, recordOrdersArchived, recordRequestsArchived } from '../core/archive/last-run.ts'
import { registerSegment } from '../core/archive/segments.ts'
import { advanceClock } from '../core/clock.ts'
import { ingestIncomingPayments } from '../core/collections/incoming-payments.ts'
import { recordBackup } from '../core/last-backup.ts'
import { formatTimestamp } from '../lib/time.ts'

/* Actions of the operator on the whole installation. */

const ofOperator = { permission: 'operator' } as const
const silent = { ...ofOperator, audit: () => undefined } as const
const columns = z.custom<readonly EncryptedColumn[]>()

/** Begin a rotation, so that even a killed one has its entry. */
export const rotateSecretsAction = action({
  ...ofOperator,
  name: 'rotate secrets',
  input: z.object({ values: z.int() }),
  run: async (_, { service }) => secretKeyIds(service.sealingKeys).present,
  audit: (key, { values }) => ({ details: { key, values } }),
})

/** Encrypt some values of a column anew. */
export const resealValuesAction = action({
  ...silent,
  name: 'reseal values',
  input: z.object({ column: z.custom<EncryptedColumn>(), after: z.number(), limit: z.number() }),
  run: (tx, { service }, { column, ...slice }) => resealBatch(tx, service.sealingKeys, column, slice),
})

/** Go on with the present SECRET_KEY, although what an earlier one encrypted is lost. */
export const acceptSecretKeyAction = action({
  ...ofOperator,
  name: 'accept secret key',
  input: z.object({ lost: z.string(), columns }),
  async run(tx, { real, service }, { columns }) {
    await addSecretKey(tx, real, service.sealingKeys)
    await acceptLostKeys(tx, real, service.sealingKeys, columns)
  },
  audit: (_, { lost }) => ({ details: { lost } }),
})

/**
 * Register a segment of the archive. The audit log is a chain, so its entry proves the manifest, and the manifest the
 * files.
 */
export const registerSegmentAction = action({
  ...ofOperator,
  name: 'archive',
  input: z.object({
    segment: z.custom<Parameters<typeof registerSegment>[1]>(),
    digests: z.custom<ReadonlyMap<number, string>>(),
  }),
  run: (tx, _, { segment, digests }) => registerSegment(tx, segment, digests),
  audit: (_, { segment: { sequence, kind, subjects, manifest_sha256 } }) => ({
    details: { sequence, kind, subjects, manifest_sha256 },
  }),
})

/** Record how far a run of the archive has come. A run of one kind leaves the others as old as they are. */
export const recordArchiveRunAction = action({
  ...silent,
  name: 'record archive run',
  input: z.object({
    requests_until: z.date().optional(),
    orders_until: z.number().optional(),
    is_whole: z.boolean(),
  }),
  async run(tx, { real }, { requests_until, orders_until, is_whole }) {
    if (requests_until) await recordRequestsArchived(tx, requests_until)
    if (orders_until !== undefined) await recordOrdersArchived(tx, orders_until)
    if (is_whole) await recordArchiveRun(tx, real)
  },
})

export const recordBackupAction = action({
  ...silent,
  name: 'record backup',
  input: z.object({ folder: z.string() }),
  run: (tx, { real: at }, { folder }) => recordBackup(tx, { at, folder }),
})

/** Book the money of a test. The same network id is the same money, so a callback about it changes nothing more. */
export const bookTestChargeAction = action({
  ...silent,
  name: 'book test charge',
  events: ['collection.received', 'contact.created'],
  input: z.object({ paid: z.custom<Parameters<typeof ingestIncomingPayments>[2][number]>() }),
  run: (tx, { now }, { paid }) => ingestIncomingPayments(tx, now, [paid]),
  wakes: true,
})

/** Begin to move the clock of the sandbox, which all organizations share. */
export const moveClockAction = action({
  permission: 'manage_organization',
  name: 'move clock',
  input: z.object({ to: z.date() }),
  run: async (_, { now }) => now,
  audit: (from, { to }) => ({ details: { from: formatTimestamp(from), to: formatTimestamp(to) } }),
})

/** Set the clock of the sandbox to one of the times on its way. */
export const setClockAction = action({
  ...silent,
  name: 'set clock',
  input: z.object({ to: z.date() }),
  run: (tx, { real }, { to }) => advanceClock(tx, real, to),
})
