import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, type Row, table } from '../../db/table.ts'

/** The result of an account look-up before a purchase. */
const validationTable = table('bill_validations', {
  organization: column.bigint().key(),
  service_type: column.text().key(),
  account_number: column.text().key(),
  /** `''` if the service has no products. */
  product_code: column.text().key(),
  /** Exam pins only: the single phone number that can buy the pin (interface 4.5, rule 1). */
  phone: column.text().nullable(),
  name: column.text(),
  validated: column.timestamptz(),
})
type AccountValidation = Omit<Row<typeof validationTable>, 'validated'>

/** Records a look-up that found the account. A later look-up of the same account replaces it. */
export async function recordAccountValidation(tx: Tx, now: Date, validation: AccountValidation): Promise<void> {
  await tx`
    ${insert(validationTable, [validation], { validated: now })} ${validationTable.replace(['phone', 'name', 'validated'])}`
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
