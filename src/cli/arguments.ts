import { InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import { allPermissions, type Permission } from '../core/access/api-keys.ts'
import type { Organization } from '../core/access/organizations.ts'
import { findUser, getOrganization, listMembers, listOrganizations, type Member } from '../core/access/organizations.ts'
import type { Actor } from '../core/collections/actions.ts'
import { fieldErrors } from '../core/fields.ts'
import { Invalid } from '../core/refusals.ts'
import type { Reader } from '../db/client.ts'
import { type Amount, formatAmount } from '../lib/money.ts'
import { parsePhone } from '../lib/phone.ts'
import { endOfDayIn, typedDay, typedTimeIn } from '../lib/text/time-zones.ts'
import { parsePastTimestamp } from '../lib/time.ts'
import { readTypedAmount } from '../lib/typed-amount.ts'
import { CommandError } from './errors.ts'
import { typed } from './typed.ts'

/** The option --json, which every list and every command with a result has. */
export function jsonOption(): Option {
  return new Option('--json', 'print JSON')
}

/** The option that names the organization. */
export function organizationOption(text = 'the organization; not needed while there is only one'): Option {
  return new Option('-o, --organization <id>', text).argParser(toCount)
}

/** The option that names the person who acts. */
export function byOption(): Option {
  return new Option('--by <name>', 'the person who does this: a name, or the e-mail address of a user')
}

/** Parts of a command that sends a document by SMS, or with --email by e-mail. */
export const bySmsOrMail = {
  words: { email: typed('--email [address]', 'by e-mail, to this address or to the address of the contact') },
  read: (_: unknown, given: object, { email }: { email: string | true | undefined }) => ({
    ...given,
    channel: email === undefined ? 'sms' : 'email',
    email: email === true ? undefined : email,
  }),
}

/** The actor that --by names: a user if it is an e-mail address, else any name. @throws CommandError */
export async function findActor(db: Reader, by: string | undefined): Promise<Actor> {
  if (by === undefined) return { user: null, name: 'an operator' }
  if (!by.includes('@')) return { user: null, name: by }
  const user = await findUser(db, by)
  if (!user) throw new CommandError(`There is no user ${by}.`)
  return { user: user.id, name: user.name }
}

/** Parse an id or a limit. */
export function toCount(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count) || count === 0)
    throw new InvalidArgumentError('It must be a whole number above zero.')
  return count
}

/** Parse an id of an argument or an option that may be given several times. */
export function collectIds(text: string, earlier: number[] = []): number[] {
  return [...earlier, toCount(text)]
}

/**
 * Time in the past. A span such as `10 minutes ago` is relative to `now`, the service's time. A day or a time without a
 * zone is in the organization's `time_zone`.
 */
export type PastTime = (now: Date, time_zone: string) => Date

/** Parse a date, or a span before now. A day alone is its first moment. */
export function toPast(text: string): PastTime {
  if (!readPast(text, new Date(0), 'UTC'))
    throw new InvalidArgumentError('It must be a date such as 2030-01-31 or 31/1/2030 18:00, or "10 minutes ago".')
  return (now, time_zone) => readPast(text, now, time_zone)!
}

/** Parse the end of a period, as `toPast`. A day alone is included: it is the first moment of the next day. */
export function toPastEnd(text: string): PastTime {
  toPast(text)
  return (now, time_zone) => readPast(text, now, time_zone, true)!
}

/** Read a date, or a span before now. @param is_end true for a period that a day alone ends */
export function readPast(text: string, now: Date, time_zone: string, is_end = false): Date | undefined {
  const day = is_end ? typedDay(text) : undefined
  if (day !== undefined) return endOfDayIn(day, time_zone)
  return typedTimeIn(text, time_zone) ?? parsePastTimestamp(text, now)
}

/** Return the time zone for dates where no organization is named: the zone of a sole organization, else UTC. */
export async function readSharedTimeZone(db: Reader): Promise<string> {
  const zones = new Set((await listOrganizations(db)).map(({ time_zone }) => time_zone))
  return zones.size === 1 ? [...zones][0]! : 'UTC'
}

/** Parse an amount as people type it, `25,000` or `UGX 25,000` (`readTypedAmount`). */
export function toAmount(text: string): Amount {
  const read = readTypedAmount(text)
  if ('message' in read) throw new InvalidArgumentError(read.message)
  return read.amount
}

/** Parse an amount as people type it, and return the plain decimal that the interface takes. */
export function toAmountText(text: string): string {
  return formatAmount(toAmount(text))
}

/** Parse an amount, or `none`: commander takes null for a missing value. */
export function toAmountOrNone(text: string): Amount | 'none' {
  return text === 'none' ? text : toAmount(text)
}

/** Parse a currency, in capital letters. */
export function toCurrency(text: string): string {
  return text.toUpperCase()
}

/** Parse a phone number in any usual form and return it as E.164. */
export function toPhone(text: string): string {
  const phone = parsePhone(text)
  if (!phone) throw new InvalidArgumentError('It must be a phone number with country code, such as +80000000109.')
  return phone.number
}

/** Parse `all`, `none`, or the codes of permissions with commas between them. */
export function toPermissions(text: string): Permission[] {
  if (text === 'all') return allPermissions
  if (text === 'none') return []
  const codes = text.split(',').map((code) => code.trim())
  const unknown = codes.find((code) => !(allPermissions as string[]).includes(code))
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no permission ${unknown}. Choose from: all, none, ${allPermissions.join(', ')}.`,
    )
  return codes as Permission[]
}

/** Parse fields with a schema. @throws Invalid, which names every faulty field */
export function parseFields<Schema extends z.ZodType>(schema: Schema, fields: object): z.output<Schema> {
  const { success, data, error } = schema.safeParse(fields)
  if (!success) throw new Invalid(fieldErrors(error.issues))
  return data
}

/** Return the organization with this id, or the only one. @throws NotFound, CommandError */
export async function chooseOrganization(db: Reader, id: number | undefined): Promise<Organization> {
  if (id !== undefined) return getOrganization(db, id)
  const all = await listOrganizations(db)
  if (all.length === 0) throw new CommandError('There is no organization yet. Create one with `npx kusanya setup`.')
  if (all.length > 1)
    throw new CommandError(
      `Choose the organization with --organization: ${all.map((one) => `${one.id} (${one.name})`).join(', ')}.`,
    )
  return all[0]!
}

/** Return the organization with this id, or all. @throws NotFound */
export async function chooseOrganizations(db: Reader, id: number | undefined): Promise<Organization[]> {
  return id === undefined ? listOrganizations(db) : [await getOrganization(db, id)]
}

/** Return the member with this e-mail address, or the only member of the organization. @throws CommandError */
export async function chooseMember(db: Reader, organization: Organization, email: string | undefined): Promise<Member> {
  const members = await listMembers(db, organization.id)
  if (email !== undefined) {
    const user = await findUser(db, email)
    const member = members.find((one) => one.id === user?.id)
    if (!member) throw new CommandError(`${email} is not a user of ${organization.name}.`)
    return member
  }
  if (members.length === 0)
    throw new CommandError(`${organization.name} has no users yet. Create one with \`npx kusanya users create\`.`)
  if (members.length > 1)
    throw new CommandError(`Choose the user with --user: ${members.map((one) => one.email).join(', ')}.`)
  return members[0]!
}
