import { InvalidArgumentError } from 'commander'
import { getOrganization, listOrganizations } from '../core/access/organizations.ts'
import type { Reader } from '../db/client.ts'
import { cleanPhoneText, parseLocalPhone, parsePhone } from '../lib/phone.ts'
import { CommandError } from './errors.ts'

/*
 * A person at the command line may type a phone number without country code. The country is known only with the database,
 * after the options are read: `toTypedPhone` reads the option, and `completePhone` then completes it.
 */

/** National form with a leading 0, which no international number has: `0772 000 001`. */
const LOCAL = /^\s*0[\d\s().-]{5,20}$/

/** Parse a phone number in any usual form. With its country code it is returned as E.164, otherwise as it was typed. */
export function toTypedPhone(text: string): string {
  const phone = parsePhone(text)
  if (phone) return phone.number
  if (LOCAL.test(cleanPhoneText(text))) return text
  throw new InvalidArgumentError('It must be a phone number, such as +80000000109 or, in your own country, 0772000001.')
}

/**
 * A typed phone number in E.164, in the country of the organization; without one in the country that all organizations share.
 * @throws CommandError if there is no such country, or if it has no such number
 */
export async function completePhone(db: Reader, typed: string, organization?: number | null): Promise<string> {
  if (typed.startsWith('+')) return typed
  const organizations = organization ? [await getOrganization(db, organization)] : await listOrganizations(db)
  const [country, ...others] = new Set(organizations.map((one) => one.country))
  if (!country || others.length > 0)
    throw new CommandError(`Write ${typed} with its country code, such as +256772000001: no country is set.`)
  const phone = parseLocalPhone(typed, country)
  if (!phone) throw new CommandError(`${typed} is not a phone number of the country ${country}.`)
  return phone.number
}
