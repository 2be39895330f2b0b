import { countryName } from '../../format.ts'
import { t } from '../../texts/index.ts'

/** The name of a country of phone numbers; the test country has no name of its own. */
export function placeName(code: string): string {
  if (code === '') return ''
  return code === 'XX' ? t('review.test_country') : countryName(code)
}
