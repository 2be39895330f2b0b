import type { Figure, Gate } from './measurements.ts'

/** The gates of the product. Ratios are those to the ceiling of the same run. */
export const gates = {
  everything: { unit: 'ratio', gate: 0.06, aim: 0.1 },
  everything_create: { unit: 'p99_ms', gate: 1_000 },
  settle: { unit: 'ratio', gate: 0.15, aim: 0.2 },
  create: { unit: 'ratio', gate: 0.35, aim: 0.5 },
  /** The ratio to the bare route that writes the same rows. */
  new_customers: { unit: 'ratio', gate: 0.55, aim: 0.7 },
  get: { unit: 'ratio', gate: 0.85 },
  list_of_a_phone: { unit: 'ratio', gate: 0.3 },
  bills: { unit: 'ratio', gate: 0.08 },
} as const satisfies Record<string, Gate>

/** Gate with its measurement. */
export interface JudgedGate {
  name: string
  unit: Gate['unit']
  measured: number | null
  gate: number
  aim: number | null
  /** The same ratio, loaded by wrk. The gate is for the other one. */
  with_wrk: number | null
  holds: boolean
  /** Null if there is no aim. */
  reaches_aim: boolean | null
}

/**
 * Compare the figures that have a gate with it. A machine that misses one is no error of the program: only checks are.
 */
export function judgeGates(figures: readonly Figure[]): JudgedGate[] {
  return figures.flatMap(({ name, gate: limit, ratio, p99_ms, errors, with_wrk: wrk }) => {
    if (!limit) return []
    const { unit, gate, aim = null } = limit
    const measured = (unit === 'ratio' ? ratio : p99_ms) ?? null
    const reaches = (value: number) =>
      measured !== null && errors === 0 && (unit === 'ratio' ? measured >= value : measured <= value)
    const reaches_aim = aim === null ? null : reaches(aim)
    const with_wrk = (unit === 'ratio' ? wrk?.ratio : undefined) ?? null
    return [{ name, unit, measured, gate, aim, with_wrk, holds: reaches(gate), reaches_aim }]
  })
}

/** Say in one line how many gates hold. */
export function summariseGates(judged: readonly JudgedGate[]): string {
  const with_aim = judged.filter(({ aim }) => aim !== null)
  const held = judged.filter(({ holds }) => holds).length
  const reached = with_aim.filter(({ reaches_aim }) => reaches_aim).length
  return `${held} of ${judged.length} gates hold, ${reached} of ${with_aim.length} aims are reached`
}
