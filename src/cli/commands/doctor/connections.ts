import type { App } from '../../../app.ts'
import { countSealed } from '../../../core/access/sealed-values.ts'
import { findUnreadable } from '../../../core/access/secret-key.ts'
import { readConnectionHealth } from '../../../core/connections/connection-health.ts'
import { hasPassed, listConnections, readStoredConnections } from '../../../core/connections/connections.ts'
import { describeFloat, listFloatNotices } from '../../../core/ledger/balances.ts'
import { encryptedColumns } from '../../service/secret-key.ts'
import { error, type Finding, warning } from './check.ts'

type Parts = Pick<App, 'db' | 'clock' | 'config' | 'providers' | 'sealingKeys'>

/** Connections that cannot be opened, do not answer, have alarms, or were never tested. */
export async function checkConnections(app: Parts): Promise<Finding[]> {
  const { db, clock, config, providers } = app
  const health = await readConnectionHealth(db, clock.real())
  const rows = new Map((await listConnections(db)).map((row) => [row.slug, row]))
  const found: Finding[] = []
  for (const { slug, state, problem } of await readStoredConnections(db, app.sealingKeys)) {
    if (state !== 'active' && state !== 'paused') continue
    if (problem !== undefined)
      found.push(
        error(
          `${slug} has no readable secrets. ${problem}`,
          `Run \`npx kusanya connections rotate ${slug}\` with its credentials.`,
        ),
      )
    else if (!providers.find(slug))
      found.push(
        error(
          `${slug} cannot be opened: this version has no driver for it, or its settings are not valid. It gets no orders.`,
          `See \`npx kusanya connections show ${slug}\`, and correct its settings with \`connections set\`.`,
        ),
      )
    else if (config.MODE === 'live' && state === 'active' && !hasPassed(rows.get(slug)!))
      found.push(warning(`${slug} has not passed its tests.`, `Run \`npx kusanya connections test ${slug}\`.`))
  }
  for (const { connection, state, degraded_since, alarms } of health.values()) {
    if (state === 'degraded')
      found.push(
        error(
          `The network of ${connection} has not answered most calls since ${degraded_since!.toISOString()}.`,
          `Ask the network. The service goes on by itself; \`npx kusanya connections pause ${connection}\` gives its numbers to another connection.`,
        ),
      )
    for (const { message, last } of alarms)
      found.push(
        error(
          `${connection}: ${message} (last at ${last.toISOString()})`,
          `Repair it, and check it with \`npx kusanya connections test ${connection}\`.`,
        ),
      )
  }
  return found
}

/** Balances at networks that differ from the books, or are low. */
export async function checkFloats({ db }: Pick<App, 'db'>): Promise<Finding[]> {
  const what_to_do = 'See `npx kusanya connections balances`.'
  return (await listFloatNotices(db)).flatMap(describeFloat).map((text) => warning(text, what_to_do))
}

/** Stored secrets that cannot be read, and those that will not be once SECRET_KEY_PREVIOUS is gone. */
export async function checkSecrets({ db, sealingKeys }: Pick<App, 'db' | 'sealingKeys'>): Promise<Finding[]> {
  const unreadable = await findUnreadable(db, sealingKeys, encryptedColumns)
  const counts = await countSealed(db, sealingKeys, encryptedColumns)
  const earlier = counts.filter(({ key }) => key === 'previous').map(({ count, what }) => `${count} ${what}`)
  return [
    ...unreadable.map(({ what, count }) =>
      error(
        `SECRET_KEY cannot decrypt ${count} ${what}.`,
        'Start with the SECRET_KEY that encrypted them. If it is lost, `npx kusanya secret-key accept` goes on without them.',
      ),
    ),
    ...(earlier.length > 0
      ? [warning(`SECRET_KEY_PREVIOUS is still the key of ${earlier.join(', ')}: run \`npx kusanya secrets rotate\`.`)]
      : []),
  ]
}
