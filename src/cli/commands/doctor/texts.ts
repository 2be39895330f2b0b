/** Subject of each check, in Markdown, by its name. Its links begin at docs/operating. */
export const checkTexts = {
  settings:
    'Settings that are allowed and wrong for most: in live mode no `PUBLIC_URL` or one without https, no mail server, a hidden log; no metrics, a proxy that is not trusted, time limits of 0',
  migrations: 'Migrations that are missing, and indexes that one has begun and not finished',
  database:
    'The version, the locale, `fsync`, `full_page_writes`, `synchronous_commit`, `autovacuum`, room for connections, transactions that stay open, transaction ids that are used up; behind a pooler the settings of sessions',
  role: 'Whether the role of the service owns tables, or has other rights than it needs',
  clock: 'The clock of the database against the clock of this machine: more than two seconds',
  disk: 'Room on the disk of the data and of the last backup. The disk of a PostgreSQL of your own cannot be seen from here',
  backups:
    'The age of the last `kusanya backup` (26 hours), whether it is still there, and with a PostgreSQL of your own whether it archives its log',
  replication:
    'Replicas that are a minute or 256 MB behind, no replica that confirms commits, a database that is itself a replica',
  secrets: 'Stored secrets that `SECRET_KEY` cannot decrypt, or that have the previous key',
  certificates:
    'The certificates of `PUBLIC_URL`, of networks and of the newest 500 webhooks: expired, expiring within 14 days, not trusted. Those of webhooks are warnings',
  connections:
    'Connections without readable secrets, that cannot be opened, do not answer, have alarms of the last day, or have not passed their tests',
  floats: 'Balances at networks that differ from the books, or are low',
  sending: 'Whether sending is held, since when, by whom and why',
  jobs: 'Rows that have been due for a quarter of an hour, and leases that ended and that no process renews',
  webhooks: 'Webhooks that fail; after an hour in live mode it is an error',
  retention:
    'Rows that should have been in the [archive](retention.md) for 45 days, with the last complete run, and rows of it that are still to be removed',
  data: 'All of the data: the books, money on hold, paid requests and orders, counts, the audit log, callbacks, money without an account, late payouts, attested orders',
} as const

/** Names for `--only`. A check without a text does not compile. */
export type CheckName = keyof typeof checkTexts
