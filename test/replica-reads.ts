/*
 * The rule for reads from replicas (docs/decisions/0046): what decides about money, access or work reads from the primary.
 */

/** Only these read from a replica: what answers pages, lists and exports. Jobs, sign-in and the checks of callers never do. */
const MAY_USE_REPLICAS = [
  /^src\/api\/(?!authenticate|api-key-cache|guard|callbacks|bills\/)/,
  /^src\/console\/(?!access\/|guard|links|users|keys|control\/)/,
  /^src\/actions\/lists\//,
  /^src\/cli\/commands\/(reports|statements)\.ts$/,
]

/** Rooms and files that decide, so that no function of theirs takes an `AnyReader`. */
const DECIDES = [
  /^src\/(jobs|connections|simulator|pay)\//,
  /^src\/core\/(idempotency|leases|flags|sending|clock)\.ts$/,
  /^src\/core\/(control|follow-ups)\//,
  /^src\/core\/access\/(?!audit\.ts)/,
  /^src\/core\/ledger\/(transfers|holds|floats|refills|fees)\.ts$/,
  /^src\/core\/connections\/order-/,
  /^src\/core\/payments\/(limits|create|payouts)\.ts$/,
]

/** Return the faults of a source file, in sentences. */
export function replicaFaults(path: string, text: string): string[] {
  const is_one_of = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(path))
  // The part of db that offers them, and the service, which serves their metrics.
  const uses = /\breads\.(read|snapshot|exports)\b/.test(text) && !path.startsWith('src/db/')
  return [
    ...(uses && !is_one_of(MAY_USE_REPLICAS) ? [`${path} decides or works: read from app.db, the primary.`] : []),
    ...(text.includes('AnyReader') && is_one_of(DECIDES)
      ? [`${path} decides or works: take a Reader or a Tx, which are on the primary.`]
      : []),
  ]
}
