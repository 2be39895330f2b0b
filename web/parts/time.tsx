import { formatTime, readTime } from '../format.ts'

/** A moment in the reader's own time zone; pointing at it shows it in UTC. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <>—</>
  return (
    <time dateTime={readTime(at)?.toISOString()} title={readTime(at)?.toISOString()}>
      {formatTime(at)}
    </time>
  )
}
