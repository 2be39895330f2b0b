import { type Fragment, sql } from '../../db/sql.ts'

/**
 * SQL: condition that an organization may see the costs of an owner's merchant accounts: its own, and the operator's
 * (null) if it is the only organization, whose managers operate the service.
 */
export function isOwn(owner: Fragment, organization: Fragment | number): Fragment {
  return sql`(${owner} = ${organization} or (${owner} is null and not exists (select from organizations o where o.id <> ${organization})))`
}
