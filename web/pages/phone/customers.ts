import { t } from '../../texts/index.ts'

/** The customer whose prompts wait for an answer. */
export const WAITING_PHONE = '+80000000109'

/** Numbers of the sandbox with special behaviour (docs/operating/sandbox.md). */
export const customers: readonly { number: string; does: string }[] = [
  { number: WAITING_PHONE, does: t('phone.customers.waits') },
  { number: '+80000000003', does: t('phone.customers.pays') },
  { number: '+80000000001', does: t('phone.customers.refuses') },
  { number: '+80000000009', does: t('phone.customers.never') },
  { number: '+80000000101', does: t('phone.customers.no_money') },
  { number: '+80000000102', does: t('phone.customers.wrong_pin') },
  { number: '+80000000103', does: t('phone.customers.slow') },
  { number: '+80000000106', does: t('phone.customers.thrice') },
  { number: '+80000000108', does: t('phone.customers.reversed') },
  { number: '+80000000110', does: t('phone.customers.second_prompt') },
]
