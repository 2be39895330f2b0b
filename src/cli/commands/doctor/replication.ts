import type { App } from '../../../app.ts'
import { type Replica, type Replication, readReplication } from '../../../db/replication.ts'
import { error, type Finding, warning } from './check.ts'

const MAX_LAG_S = 60
const MAX_LAG_BYTES = 256 * 1_024 * 1_024

/** Check that the replicas of the database follow it. */
export async function checkReplication({ db }: Pick<App, 'db'>): Promise<Finding[]> {
  return judgeReplication(await readReplication(db))
}

/** Judge the database's report on its replicas. */
export function judgeReplication({ is_replica, wants_synchronous, replicas, sees_lag }: Replication): Finding[] {
  if (is_replica)
    return [
      error(
        'The database is a replica, which takes no writes.',
        'Set DATABASE_URL to the primary, or to the address of your proxy that leads to it (docs/operating/cluster.md).',
      ),
    ]
  if (!sees_lag && (replicas.length > 0 || wants_synchronous))
    return [
      warning(
        `The role of the service may not see how far ${replicas.length === 1 ? 'the replica is' : 'the replicas are'} behind.`,
        'Run `grant pg_monitor to kusanya_service` as the administrator of PostgreSQL (with the name of your role).',
      ),
    ]
  const is_confirmed = replicas.some(({ sync_state }) => sync_state === 'sync' || sync_state === 'quorum')
  return [
    ...(wants_synchronous && !is_confirmed
      ? [
          error(
            'Commits are to wait for a replica (synchronous_standby_names), and none confirms them: writes hang.',
            'Start a replica. `patronictl list` shows which one is missing.',
          ),
        ]
      : []),
    ...replicas.flatMap(judgeReplica),
  ]
}

function judgeReplica({ name, state, lag_bytes, lag_s }: Replica): Finding[] {
  const is_late = (lag_s ?? 0) > MAX_LAG_S || (lag_bytes ?? 0) > MAX_LAG_BYTES
  if (!is_late) return []
  const megabytes = Math.round((lag_bytes ?? 0) / 1_048_576)
  const seconds = lag_s === null ? '' : ` and ${Math.round(lag_s)} seconds`
  return [
    error(
      `The replica ${name} is ${megabytes} MB${seconds} behind (${state ?? 'state unknown'}). A failover to it loses that much, or waits for it.`,
      'Look at its disk, its processor and the network between them. If it does not catch up, build it anew (`patronictl reinit`).',
    ),
  ]
}
