import type { Reader, Tx } from '../../db/client.ts'

/** A name that was looked up before money is paid for the account. */
export interface AccountValidation {
  organization: number
  service_type: string
  account_number: string
  /** `''` where the service has none. */
  product_code: string
  /** Of exam pins: the only phone number that the pin is sold for (interface 4.5, rule 1). */
  phone: string | null
  name: string
}

/** Remembers a look-up that found somebody; of several the last one counts. */
export async function recordAccountValidation(tx: Tx, now: Date, validation: AccountValidation): Promise<void> {
  const { organization, service_type, account_number, product_code, phone, name } = validation
  await tx`
    insert into bill_validations (organization, service_type, account_number, product_code, phone, name, validated)
    values (${organization}, ${service_type}, ${account_number}, ${product_code}, ${phone}, ${name}, ${now})
    on conflict (organization, service_type, account_number, product_code)
    do update set phone = excluded.phone, name = excluded.name, validated = excluded.validated`
}

/** The last look-up of this account that found somebody, if any. */
export async function findAccountValidation(
  db: Reader,
  account: Pick<AccountValidation, 'organization' | 'service_type' | 'account_number' | 'product_code'>,
): Promise<AccountValidation | undefined> {
  const [row] = await db<AccountValidation[]>`
    select organization, service_type, account_number, product_code, phone, name from bill_validations
    where organization = ${account.organization} and service_type = ${account.service_type}
      and account_number = ${account.account_number} and product_code = ${account.product_code}`
  return row
}
