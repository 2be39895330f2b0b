import { createHash, randomBytes } from 'node:crypto'
import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import type { DoorState, SwitchValues, WorldContext } from './world.ts'

/*
 * Values that doors remember: switches, registered addresses, access tokens and so on. Any process may serve a door, so
 * nothing stays in memory.
 */

export const valueTable = table('simulator_door_values', {
  door: column.text().key(),
  name: column.text().key(),
  value: column.json<unknown>(),
  expires: column.timestamptz().later(),
})

const SWITCHES = 'switches'
const MEMORY = 'memory '
const TOKEN = 'token '

/** Read the switches of a door: its defaults and the set values. */
export async function readSwitches(db: Reader, door: string, defaults: SwitchValues): Promise<SwitchValues> {
  const [row] = await db<{ value: SwitchValues }[]>`
    select value from simulator_door_values where door = ${door} and name = ${SWITCHES}`
  return { ...defaults, ...row?.value }
}

/** Set switches of a door; the others stay as they are. */
export async function writeSwitches(tx: Tx, door: string, values: SwitchValues): Promise<void> {
  await tx`
    ${insert(valueTable, [{ door, name: SWITCHES, value: values }], {})}
    on conflict (door, name) do update
    set value = (simulator_door_values.value::jsonb || excluded.value::jsonb)::json`
}

/** Keep a value under a name. Undefined forgets it. */
export async function remember(tx: Tx, door: string, name: string, value: unknown): Promise<void> {
  if (value === undefined) {
    await tx`delete from simulator_door_values where door = ${door} and name = ${MEMORY + name}`
    return
  }
  await tx`${insert(valueTable, [{ door, name: MEMORY + name, value }], {})} ${valueTable.replace(['value'])}`
}

/** The value under a name; undefined when there is none. */
export async function recall(db: Reader, door: string, name: string): Promise<unknown> {
  const [row] = await db<{ value: unknown }[]>`
    select value from simulator_door_values where door = ${door} and name = ${MEMORY + name}`
  return row?.value
}

/** The values under all names that begin with a text, by their names. */
export async function recallAll(db: Reader, door: string, prefix: string): Promise<unknown[]> {
  const rows = await db<{ value: unknown }[]>`
    select value from simulator_door_values where door = ${door} and starts_with(name, ${MEMORY + prefix})
    order by name collate "C"`
  return rows.map(({ value }) => value)
}

/** Read the states that doors need to write callbacks, by door. Doors without state get their defaults. */
export async function readStates(
  db: Reader,
  { doors, now, faults }: WorldContext,
  codes: Iterable<string>,
): Promise<Map<string, DoorState>> {
  const wanted = [...new Set(codes)]
  const stateful = wanted.filter((code) => doors.get(code)?.has_state)
  const values =
    stateful.length === 0
      ? []
      : await db<{ door: string; name: string; value: unknown }[]>`
          select door, name, value from simulator_door_values
          where door = any(${stateful}::text[]) and (name = ${SWITCHES} or name like ${`${MEMORY}%`})`
  return new Map(
    wanted.map((code) => {
      const own = values.filter(({ door }) => door === code)
      const set = own.find(({ name }) => name === SWITCHES)?.value as SwitchValues | undefined
      const memory = own.flatMap(({ name, value }) =>
        name === SWITCHES ? [] : [[name.slice(MEMORY.length), value] as const],
      )
      const state: DoorState = {
        now: new Date(now().getTime() + faults.clockSkew(code) * 1_000),
        switches: { ...doors.get(code)?.default_switches, ...set },
        memory: Object.fromEntries(memory),
        forged: false,
      }
      return [code, state]
    }),
  )
}

/** Make a token, or keep the given one, and forget expired ones. Only its digest is stored. */
export async function issueToken(
  tx: Tx,
  token: { door: string; owner: string; token?: string | undefined; expires: Date; now: Date; ends_earlier: boolean },
): Promise<string> {
  const { door, owner, expires } = token
  const text = token.token ?? randomBytes(24).toString('base64url')
  await tx`delete from simulator_door_values where door = ${door} and expires <= ${token.now}`
  if (token.ends_earlier)
    await tx`
      delete from simulator_door_values
      where door = ${door} and expires is not null and value->>'owner' = ${owner}`
  await tx`
    ${insert(valueTable, [{ door, name: nameOfToken(text), value: { owner } }], { expires })}
    ${valueTable.replace(['value', 'expires'])}`
  return text
}

/** Return the owner of a token; undefined if it is unknown or has expired. */
export async function ownerOfToken(db: Reader, door: string, token: string, now: Date): Promise<string | undefined> {
  const [row] = await db<{ owner: string }[]>`
    select value->>'owner' as owner from simulator_door_values
    where door = ${door} and name = ${nameOfToken(token)} and expires > ${now}`
  return row?.owner
}

export async function endTokens(tx: Tx, door: string): Promise<void> {
  await tx`delete from simulator_door_values where door = ${door} and expires is not null`
}

function nameOfToken(token: string): string {
  return TOKEN + createHash('sha256').update(token).digest('hex')
}
