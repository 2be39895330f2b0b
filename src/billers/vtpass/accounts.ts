import { z } from 'zod'
import { spareText as text } from '../../drivers/members.ts'
import { readAmount } from '../../drivers/numbers.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { AccountHolder, AccountHolderLookup } from '../biller.ts'
import type { ProviderAccountQuery } from '../contract.ts'
import { cleanWords } from '../shared/words.ts'
import { type Client, codeOf } from './client.ts'
import { secretsOf, type VtpassConnection } from './settings.ts'

/** Members of an answer that have their own place in `AccountHolder`, or say nothing about the holder. */
const KNOWN_MEMBERS: ReadonlySet<string> = new Set(['Customer_Name', 'Address', 'Customer_District', 'error'])

/** Look up the holder of a meter, smartcard or profile. A wrong number is code 000 with an `error` in it. */
export async function lookUpHolder(
  connection: VtpassConnection,
  client: Client,
  { kind, offer, account_number, prepaid }: ProviderAccountQuery,
): Promise<AccountHolderLookup> {
  if (kind === 'airtime' || kind === 'epin')
    return { outcome: 'unknown', message: getMessage('vtpass.not_look_up_holders') }
  const type =
    kind === 'electricity' ? (prepaid === false ? 'postpaid' : 'prepaid') : (offer.remote_product ?? undefined)
  const body = JSON.stringify({
    billersCode: account_number,
    serviceID: offer.remote_service,
    ...((kind === 'electricity' || kind === 'exampin') && { type }),
  })
  const reply = await client.post('account holder', '/merchant-verify', body)
  if (reply.outcome === 'unknown') return reply
  const content =
    reply.status === 200 && codeOf(reply) === '000' ? Verified.safeParse(reply.body).data?.content : undefined
  if (content?.error !== undefined)
    return { outcome: 'not_found', message: cleanWords(content.error, secretsOf(connection)) }
  if (content?.Customer_Name === undefined || content.Customer_Name.trim() === '')
    return { outcome: 'unknown', message: getMessage('vtpass.not_look_up', { answer: client.describe(reply) }) }
  return { outcome: 'found', holder: toHolder(content, content.Customer_Name.trim(), account_number) }
}

function toHolder(content: Content, name: string, account_number: string): AccountHolder {
  const more = Object.entries(content).filter(([member, value]) => !KNOWN_MEMBERS.has(member) && isPlain(value))
  return {
    name,
    address: content.Address?.trim() || null,
    outstanding_balance: readAmount(content.Outstanding ?? content.Customer_Arrears) ?? null,
    due_date: readDate(content.Due_Date),
    district: content.Customer_District?.trim() || null,
    account_number: content.Meter_Number ?? content.MeterNumber ?? account_number,
    minimum_amount: readAmount(content.Min_Purchase_Amount ?? content.Minimum_Amount) ?? null,
    raw_output: Object.fromEntries(more),
    more: content.Current_Bouquet === undefined ? {} : { currentBouquet: content.Current_Bouquet },
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null
}

/** `2025-02-06T00:00:00`, in Lagos. Undefined dates are written `0001-01-01` or `N/A`. */
function readDate(text: string | undefined): string | null {
  const date = /^(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?$/.exec(text?.trim() ?? '')?.[1]
  return date ? `${date}+01:00` : null
}

type Content = z.infer<typeof Content>
const Content = z.looseObject({
  Customer_Name: text,
  Address: text,
  Customer_District: text,
  Meter_Number: text,
  MeterNumber: text,
  Outstanding: text,
  Customer_Arrears: text,
  Min_Purchase_Amount: text,
  Minimum_Amount: text,
  Due_Date: text,
  Current_Bouquet: text,
  error: text,
})
const Verified = z.object({ content: Content })
