import type { Reader, Tx } from '../../db/client.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { targetUrlError } from '../target-urls.ts'

/** What becomes of unrequested money. */
export const verdicts = ['accept', 'reject'] as const
export type Verdict = (typeof verdicts)[number]

/** The longest that an organization may take to answer ("The wider interface"). */
export const MAX_ACCEPTANCE_TIMEOUT_S = 60

/** Where an organization is asked whether it takes money that none of its requests asked for. */
export interface AcceptanceUrl {
  organization: number
  url: string
  when_unreachable: Verdict
  timeout_s: number
  created: Date
  modified: Date
}

/** Sets an organization's hook, or another in its place. @throws Invalid */
export async function setAcceptanceUrl(
  tx: Tx,
  now: Date,
  input: Pick<AcceptanceUrl, 'organization' | 'url' | 'when_unreachable' | 'timeout_s'>,
): Promise<AcceptanceUrl> {
  const fault = targetUrlError(input.url)
  if (fault) throw new Invalid({ url: [fault] })
  if (!(input.timeout_s >= 1 && input.timeout_s <= MAX_ACCEPTANCE_TIMEOUT_S))
    throw new Invalid({ timeout: [`The time must be from 1 to ${MAX_ACCEPTANCE_TIMEOUT_S} seconds.`] })
  const [row] = await tx<AcceptanceUrl[]>`
    insert into acceptance_urls (organization, url, when_unreachable, timeout_s, created, modified)
    values (${input.organization}, ${input.url}, ${input.when_unreachable}, ${input.timeout_s}, ${truncateToSecond(now)}, ${truncateToSecond(now)})
    on conflict (organization) do update
    set url = excluded.url, when_unreachable = excluded.when_unreachable, timeout_s = excluded.timeout_s,
      modified = excluded.modified
    returning *`
  return row!
}

/** The hook of an organization, if it has one. */
export async function findAcceptanceUrl(db: Reader, organization: number): Promise<AcceptanceUrl | undefined> {
  const [row] = await db<AcceptanceUrl[]>`select * from acceptance_urls where organization = ${organization}`
  return row
}

/** Takes an organization's hook away. What it has been asked and not answered is accepted. @throws NotFound */
export async function removeAcceptanceUrl(tx: Tx, organization: number): Promise<void> {
  const { count } = await tx`delete from acceptance_urls where organization = ${organization}`
  if (count === 0) throw new NotFound(`Organization ${organization} has no hook.`)
}
