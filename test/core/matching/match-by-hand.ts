import type { App } from '../../../src/app.ts'
import { type ChangeResult, requestChange } from '../../../src/core/approvals/changes/changes.ts'
import type { MatchingRequest } from '../../../src/core/approvals/changes/matching-kinds.ts'
import { begin } from '../../../src/db/client.ts'
import { changeContext } from '../../../src/http/change-context.ts'

/** An operator matches money of an organization by hand, moves it or takes it back. */
export function matchByHand(
  app: App,
  organization: number,
  asked: Omit<Extract<MatchingRequest, { kind: 'match' }>, 'kind'>,
): Promise<ChangeResult> {
  const operator = { organization, user: null }
  return begin(app.db, (tx) => requestChange(tx, changeContext(app), operator, { kind: 'match', ...asked }))
}
