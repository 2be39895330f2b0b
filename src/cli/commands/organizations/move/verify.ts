import type { App } from '../../../../app.ts'
import { digestSecrets, findWrongBalances, readFigures } from '../../../../core/cells/move-rows.ts'
import { type MoveFigures, readMove, recordStep } from '../../../../core/moves.ts'
import { begin, type Database } from '../../../../db/client.ts'
import { CommandError } from '../../../errors.ts'
import { encryptedColumns } from '../../../service/secret-key.ts'
import { type Sides, withLongSnapshot } from './sides.ts'

/** Compare both cells. What differs is copied anew when the command runs again. @throws CommandError */
export async function verify({
  source,
  target,
  source_owner,
  target_owner,
  organization,
}: Sides): Promise<MoveFigures> {
  const read = (app: App, owner: Database) =>
    withLongSnapshot(owner, async (tx) => ({
      tables: await readFigures(tx, organization, encryptedColumns),
      secrets: await digestSecrets(tx, organization, encryptedColumns, app.sealingKeys),
    }))
  const [here, there, wrong] = await Promise.all([
    read(source, source_owner),
    read(target, target_owner),
    withLongSnapshot(target_owner, (tx) => findWrongBalances(tx, organization)),
  ])
  const differing = Object.keys(here.tables).filter(
    (table) => JSON.stringify(here.tables[table]) !== JSON.stringify(there.tables[table]),
  )
  if (here.secrets !== there.secrets) differing.push('secrets')
  if (differing.length > 0) {
    const { figures } = (await readMove(source.db, organization))!
    const unfollowed = { ...figures, copied: undefined }
    await begin(source.db, (tx) =>
      recordStep(tx, source.clock.now(), { organization, step: 'held', figures: unfollowed }),
    )
    throw new CommandError(`The cells differ in ${differing.join(', ')}. Run the command again to copy anew.`)
  }
  if (wrong.length > 0)
    throw new CommandError(`The balance of account ${wrong.join(', ')} is not the sum of its transfers.`)
  return { tables: here.tables }
}
