import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { action, organizationOf } from '../access/action.ts'
import { choiceError, integer, requiredText } from '../fields.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { targetUrlError } from '../target-urls.ts'

/** Verdicts of an organization about a payment that matches no request. */
export const verdicts = ['accept', 'reject'] as const
export type Verdict = (typeof verdicts)[number]

/** The longest time that an organization may allow itself for an answer ("The wider interface"). */
const MAX_ACCEPTANCE_TIMEOUT_S = 60

/** URL that decides if its organization accepts a payment that matches no request. */
const acceptanceUrlTable = table('acceptance_urls', {
  organization: column.bigint().key(),
  url: column.text(),
  when_unreachable: column.text<Verdict>(),
  timeout_s: column.integer(),
  created: column.timestamptz(),
  modified: column.timestamptz(),
})
export type AcceptanceUrl = Row<typeof acceptanceUrlTable>

/** Sets or replaces the acceptance URL of an organization. @throws Invalid */
export async function setAcceptanceUrl(
  tx: Tx,
  now: Date,
  input: Pick<AcceptanceUrl, 'organization' | 'url' | 'when_unreachable' | 'timeout_s'>,
): Promise<AcceptanceUrl> {
  const error = targetUrlError(input.url)
  if (error) throw new Invalid({ url: [error] })
  if (!(input.timeout_s >= 1 && input.timeout_s <= MAX_ACCEPTANCE_TIMEOUT_S))
    throw new Invalid({ timeout: [getMessage('requests.acceptance_time', { max: MAX_ACCEPTANCE_TIMEOUT_S })] })
  const at = truncateToSecond(now)
  const [row] = await tx<AcceptanceUrl[]>`
    ${insert(acceptanceUrlTable, [input], { created: at, modified: at })}
    ${acceptanceUrlTable.replace(['url', 'when_unreachable', 'timeout_s', 'modified'])}
    returning *`
  return row!
}

/** The acceptance URL of an organization, if it has one. */
export async function findAcceptanceUrl(db: Reader, organization: number): Promise<AcceptanceUrl | undefined> {
  const [row] = await db<AcceptanceUrl[]>`select * from acceptance_urls where organization = ${organization}`
  return row
}

/** Removes the acceptance URL of an organization. Checks that are still open then accept. @throws NotFound */
export async function removeAcceptanceUrl(tx: Tx, organization: number): Promise<void> {
  const { count } = await tx`delete from acceptance_urls where organization = ${organization}`
  if (count === 0) throw new NotFound(getMessage('requests.no_acceptance', { organization }))
}

/** Set or replace the acceptance URL of an organization. */
export const setAcceptanceUrlAction = action({
  name: 'set collection hook',
  permission: 'manage_organization',
  input: z.object({
    url: requiredText(2_000).transform((typed) => typed.trim()),
    when_unreachable: z.enum(verdicts, { error: choiceError(verdicts) }).default('accept'),
    timeout: integer().default(MAX_ACCEPTANCE_TIMEOUT_S),
  }),
  run: (tx, context, { url, when_unreachable, timeout: timeout_s }) =>
    setAcceptanceUrl(tx, context.now, { organization: organizationOf(context), url, when_unreachable, timeout_s }),
  audit: ({ url, when_unreachable, timeout_s }) => ({ details: { url, when_unreachable, timeout_s } }),
  console: { method: 'PUT', path: '/settings/hook', requires: ['when_unreachable', 'timeout'] },
  cli: {
    path: 'organizations acceptance-url set',
    description: 'set or replace the acceptance URL',
    typed: {
      url: ['<url>', 'an https address that answers ACCEPT <id> or REJECT <id> <reason>'],
      when_unreachable: ['--unreachable <verdict>', 'what to do when no answer comes in time'],
      timeout: ['--timeout <seconds>', `how long to wait for an answer, at most ${MAX_ACCEPTANCE_TIMEOUT_S}`],
    },
    organization: 'one',
    text: describeAcceptanceUrl,
  },
})

export const removeAcceptanceUrlAction = action({
  name: 'remove collection hook',
  permission: 'manage_organization',
  input: z.object({}),
  run: (tx, context) => removeAcceptanceUrl(tx, organizationOf(context)),
  audit: () => ({}),
  wakes: true,
  console: { method: 'DELETE', path: '/settings/hook' },
  cli: {
    path: 'organizations acceptance-url remove',
    description: 'remove the URL and accept all money, including money that still waits for an answer',
    organization: 'one',
    text: () => 'The acceptance URL is removed; all money is accepted.',
    view: null,
  },
})

/** Describe an acceptance URL in a sentence. */
export function describeAcceptanceUrl({ organization, url, when_unreachable, timeout_s }: AcceptanceUrl): string {
  return `Organization ${organization} is asked at ${url}. Without an answer within ${timeout_s} s: ${when_unreachable}.`
}
