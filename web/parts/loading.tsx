import { Loader } from '@mantine/core'
import { t } from '../texts/index.ts'

/** A placeholder while data loads, with a text for screen readers. */
export function Loading() {
  return <Loader role="status" aria-label={t('parts.loading')} />
}
