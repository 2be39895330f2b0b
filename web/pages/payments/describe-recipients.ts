import { t } from '../../texts/index.ts'
import type { Payment } from '../../wire.ts'

/** The phone of a payment with one recipient, or how many phones there are. */
export function describeRecipients({
  recipients,
  phonenumber,
}: {
  recipients: number
  phonenumber: string | null
}): string {
  return recipients === 1 && phonenumber !== null ? phonenumber : t('payments.phones', { count: recipients })
}

/** The same of a payment that has its recipients. */
export function describePhones({ phone_nos: phones }: Payment): string {
  return describeRecipients({ recipients: phones.length, phonenumber: phones[0]?.phonenumber ?? null })
}
