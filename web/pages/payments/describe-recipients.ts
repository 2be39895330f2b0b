import { t } from '../../texts/index.ts'

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
