import type { App } from '../../../app.ts'
import { checkServiceRole } from '../../../db/roles/service-role.ts'
import { consistencyChecks, runConsistencyCheck } from '../../../jobs/check-consistency.ts'
import { checkCertificates } from './certificates.ts'
import { type Check, error, type Finding, warning } from './check.ts'
import { checkClock } from './clock.ts'
import { checkConnections, checkFloats, checkSecrets } from './connections.ts'
import { checkDatabaseSettings, checkMigrations } from './database.ts'
import { checkBackups, checkDisks } from './disk.ts'
import { checkReplication } from './replication.ts'
import { checkRetention } from './retention.ts'
import { checkSettings } from './settings.ts'
import type { CheckName } from './texts.ts'
import { checkJobs, checkSending, checkWebhooks } from './work.ts'

/** Reading a table of the installation takes milliseconds. */
const SHORT_S = 20
/** The hosts are asked at the same time, five seconds each. */
const HOSTS_S = 180
/** The checks of the data read all of it. */
const DATA_S = 4 * 3_600

const check = (name: CheckName, title: string, run: (app: App) => Promise<Finding[]>, limit_s = SHORT_S): Check => ({
  name,
  title,
  limit_s,
  run,
})

const HOLD =
  'Run `npx kusanya sending hold`, make a backup, and report the finding. Release sending when it is understood.'
/** Advice for findings that contain none. */
const DATA_ADVICE: Record<string, string> = {
  'the books': HOLD,
  'money on hold': HOLD,
  'paid requests':
    'See `npx kusanya requests show` with its number, and return the money (`collections return`) or settle it with the customer.',
  'paid orders': HOLD,
  'counts of requests': 'Report the finding. Counts are for lists only: no money depends on them.',
  'the audit log':
    'Compare with the heads in the log (`audit_head_noted`), and find out who can write to the database.',
}

/** Check in their order: the installation, then the data. */
export const allChecks: readonly Check[] = [
  check('settings', 'the settings', async ({ config }) => checkSettings(config)),
  check('migrations', 'the migrations', checkMigrations),
  check('database', 'the database', checkDatabaseSettings),
  check('role', 'the role of the service', async ({ db }) => (await checkServiceRole(db)).map((text) => warning(text))),
  check('clock', 'the clocks', checkClock),
  check('disk', 'the disk', checkDisks),
  check('backups', 'the backups', checkBackups),
  check('replication', 'the replication', checkReplication),
  check('secrets', 'stored secrets', checkSecrets),
  check('certificates', 'the certificates', checkCertificates, HOSTS_S),
  check('connections', 'the connections', checkConnections),
  check('floats', 'floats', checkFloats),
  check('sending', 'sending', checkSending),
  check('jobs', 'the jobs', checkJobs),
  check('webhooks', 'the webhooks', checkWebhooks),
  check('retention', 'the retention', checkRetention),
  ...consistencyChecks.map((title) =>
    check(
      'data',
      title,
      async ({ db }) => (await runConsistencyCheck(db, title)).map((text) => error(text, DATA_ADVICE[title])),
      DATA_S,
    ),
  ),
]

/** The names for `--only`. */
export const checkNames: readonly CheckName[] = [...new Set(allChecks.map(({ name }) => name))]
