import type { Reader, Tx } from '../../db/client.ts'

/** The result of an account look-up before a purchase. */
export interface AccountValidation {
  organization: number
  service_type: string
  account_number: string
  /** `''` if the service has no products. */
  product_code: string
  /** Exam pins only: the single phone number that can buy the pin (interface 4.5, rule 1). */
  phone: string | null
  name: string
}

/** Records a look-up that found the account. A later look-up of the same account replaces it. */
export async function recordAccountValidation(tx: Tx, now: Date, validation: AccountValidation): Promise<void> {
  const { organization, service_type, account_number, product_code, phone, name } = validation
  await tx`
    insert into bill_validations (organization, service_type, account_number, product_code, phone, name, validated)
    values (${organization}, ${service_type}, ${account_number}, ${product_code}, ${phone}, ${name}, ${now})
    on conflict (organization, service_type, account_number, product_code)
    do update set phone = excluded.phone, name = excluded.name, validated = excluded.validated`
}

/** The last successful look-up of this account, or undefined. */
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
