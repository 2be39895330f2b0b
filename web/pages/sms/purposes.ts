import { formatWord } from '../../format.ts'
import { t } from '../../texts/index.ts'

/** Purposes of SMS. */
export const purposes = ['instructions', 'reminder', 'payment_link', 'success', 'goods', 'message', 'reply']

/** The purpose of an SMS in words. The one of `success` says that a payment arrived, not that the SMS did. */
export function formatPurpose(purpose: string): string {
  return purpose === 'success' ? t('sms.confirmation') : formatWord(purpose)
}
