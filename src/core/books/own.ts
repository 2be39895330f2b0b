import { type Fragment, sql } from '../../db/sql.ts'

/**
 * Whether an organization may see what an owner's merchant accounts cost: its own, and those of the operator (null) where it is the
 * only organization, whose managers operate the service.
 */
export function isOwn(owner: Fragment, organization: Fragment | number): Fragment {
  return sql`(${owner} = ${organization} or (${owner} is null and not exists (select from organizations o where o.id <> ${organization})))`
}
