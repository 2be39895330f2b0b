import { formatTime, otherBrowserZone, readTime } from '../format.ts'
import { t } from '../texts/index.ts'

/** A time in the time zone of the organization; its tooltip shows UTC, and the time of a browser in another zone. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <>—</>
  const date = readTime(at)
  if (!date) return <>{at}</>
  const own = otherBrowserZone(date)
  const utc = date.toISOString()
  return (
    <time dateTime={utc} title={own ? t('parts.own_time', { utc, time: formatTime(at, own), time_zone: own }) : utc}>
      {formatTime(at)}
    </time>
  )
}
