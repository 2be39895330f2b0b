import { type Fragment, sql } from '../../db/sql.ts'

/*
 * Rows that leave the database for the archive, by kind, and the rows of one subject: a request, an order, an SMS or an
 * entry of the audit log. Rows that the books rest on stay in place (docs/decisions/0044).
 */

export const archiveKinds = ['requests', 'orders', 'sms', 'audit'] as const
export type ArchiveKind = (typeof archiveKinds)[number]

/** Rows of one table that are written with their subject. */
export interface ArchivedTable {
  table: string
  /** SQL after `from`: the rows under the name `t`, of the subjects with these ids. */
  from(ids: Fragment): Fragment
  /** The id of the subject of a row. */
  subject: Fragment
  /** The columns with data of a person, which are encrypted. Those that an erasure changes (core/contacts/erasure.ts). */
  encrypted: readonly string[]
  /** A column that is left out, because another table has the same data. */
  omitted?: string
}

/** A kind of subjects. */
export interface KindRules {
  /** The setting with the days that its rows are kept at least. */
  retention: 'REQUEST_RETENTION_DAYS' | 'ORDER_RETENTION_DAYS' | 'SMS_RETENTION_DAYS' | 'AUDIT_RETENTION_DAYS'
  /** The table of the subjects. The first of `tables` has their rows. */
  table: string
  tables: readonly ArchivedTable[]
  /**
   * The person of each subject: `select id, organization, contact, phonenumber`. The contact may be null. Null for a kind whose
   * subjects have no data of a customer.
   */
  persons: ((ids: Fragment) => Fragment) | null
}

const ofTable = (table: string, column: string, encrypted: readonly string[] = []): ArchivedTable => ({
  table,
  encrypted,
  subject: sql`t.${sql.identifier(column)}`,
  from: (ids) => sql`${sql.identifier(table)} t where t.${sql.identifier(column)} = any(${ids})`,
})

const SMS_COLUMNS = ['phonenumber', 'body', 'remote_id', 'last_error', 'providers', 'provider_ids']
const ORDER_COLUMNS = ['phonenumber', 'reason']

const REQUEST = 'collection_request'

export const kindRules: Readonly<Record<ArchiveKind, KindRules>> = {
  requests: {
    retention: 'REQUEST_RETENTION_DAYS',
    table: 'collection_requests',
    tables: [
      {
        ...ofTable('collection_requests', 'id', [
          'phonenumber',
          'reason',
          'metadata',
          'success_message',
          'instructions',
        ]),
        omitted: 'history',
      },
      ofTable('collection_request_transitions', REQUEST),
      { ...ofTable('network_orders', REQUEST, ORDER_COLUMNS), omitted: 'answers' },
      {
        table: 'network_order_answers',
        subject: sql`o.collection_request`,
        encrypted: [],
        from: (ids) =>
          sql`network_order_answers t join network_orders o on o.id = t.network_order where o.collection_request = any(${ids})`,
      },
      ofTable('sms_messages', REQUEST, SMS_COLUMNS),
      ofTable('request_actions', REQUEST, ['comment']),
      ofTable('request_actions', 'new_request', ['comment']),
      ofTable('payment_link_visits', 'request'),
    ],
    persons: (ids) =>
      sql`select id, organization, contact, phonenumber from collection_requests where id = any(${ids})`,
  },
  orders: {
    retention: 'ORDER_RETENTION_DAYS',
    table: 'network_orders',
    tables: [
      { ...ofTable('network_orders', 'id', ORDER_COLUMNS), omitted: 'answers' },
      ofTable('network_order_answers', 'network_order'),
    ],
    persons: (ids) => sql`
      select o.id, o.organization, coalesce(r.contact, p.contact, c.contact) as contact, o.phonenumber from network_orders o
      left join collection_requests r on r.id = o.collection_request
      left join payment_recipients p on p.id = o.payment_recipient
      left join collections c on c.id = o.collection
      where o.id = any(${ids})`,
  },
  sms: {
    retention: 'SMS_RETENTION_DAYS',
    table: 'sms_messages',
    tables: [ofTable('sms_messages', 'id', SMS_COLUMNS)],
    persons: (ids) => sql`
      select m.id, m.organization, coalesce(r.contact, p.contact) as contact, m.phonenumber from sms_messages m
      left join collection_requests r on r.id = m.collection_request
      left join payment_recipients p on p.id = m.payment_recipient
      where m.id = any(${ids})`,
  },
  // The log names contacts by their ids, and an erasure leaves it as it is (docs/decisions/0011).
  audit: {
    retention: 'AUDIT_RETENTION_DAYS',
    table: 'audit_log',
    persons: null,
    tables: [ofTable('audit_log', 'id'), ofTable('audit_chain', 'entry')],
  },
}
