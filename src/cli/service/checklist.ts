import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import { isPublicHttps } from '../../connections/test-connection.ts'
import { type ChecklistItem, readChecklist } from '../../core/connections/checklist.ts'
import { describeSpace } from '../../lib/disk-space.ts'
import type { Terminal } from '../terminal.ts'

/** What is done and what is missing for going live. */
export async function openChecklist({
  db,
  config,
  disk,
  mailer,
  sms_sender,
  connections,
}: App): Promise<ChecklistItem[]> {
  const { MODE: mode, PUBLIC_URL: public_url = null, DATABASE_URL, DATA_DIR } = config
  const space = await disk?.look()
  return readChecklist(db, {
    ...{ mode, public_url, is_public_https: public_url !== null && isPublicHttps(public_url) },
    trusts_proxy: config.TRUST_PROXY !== 'off' && config.TRUST_PROXY !== 'false',
    has_mail: mailer !== null,
    has_sms: sms_sender.code !== 'none',
    collection_currencies: config.COLLECTION_CURRENCIES,
    data_folder: DATABASE_URL ? null : resolve(DATA_DIR),
    disk: space ? describeSpace(space) : null,
    live_environments: connections.drivers.flatMap(({ code, environments }) =>
      Object.entries(environments).flatMap(([name, { live }]) => (live ? [`${code}:${name}`] : [])),
    ),
  })
}

/** The lines of a checklist, what is open with what to do about it. */
export function describeChecklist(terminal: Terminal, items: readonly ChecklistItem[]): string[] {
  const marks = { done: terminal.good('✓'), open: terminal.bad('✗'), advice: terminal.strong('!') }
  return items.flatMap(({ state, found, todo }) => [
    `${marks[state]} ${found}`,
    ...(todo === null ? [] : [`    ${terminal.faint(todo)}`]),
  ])
}
